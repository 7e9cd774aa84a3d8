#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_VELOCITIES_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_VELOCITIES_HPP

#include "physics/md/io/id_index.hpp"
#include "physics/md/io/lammps_data/reading.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// \file
/// Velocities of a LAMMPS data file. Internal to the reader.

namespace tessera::md::lammps {

class Velocities {
 public:
  explicit Velocities(Reading& reading) : reading_(reading) {}

  /// Stores the ids of atoms until all sections are read.
  void read();
  /// Sets the velocities of the system.
  void assign(const IdIndex& index);

 private:
  [[nodiscard]] InputError given_twice(std::size_t row, std::int64_t first_line) const;

  Reading& reading_;
  std::vector<std::int64_t> ids_;
  std::vector<std::array<double, 3>> velocities_;
  std::vector<std::int64_t> lines_;
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_VELOCITIES_HPP
