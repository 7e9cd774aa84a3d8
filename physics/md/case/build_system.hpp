#ifndef TESSERA_PHYSICS_MD_CASE_BUILD_SYSTEM_HPP
#define TESSERA_PHYSICS_MD_CASE_BUILD_SYSTEM_HPP

#include "core/case/case.hpp"
#include "core/state/restart_file.hpp"
#include "physics/md/case/build_groups.hpp"
#include "physics/md/system.hpp"

#include <optional>
#include <string>
#include <vector>

/// \file
/// Initial state of a simulation from a case.

namespace tessera::md {

struct InitialState {
  System system;  ///< with velocities, zero if neither the file nor the case has any
  Groups groups;
  std::optional<RestartFile> continued;  ///< restart file that the run continues
  std::vector<cases::InputFile> inputs;
  std::vector<std::string> warnings;  ///< one line each
};

/// Reads or generates the atoms and their velocities.
/// \throws InputError for every error in the case or in the files that it names.
[[nodiscard]] InitialState build_system(const cases::Case& c);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_BUILD_SYSTEM_HPP
