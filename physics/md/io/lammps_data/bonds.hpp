#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_BONDS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_BONDS_HPP

#include "physics/md/io/id_index.hpp"
#include "physics/md/io/lammps_data/reading.hpp"
#include "physics/md/io/lammps_data/type_labels.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// \file
/// Bond Type Labels, Bond Coeffs and Bonds of a LAMMPS data file. Internal to the reader.

namespace tessera::md::lammps {

class Bonds {
 public:
  explicit Bonds(Reading& reading) : reading_(reading), types_(reading, "bond") {}

  /// Reads the section whose keyword is the current line; the two functions below do the same.
  void read_labels() { types_.read(); }
  /// Ignores coefficients of an unsupported style, with a warning.
  void read_coefficients();
  /// Stores the ids of atoms until all sections are read.
  void read();
  /// Adds the bonds to the system.
  void assign(const IdIndex& index);

 private:
  struct Row {
    std::array<std::int64_t, 2> atoms{};  ///< ids
    std::int32_t type = 0;
    std::int64_t line = 0;
  };

  Reading& reading_;
  TypeLabels types_;
  std::vector<Row> rows_;
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_BONDS_HPP
