#ifndef TESSERA_CORE_CASE_CASE_REGISTRY_HPP
#define TESSERA_CORE_CASE_CASE_REGISTRY_HPP

#include "core/case/section.hpp"
#include "core/trials/trial.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// \file
/// The kinds of cases, the sections of each, and what each gives to trials. The built-in part is
/// filled by `register_all_cases`, which the build system generates from the headers
/// `physics/<module>/case/<name>_section.hpp` and `physics/<module>/case/trial_source.hpp`.

namespace tessera::cases {

class CaseRegistry {
 public:
  /// Adds a section to a kind of cases; the first one of a kind makes it.
  /// \throws ArgumentError when the kind has a section of that name.
  void add_section(const std::string& kind, std::unique_ptr<AnySection> section);
  template <class S>
  void add_section(const std::string& module) {
    Section<S> section = S::section();
    const std::string kind = section.kind.empty() ? module : section.kind;
    add_section(kind, std::make_unique<TypedSection<S>>(std::move(section)));
  }

  /// Says how a case of a kind becomes what trials of any operation start from.
  /// \throws ArgumentError when the kind has such a function.
  using MakeTrialSource = std::unique_ptr<TrialSource> (*)(const Case&);
  void add_trial_source(const std::string& kind, MakeTrialSource make);

  /// Reads and checks a case. Where it does not say its kind, it is of the kind that has most of
  /// its tables and keys; of the first one of several. \throws InputError with file, line, key and
  /// value: unknown key (with the nearest known one),
  ///         missing key, wrong type, value outside its range, keys that exclude each other.
  [[nodiscard]] Case read(const Value& document, const std::filesystem::path& path) const;

  /// The case with every default filled in, as TOML that reads back to an equal case.
  [[nodiscard]] std::string effective_toml(const Case& c) const;

  /// What the case starts from, for trials.
  /// \throws InputError for a kind that gives nothing to trials, and for what is wrong in the case
  ///         or in the files that it names.
  [[nodiscard]] std::unique_ptr<TrialSource> trial_source(const Case& c) const;

  [[nodiscard]] std::vector<std::string> kinds() const;
  /// Every key of the cases of a kind: the document with the sections as its fields.
  /// \throws SelectionError
  [[nodiscard]] TableInfo info(const std::string& kind) const;

 private:
  struct Kind {
    std::string name;
    std::vector<std::unique_ptr<AnySection>> sections = {};
    MakeTrialSource trial_source = nullptr;

    /// Each behind the one that it names, else in order of registration.
    [[nodiscard]] std::vector<const AnySection*> ordered() const;
    /// Tables, and keys of the document itself.
    [[nodiscard]] std::vector<std::string> keys() const;
  };

  [[nodiscard]] const Kind& get(const std::string& name) const;
  [[nodiscard]] std::string kind_of(const TableView& document) const;
  /// The kind of that name, made where there is none yet.
  [[nodiscard]] Kind& found_or_added(const std::string& name);
  [[nodiscard]] Rows<Case> general(const std::string& kind) const;

  std::vector<Kind> kinds_;
};

/// Declared here, generated at configure time.
void register_all_cases(CaseRegistry& registry);

/// The cases that this process knows, filled on first use.
[[nodiscard]] CaseRegistry& case_registry();

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_CASE_REGISTRY_HPP
