#pragma once

#include <cstdint>
#include <string>
#include <tessera/core/case/case.hpp>
#include <tessera/md/system.hpp>
#include <vector>

/// \file
/// From a case to what the simulation starts from.

namespace tessera::md {

struct InitialState {
  System system;          ///< with velocities, zero where neither the file nor the case gives any
  std::int64_t step = 0;  ///< more than 0 when continued from a restart file
  double time = 0;
  std::vector<std::string> warnings;  ///< one line each
};

/// Reads or generates the atoms and their velocities.
/// \throws InputError for everything that is wrong in the case or in the files that it names.
[[nodiscard]] InitialState build_system(const cases::Case& c);

}  // namespace tessera::md
