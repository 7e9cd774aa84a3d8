#ifndef TESSERA_PHYSICS_PIC_IO_LONGITUDINAL_NAMES_HPP
#define TESSERA_PHYSICS_PIC_IO_LONGITUDINAL_NAMES_HPP

#include "physics/pic/frame_change/frame_change.hpp"

/// \file
/// Names of the longitudinal coordinates of a convention in files.

namespace tessera::pic {

struct LongitudinalNames {
  LongitudinalCoordinates coordinates;
  const char* place;     ///< in m
  const char* momentum;  ///< in units of p_ref
};

inline constexpr LongitudinalNames longitudinal_names[] = {
    {LongitudinalCoordinates::cdt_dpop, "cdt", "dpop"},
    {LongitudinalCoordinates::zeta_ptau, "zeta", "ptau"},
    {LongitudinalCoordinates::t_pt, "t", "pt"}};

/// Names of x and y at the plane, in files whose `position` is at one time.
inline constexpr const char* names_at_plane[] = {"x_at_s", "y_at_s"};

[[nodiscard]] inline const LongitudinalNames& names_of(LongitudinalCoordinates coordinates) {
  for (const LongitudinalNames& names : longitudinal_names)
    if (names.coordinates == coordinates) return names;
  return longitudinal_names[0];
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_LONGITUDINAL_NAMES_HPP
