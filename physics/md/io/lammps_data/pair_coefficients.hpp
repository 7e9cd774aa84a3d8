#pragma once

#include <string>
#include <tessera/md/io/lammps_data/reading.hpp>
#include <tessera/md/io/lammps_data/types.hpp>

/// \file
/// Pair Coeffs and PairIJ Coeffs of a LAMMPS data file. Internal to the reader.

namespace tessera::md::lammps {

/// Reads the section whose keyword is the current line. \returns false, with a warning, where it is
/// of a style that is not read.
bool read_pair_coefficients(Reading& reading, AtomTypes& types, const std::string& section);

}  // namespace tessera::md::lammps
