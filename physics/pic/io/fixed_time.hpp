#ifndef TESSERA_PHYSICS_PIC_IO_FIXED_TIME_HPP
#define TESSERA_PHYSICS_PIC_IO_FIXED_TIME_HPP

#include "physics/pic/frame_change/longitudinal.hpp"

/// \file
/// Conversion of longitudinal coordinates of particles at one position s to a position and a
/// momentum at one time, in the accelerator frame, and back, in the notation of frame_change.hpp:
///
///     z = -beta c (arrival time - that of the reference particle),   pz^2 = 1 + q - t
///
/// These conversions do not move particles (Synergia's zeroth-order converter). arrive_at_plane()
/// moves them: particles at one time drift in straight lines to the plane of the reference
/// particle.

namespace tessera::pic {

/// Converts `l` to z in m and pz / p_ref.
/// \param t x'^2 + y'^2.
/// \returns false if the momentum of the particle is not forward, or `l` is not finite.
[[nodiscard]] inline bool to_fixed_time(const FrameNumbers& f, LongitudinalCoordinates from,
                                        double t, Longitudinal& l) {
  double q;
  if (!square_of_momentum(f, from, l.momentum, q)) return false;
  if (!(1 + q - t >= 0)) return false;
  if (from != LongitudinalCoordinates::zeta_ptau) l.place *= -f.beta;
  l.momentum = root(1 + q - t);
  return is_finite(l);
}

/// Inverse of to_fixed_time().
[[nodiscard]] inline bool from_fixed_time(const FrameNumbers& f, LongitudinalCoordinates to,
                                          double t, Longitudinal& l) {
  if (!(l.momentum >= 0)) return false;
  const double dz = l.momentum - 1;
  const double q = t + dz * (2 + dz);
  l.momentum = longitudinal_momentum(f, to, q);
  if (to != LongitudinalCoordinates::zeta_ptau) l.place /= -f.beta;
  return is_finite(l);
}

/// Positions and momenta in the accelerator frame, lengths in m, momenta in units of p_ref.
struct InFlight {
  double x, y;
  double z;       ///< distance ahead of the plane that the reference particle passes
  double c_time;  ///< c (time - time at which the reference particle passes the plane)
  double px, py, pz;
};

/// Six coordinates of a particle where it passes the plane, after a drift without forces:
///
///     x += -z px / pz,   c (arrival time) = c_time - z E / (pz c)
///
/// where E is its energy. If z is 0, x and y keep their bits.
/// \returns false if the particle never arrives because its momentum is not forward, or a
/// coordinate is not finite.
[[nodiscard]] inline bool arrive_at_plane(const FrameNumbers& f, LongitudinalCoordinates to,
                                          const InFlight& in, double (&coordinates)[6]) {
  if (!(in.pz > 0)) return false;
  const double dz = in.pz - 1;
  const double q = in.px * in.px + in.py * in.py + dz * (2 + dz);
  const double way = -in.z / in.pz;
  const double cdt = in.c_time + way * root(1 + q + f.mass * f.mass);
  coordinates[0] = in.z == 0 ? in.x : in.x + way * in.px;
  coordinates[1] = in.px;
  coordinates[2] = in.z == 0 ? in.y : in.y + way * in.py;
  coordinates[3] = in.py;
  const bool is_zeta = to == LongitudinalCoordinates::zeta_ptau;
  const Longitudinal l{is_zeta ? -f.beta * cdt : cdt, longitudinal_momentum(f, to, q)};
  coordinates[4] = l.place;
  coordinates[5] = l.momentum;
  return is_finite(l) && coordinates[0] - coordinates[0] == 0 &&
         coordinates[2] - coordinates[2] == 0;
}

/// Inverse of arrive_at_plane(): the position of a particle when the reference particle passes the
/// plane, with `c_time` 0.
[[nodiscard]] inline bool leave_plane(const FrameNumbers& f, LongitudinalCoordinates from,
                                      const double (&coordinates)[6], InFlight& out) {
  const double px = coordinates[1], py = coordinates[3];
  double q;
  if (!square_of_momentum(f, from, coordinates[5], q)) return false;
  const double pz_squared = 1 + q - px * px - py * py;
  if (!(pz_squared > 0)) return false;
  const double pz = root(pz_squared);
  const bool is_zeta = from == LongitudinalCoordinates::zeta_ptau;
  const double cdt = is_zeta ? -coordinates[4] / f.beta : coordinates[4];
  const double way = -cdt / root(1 + q + f.mass * f.mass);  // divided by the momentum
  out = {coordinates[0] + way * px, coordinates[2] + way * py, way * pz, 0, px, py, pz};
  return out.x - out.x == 0 && out.y - out.y == 0 && out.z - out.z == 0;
}

/// Converts `l` from one convention to another. If the two are equal it keeps its bits.
/// \returns false if the momentum of the particle is not forward, or `l` is not finite.
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

#endif  // TESSERA_PHYSICS_PIC_IO_FIXED_TIME_HPP
