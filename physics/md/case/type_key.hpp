#ifndef TESSERA_PHYSICS_MD_CASE_TYPE_KEY_HPP
#define TESSERA_PHYSICS_MD_CASE_TYPE_KEY_HPP

#include "core/case/value_kinds.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// \file
/// References of a case to types of atoms and of bonds.

namespace tessera::md {

/// A type by its name or by its number, counted from 1.
using TypeReference = std::variant<std::string, std::int64_t>;

/// Kind of a key whose value is one or several references to types.
struct TypeReferenceKind : cases::NoHint {
  using Type = TypeReference;
  static const cases::Value* read(const cases::Value& value, const cases::Range&,
                                  TypeReference& out);
  static std::string write(const TypeReference& type);
  static std::string expected(const cases::Range&, bool many);
  static std::string column(const cases::Range&, bool many);
};

/// 0-based index of the type among `count` types.
/// \param names of the types; empty if they have only numbers
/// \throws InputError at `field`, a dotted key, if the type does not exist.
[[nodiscard]] std::int32_t resolve_type(const TypeReference& reference, std::int64_t count,
                                        const std::vector<std::string>& names,
                                        const cases::Origin& origin, const std::string& field);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_TYPE_KEY_HPP
