#pragma once

#include <string>
#include <string_view>
#include <tessera/core/case/case.hpp>
#include <vector>

/// \file
/// What a run that continues another one does otherwise.

namespace tessera::md {

/// The field of restart files that holds the text below.
inline constexpr const char* physics_field = "physics";

/// The keys of the effective case that decide where atoms go next, a line "key = value" each:
/// precision, time step, forces and integrator. It goes into restart files.
[[nodiscard]] std::string physics_of(const cases::Case& c);

/// A line for each key in which two such texts differ, with both values.
[[nodiscard]] std::vector<std::string> differences(std::string_view before, std::string_view now);

}  // namespace tessera::md
