#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_GENERAL_BOX_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_GENERAL_BOX_HPP

#include "core/base/vec3.hpp"
#include "physics/md/box.hpp"

#include <array>
#include <optional>

/// \file
/// A box by three vectors of any direction, and how what is in it is turned into the frame of Box
/// (LAMMPS documentation, page "Howto_triclinic", general and restricted triclinic boxes). Internal
/// to the reader.

namespace tessera::md::lammps {

/// Turns vectors into the frame in which a lies along x and b in the plane of x and y.
struct Turn {
  std::array<Vec3<double>, 3> axes;  ///< those of the new frame in the old one

  [[nodiscard]] std::array<double, 3> operator()(const std::array<double, 3>& vector) const;
  /// About the low corner of the box, which stays where it is.
  [[nodiscard]] std::array<double, 3> about(const Box& box,
                                            const std::array<double, 3>& position) const;
};

/// Sets lengths and tilts of the box. Absent where the vectors are not right-handed, or their
/// volume is no finite number above zero.
[[nodiscard]] std::optional<Turn> take_vectors(const std::array<Vec3<double>, 3>& vectors,
                                               Box& box);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_GENERAL_BOX_HPP
