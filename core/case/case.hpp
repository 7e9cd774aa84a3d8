#ifndef TESSERA_CORE_CASE_CASE_HPP
#define TESSERA_CORE_CASE_CASE_HPP

#include "core/base/precision.hpp"
#include "core/case/value.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>

/// \file
/// A case: the contents of the file of `tessera run CASE.toml`, as plain data. Keys common to all
/// kinds of simulations are members; the sections of a module are structs of that module.

namespace tessera::cases {

/// The user's choice for an operation. The names are checked later, where the registry is known.
struct ImplementationEntry {
  std::string implementation;
  Origin origin;

  friend bool operator==(const ImplementationEntry&, const ImplementationEntry&) = default;
};

struct Parameter {
  ParameterValue value;
  Origin origin;

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// A file that was read because the case names it.
struct InputFile {
  std::string key;  ///< key in the case, for example "system.file"
  std::filesystem::path path;
};

class Case {
 public:
  std::filesystem::path path;  ///< path of the case file as the user gave it
  std::string kind;            ///< kind of simulation: name of the module that runs it
  std::string title;
  Precision precision = Precision::double_precision;
  std::string backend = "auto";
  std::map<std::string, ImplementationEntry> selection;                ///< by operation
  std::map<std::string, std::map<std::string, Parameter>> parameters;  ///< by operation, by name

  /// The section stored in struct S; null when the case has none.
  template <class S>
  [[nodiscard]] const S* find() const {
    const auto found = sections_.find(typeid(S));
    return found == sections_.end() ? nullptr : static_cast<const S*>(found->second.value.get());
  }
  /// A section that every case of this kind has.
  template <class S>
  [[nodiscard]] const S& get() const {
    const S* const found = find<S>();
    if (found == nullptr) throw ArgumentError("the case has no such section");
    return *found;
  }
  template <class S>
  void set(S section) {
    sections_[typeid(S)] = {std::make_shared<const S>(std::move(section)),
                            [](const void* a, const void* b) {
                              return *static_cast<const S*>(a) == *static_cast<const S*>(b);
                            }};
  }

  /// Compares contents, not the locations where they were written.
  friend bool operator==(const Case& a, const Case& b);

 private:
  struct Held {
    std::shared_ptr<const void> value;
    bool (*equal)(const void*, const void*) = nullptr;

    friend bool operator==(const Held& a, const Held& b) {
      return a.equal(a.value.get(), b.value.get());
    }
  };

  std::map<std::type_index, Held> sections_;
};

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_CASE_HPP
