#include "physics/pic/frame_change/frame_change_reference.hpp"

#include <cmath>

namespace tessera::pic {
namespace {

using Long = long double;

/// Kinematics of the reference particle, in units of its momentum.
struct Boost {
  Long mass, rapidity, energy, beta, gamma;

  explicit Boost(const ReferenceParticle& reference)
      : mass(1 / static_cast<Long>(reference.beta_gamma)),
        rapidity(std::asinh(static_cast<Long>(reference.beta_gamma))),
        energy(std::hypot(static_cast<Long>(1), mass)),
        beta(1 / energy),
        gamma(static_cast<Long>(reference.beta_gamma) / beta) {}

  /// Longitudinal momentum after a boost that adds `more` to the rapidity.
  [[nodiscard]] Long seen(Long pz, Long t, Long more) const {
    const Long transverse = std::sqrt(mass * mass + t);
    return transverse * std::sinh(std::asinh(pz / transverse) + more);
  }
};

struct Found {
  Long place, momentum;
};

/// Converts coordinates to the beam frame.
/// \returns whether the particle can be converted.
bool convert_to_beam(const Boost& boost, LongitudinalCoordinates from, Long t, Found& l) {
  Long momentum = 1 + l.momentum;
  if (from != LongitudinalCoordinates::cdt_dpop) {
    const Long energy =
        boost.energy + (from == LongitudinalCoordinates::t_pt ? -l.momentum : l.momentum);
    if (!(energy >= boost.mass)) return false;
    momentum = std::sqrt((energy - boost.mass) * (energy + boost.mass));
  }
  if (!(momentum >= 0) || !(momentum * momentum - t >= 0)) return false;
  const Long pz = std::sqrt(momentum * momentum - t);
  l.place *= boost.gamma * (from == LongitudinalCoordinates::zeta_ptau ? 1 : -boost.beta);
  l.momentum = boost.seen(pz, t, -boost.rapidity);
  return std::isfinite(l.place) && std::isfinite(l.momentum);
}

bool convert_to_accelerator(const Boost& boost, LongitudinalCoordinates to, Long t, Found& l) {
  const Long pz = boost.seen(l.momentum, t, boost.rapidity);
  if (!(pz >= 0)) return false;
  const Long momentum = std::sqrt(pz * pz + t);
  l.place /= boost.gamma * (to == LongitudinalCoordinates::zeta_ptau ? 1 : -boost.beta);
  l.momentum = momentum - 1;
  if (to != LongitudinalCoordinates::cdt_dpop) {
    l.momentum = std::hypot(momentum, boost.mass) - boost.energy;
    if (to == LongitudinalCoordinates::t_pt) l.momentum = -l.momentum;
  }
  return std::isfinite(l.place) && std::isfinite(l.momentum);
}

}  // namespace

template <class Storage>
void frame_change_reference(const FrameChangeProblem& problem,
                            const FrameChangeArgs<Storage>& args) {
  const Boost boost(args.reference);
  args.impossible(0) = 0;
  for (std::int64_t p = 0; p < problem.particles; ++p) {
    if (args.alive.given() && args.alive(p) == 0) continue;
    const auto xp = static_cast<Long>(args.coordinates(p, 1));
    const auto yp = static_cast<Long>(args.coordinates(p, 3));
    Found l{static_cast<Long>(args.coordinates(p, 4)), static_cast<Long>(args.coordinates(p, 5))};
    const Long t = xp * xp + yp * yp;
    const bool done = args.to == Frame::beam
                          ? convert_to_beam(boost, args.accelerator, t, l)
                          : convert_to_accelerator(boost, args.accelerator, t, l);
    if (!done) {
      ++args.impossible(0);
      if (args.alive.given()) args.alive(p) = 0;
      continue;
    }
    args.coordinates(p, 4) = static_cast<Storage>(l.place);
    args.coordinates(p, 5) = static_cast<Storage>(l.momentum);
  }
}

template void frame_change_reference<double>(const FrameChangeProblem&,
                                             const FrameChangeArgs<double>&);
template void frame_change_reference<float>(const FrameChangeProblem&,
                                            const FrameChangeArgs<float>&);

}  // namespace tessera::pic
