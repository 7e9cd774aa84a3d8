#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_PAIR_COEFFICIENTS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_PAIR_COEFFICIENTS_HPP

#include "physics/md/io/lammps_data/reading.hpp"
#include "physics/md/io/lammps_data/types.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Pair Coeffs and PairIJ Coeffs of a LAMMPS data file. Internal to reader and writer.

namespace tessera::md::lammps {

/// Columns of a pair style; columns have the names of the coefficients of the pair potential
/// (LAMMPS documentation, page of each pair style).
struct PairColumns {
  std::string potential;  ///< a pair potential with these names
  std::vector<std::string> required;
  std::vector<std::string> optional;
  bool all_or_none = false;  ///< whether the optional columns must be given together
};

/// The first style whose columns are all required ones and, without gaps, the optional ones that
/// the coefficients have; absent if there is none.
[[nodiscard]] std::optional<std::pair<std::string, PairColumns>> style_of(
    const std::vector<PairCoefficient>& coefficients);

/// Reads the section whose keyword is the current line. Coefficients of an unsupported style are
/// ignored with a warning.
void read_pair_coefficients(Reading& reading, AtomTypes& types, const std::string& section);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_PAIR_COEFFICIENTS_HPP
