#ifndef TESSERA_PHYSICS_MD_CASE_CONTINUED_CASE_HPP
#define TESSERA_PHYSICS_MD_CASE_CONTINUED_CASE_HPP

#include "core/case/continued_case.hpp"

#include <string>

/// \file
/// What a run that continues another one does otherwise.

namespace tessera::md {

/// The keys of the effective case that decide where atoms go next, for cases::differences:
/// precision, time step, forces and integrator. It goes into restart files.
[[nodiscard]] std::string physics_of(const cases::Case& c);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_CONTINUED_CASE_HPP
