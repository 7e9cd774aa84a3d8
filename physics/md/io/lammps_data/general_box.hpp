#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_GENERAL_BOX_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_GENERAL_BOX_HPP

#include "core/base/vec3.hpp"
#include "physics/md/box.hpp"

#include <array>
#include <optional>

/// \file
/// A box defined by three vectors of any direction, and the rotation of its contents into the frame
/// of Box (LAMMPS documentation, page "Howto_triclinic", general and restricted triclinic boxes).
/// Internal to the reader.

namespace tessera::md::lammps {

/// Rotates vectors into the frame in which a lies along x and b in the plane of x and y.
struct Turn {
  std::array<Vec3<double>, 3> axes;  ///< axes of the new frame, in coordinates of the old one

  [[nodiscard]] std::array<double, 3> operator()(const std::array<double, 3>& vector) const;
  /// Rotates a position about the low corner of the box, which stays in place.
  [[nodiscard]] std::array<double, 3> about(const Box& box,
                                            const std::array<double, 3>& position) const;
};

/// Sets lengths and tilts of the box. Absent if the vectors are not right-handed, or their volume
/// is not a finite number above zero.
[[nodiscard]] std::optional<Turn> take_vectors(const std::array<Vec3<double>, 3>& vectors,
                                               Box& box);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_GENERAL_BOX_HPP
