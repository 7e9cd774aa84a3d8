#ifndef TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_MOMENTA_HPP
#define TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_MOMENTA_HPP

#include "core/base/device_code.hpp"
#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "physics/pic/frame_change/longitudinal.hpp"

/// \file
/// Change of the accelerator momenta of one particle by a kick in the beam frame. Changes are added
/// to the momenta, so that a particle with a kick of zero keeps every bit, at any energy.
///
/// In the notation of frame_change.hpp, with Dt the change of t by the transverse kick and k the
/// longitudinal kick, the energy in the beam frame changes from E* to
///
///     E*' = sqrt(E*^2 + DS),   DS = Dt + k (2 zp + k)
///
/// and the Lorentz transform of the changes is
///
///     Dpz = gamma k + beta gamma DS / (E*' + E*),   Dq = Dt + Dpz (2 pz + Dpz)
///
/// with which p' - p = Dq / (p' + p) and E' - E = Dq / (E' + E): no nearly equal numbers are
/// subtracted.

namespace tessera::pic {

template <class Storage>
class BoostedMomenta {
 public:
  explicit BoostedMomenta(const BoostedKickArgs<Storage>& args)
      : numbers_(args.reference),
        accelerator_(args.accelerator),
        factor_(args.factor),
        factor_along_(args.accelerator == LongitudinalCoordinates::zeta_ptau ? args.factor
                                                                             : -args.factor) {}

  /// \param field at the position of the particle.
  /// \param momenta columns 1, 3 and 5, which are changed if the particle can be converted.
  /// \returns whether it can.
  [[nodiscard]] TESSERA_INLINE bool kick(const Storage (&field)[3], Storage (&momenta)[3]) const {
    const auto xp = static_cast<double>(momenta[0]);
    const auto yp = static_cast<double>(momenta[1]);
    const auto along = static_cast<double>(momenta[2]);
    const double t = xp * xp + yp * yp;
    const bool of_energies = accelerator_ != LongitudinalCoordinates::cdt_dpop;
    const double more = accelerator_ == LongitudinalCoordinates::t_pt ? -along : along;
    // The momentum (cdt_dpop) or the energy (otherwise) before the kick.
    const double whole = (of_energies ? numbers_.energy : 1) + more;
    if (!(whole >= (of_energies ? numbers_.mass : 0))) return false;
    const double q = more * (of_energies ? 2 * numbers_.energy + more : 2 + more);
    const double pz_squared = 1 + q - t;
    if (!(pz_squared >= 0)) return false;
    const double pz = root(pz_squared);
    const double energy = root(1 + q + numbers_.mass * numbers_.mass);
    const double zp =
        (q * numbers_.inverse_gamma - numbers_.gamma * t) / (pz + numbers_.beta * energy);

    const double dx = factor_ * static_cast<double>(field[0]);
    const double dy = factor_ * static_cast<double>(field[1]);
    const double k = factor_along_ * static_cast<double>(field[2]);
    const double dt = dx * (2 * xp + dx) + dy * (2 * yp + dy);
    const double ds = dt + k * (2 * zp + k);
    const double there_squared = t + zp * zp + numbers_.mass * numbers_.mass;
    const double there = root(there_squared);
    const double dpz =
        numbers_.gamma * k + numbers_.beta_gamma * ds / (root(there_squared + ds) + there);
    if (!(pz + dpz >= 0)) return false;
    const double dq = dt + dpz * (2 * pz + dpz);
    const double gained = dq / (root(whole * whole + dq) + whole);
    const double after = along + (accelerator_ == LongitudinalCoordinates::t_pt ? -gained : gained);
    if (!(after - after == 0)) return false;
    momenta[0] = static_cast<Storage>(xp + dx);
    momenta[1] = static_cast<Storage>(yp + dy);
    momenta[2] = static_cast<Storage>(after);
    return true;
  }

 private:
  FrameNumbers numbers_;
  LongitudinalCoordinates accelerator_;
  double factor_, factor_along_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_MOMENTA_HPP
