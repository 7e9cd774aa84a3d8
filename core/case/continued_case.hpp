#ifndef TESSERA_CORE_CASE_CONTINUED_CASE_HPP
#define TESSERA_CORE_CASE_CONTINUED_CASE_HPP

#include "core/case/case.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Differences between a continued run and its predecessor.

namespace tessera::cases {

/// Name of the field of restart files that stores the text of physics_of().
inline constexpr const char* physics_field = "physics";

/// Keys of the effective case that affect the evolution of the state, one line "key = value" each.
/// Stored in restart files.
/// \param physical dotted names of keys; a name that ends in a dot stands for all keys of a table.
[[nodiscard]] std::string physics_of(const Case& c, std::span<const std::string_view> physical);

/// One line, with both values, for each key in which two such texts differ; limited to the first
/// few.
[[nodiscard]] std::vector<std::string> differences(std::string_view before, std::string_view now);

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_CONTINUED_CASE_HPP
