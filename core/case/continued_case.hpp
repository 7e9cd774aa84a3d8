#ifndef TESSERA_CORE_CASE_CONTINUED_CASE_HPP
#define TESSERA_CORE_CASE_CONTINUED_CASE_HPP

#include "core/case/case.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What a run that continues another one does otherwise.

namespace tessera::cases {

/// The field of restart files that holds the text below.
inline constexpr const char* physics_field = "physics";

/// Keys of the effective case that decide how the state goes on, a line "key = value" each. It goes
/// into restart files.
/// \param physical dotted names of keys; one that ends with a point stands for all of a table.
[[nodiscard]] std::string physics_of(const Case& c, std::span<const std::string_view> physical);

/// A line for each key in which two such texts differ, with both values; of many the first ones.
[[nodiscard]] std::vector<std::string> differences(std::string_view before, std::string_view now);

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_CONTINUED_CASE_HPP
