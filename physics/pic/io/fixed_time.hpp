#pragma once

#include <tessera/pic/frame_change/longitudinal.hpp>

/// \file
/// Longitudinal coordinates at one place s as a place and a momentum at one time, in the frame of
/// the accelerator, and back: with the quantities of frame_change.hpp
///
///     z = -beta c (arrival time - that of the reference particle),   pz^2 = 1 + q - t
///
/// Particles are not moved along their way between the two (Synergia's zeroth-order converter).

namespace tessera::pic {

/// z in m and pz / p_ref. \param t x'^2 + y'^2. \returns false where a particle has no momentum
/// forward, or `l` is not finite.
[[nodiscard]] inline bool to_fixed_time(const FrameNumbers& f, LongitudinalCoordinates from,
                                        double t, Longitudinal& l) {
  double q;
  if (!square_of_momentum(f, from, l.momentum, q)) return false;
  if (!(1 + q - t >= 0)) return false;
  if (from != LongitudinalCoordinates::zeta_ptau) l.place *= -f.beta;
  l.momentum = root(1 + q - t);
  return is_finite(l);
}

/// The way back.
[[nodiscard]] inline bool from_fixed_time(const FrameNumbers& f, LongitudinalCoordinates to,
                                          double t, Longitudinal& l) {
  if (!(l.momentum >= 0)) return false;
  const double dz = l.momentum - 1;
  const double q = t + dz * (2 + dz);
  l.momentum = longitudinal_momentum(f, to, q);
  if (to != LongitudinalCoordinates::zeta_ptau) l.place /= -f.beta;
  return is_finite(l);
}

/// From one convention into another. Bits of what is in the right one already stay.
/// \returns false where a particle has no momentum forward, or `l` is not finite.
[[nodiscard]] inline bool change_convention(const FrameNumbers& f, LongitudinalCoordinates from,
                                            LongitudinalCoordinates to, double t, Longitudinal& l) {
  Longitudinal changed = l;
  if (!to_fixed_time(f, from, t, changed)) return false;
  if (from == to) return true;
  if (!from_fixed_time(f, to, t, changed)) return false;
  l = changed;
  return true;
}

}  // namespace tessera::pic
