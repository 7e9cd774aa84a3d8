#pragma once

#include <cstdint>
#include <string>
#include <tessera/md/mixing/mixing.hpp>
#include <tessera/md/pair_form/coefficient_table.hpp>
#include <tessera/md/system.hpp>
#include <vector>

#include "apps/tessera/case/case_file.hpp"

/// \file
/// From a case to what the simulation starts from.

namespace tessera::app {

struct InitialState {
  md::System system;      ///< with velocities, zero where neither the file nor the case gives any
  std::int64_t step = 0;  ///< more than 0 when continued from a restart file
  double time = 0;
  std::vector<std::string> warnings;  ///< one line each
};

/// Reads or generates the atoms and their velocities.
/// \throws InputError for everything that is wrong in the case or in the files that it names.
[[nodiscard]] InitialState build_system(const Case& c);

/// Coefficients of every pair of types: those of the atoms' file, overridden by those of the case,
/// completed by mixing.
/// \throws InputError for an unknown type, a type without coefficients, or a form that reads
/// charges where the atoms have none.
[[nodiscard]] md::CoefficientTable build_pair_table(const Case& c, const md::System& system);

}  // namespace tessera::app
