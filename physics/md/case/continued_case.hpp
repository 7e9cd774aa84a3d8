#ifndef TESSERA_PHYSICS_MD_CASE_CONTINUED_CASE_HPP
#define TESSERA_PHYSICS_MD_CASE_CONTINUED_CASE_HPP

#include "core/case/continued_case.hpp"

#include <string>

/// \file
/// Differences between a run and the run that it continues.

namespace tessera::md {

/// The keys of the effective case that determine the motion of atoms, for cases::differences:
/// precision, time step, forces and integrator. Restart files contain this text.
[[nodiscard]] std::string physics_of(const cases::Case& c);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_CONTINUED_CASE_HPP
