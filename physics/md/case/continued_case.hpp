#pragma once

#include <string>
#include <tessera/core/case/continued_case.hpp>

/// \file
/// What a run that continues another one does otherwise.

namespace tessera::md {

/// The keys of the effective case that decide where atoms go next, for cases::differences:
/// precision, time step, forces and integrator. It goes into restart files.
[[nodiscard]] std::string physics_of(const cases::Case& c);

}  // namespace tessera::md
