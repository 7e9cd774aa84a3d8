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
/// The kinds of cases, the sections of each kind, and its source for trials. `register_all_cases`
/// adds the built-in part. The build system generates it from the headers
/// `physics/<module>/case/<name>_section.hpp` and `physics/<module>/case/trial_source.hpp`.

namespace tessera::cases {

class CaseRegistry {
 public:
  /// Adds a section to a kind of cases; the first section creates the kind.
  /// \throws ArgumentError when the kind already has a section of this name.
  void add_section(const std::string& kind, std::unique_ptr<AnySection> section);
  template <class S>
  void add_section(const std::string& module) {
    Section<S> section = S::section();
    const std::string kind = section.kind.empty() ? module : section.kind;
    add_section(kind, std::make_unique<TypedSection<S>>(std::move(section)));
  }

  using MakeTrialSource = std::unique_ptr<TrialSource> (*)(const Case&);
  /// Sets the function that turns a case of a kind into the input of trials.
  /// \throws ArgumentError when the kind already has such a function.
  void add_trial_source(const std::string& kind, MakeTrialSource make);

  /// Reads and checks a case. A case without a kind gets the kind that shares the most tables and
  /// keys with it, and the first of several such kinds.
  /// \throws InputError with file, line, key and value: unknown key (with the closest known one),
  /// missing key, wrong type, value out of range, mutually exclusive keys.
  [[nodiscard]] Case read(const Value& document, const std::filesystem::path& path) const;

  /// The case with every default filled in, as TOML that reads back to an equal case.
  [[nodiscard]] std::string effective_toml(const Case& c) const;

  /// The source of trial inputs from the case.
  /// \throws InputError for a kind without trials, and for errors in the case or in the files that
  /// it names.
  [[nodiscard]] std::unique_ptr<TrialSource> trial_source(const Case& c) const;

  [[nodiscard]] std::vector<std::string> kinds() const;
  /// Documentation of all keys of cases of a kind: the document, with the sections as its fields.
  /// \throws SelectionError
  [[nodiscard]] TableInfo info(const std::string& kind) const;

 private:
  struct Kind {
    std::string name;
    std::vector<std::unique_ptr<AnySection>> sections = {};
    MakeTrialSource trial_source = nullptr;

    /// The sections in the order of reading: each after the section that its after() names,
    /// otherwise in order of registration.
    [[nodiscard]] std::vector<const AnySection*> ordered() const;
    /// Names of the tables and of the keys of the document itself.
    [[nodiscard]] std::vector<std::string> keys() const;
  };

  [[nodiscard]] const Kind& get(const std::string& name) const;
  [[nodiscard]] std::string kind_of(const TableView& document) const;
  /// The kind of this name, which is added where it does not exist.
  [[nodiscard]] Kind& found_or_added(const std::string& name);
  [[nodiscard]] Rows<Case> general(const std::string& kind) const;

  std::vector<Kind> kinds_;
};

/// Generated at configure time.
void register_all_cases(CaseRegistry& registry);

/// The kinds of cases of this process, filled on first use.
[[nodiscard]] CaseRegistry& case_registry();

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_CASE_REGISTRY_HPP
