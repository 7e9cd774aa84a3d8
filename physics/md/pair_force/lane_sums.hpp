#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_LANE_SUMS_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_LANE_SUMS_HPP

#include "core/base/device_code.hpp"
#include "physics/md/pair_force/fixed_point_pairs.hpp"
#include "physics/md/pair_potential/potential_functions.hpp"
#include "physics/md/tally.hpp"

/// \file
/// Sums over the pairs of an atom, in the loops of the portable bodies.

namespace tessera::md {

/// Sums over the pairs of an atom in the arithmetic of the pair terms, one sum for each lane.
/// \tparam Torques whether the potential writes torques.
template <class P, int Lanes, bool Tallied, bool Torques>
struct LaneSums {
  using Real = typename P::Compute;
  using Tally = md::Tally;

  Real fx[Lanes] = {};
  Real fy[Lanes] = {};
  Real fz[Lanes] = {};
  Real torques[Torques ? 3 : 1][Lanes] = {};
  Real sums[Tallied ? 7 : 1][Lanes] = {};

  TESSERA_INLINE explicit LaneSums(const PairRange&) {}

  TESSERA_INLINE void add(int lane, Real force, Real energy, Real dx, Real dy, Real dz) {
    fx[lane] += force * dx;
    fy[lane] += force * dy;
    fz[lane] += force * dz;
    if constexpr (Tallied) {
      sums[0][lane] += energy;
      sums[1][lane] += force * dx * dx;
      sums[2][lane] += force * dy * dy;
      sums[3][lane] += force * dz * dz;
      sums[4][lane] += force * dx * dy;
      sums[5][lane] += force * dx * dz;
      sums[6][lane] += force * dy * dz;
    }
  }
  /// The same for a pair with any force, and the torque on this atom.
  TESSERA_INLINE void add(int lane, const potentials::PairResult<Real>& pair, Real dx, Real dy,
                          Real dz) {
    fx[lane] += pair.force.x;
    fy[lane] += pair.force.y;
    fz[lane] += pair.force.z;
    if constexpr (Torques) {
      torques[0][lane] += pair.torque_i.x;
      torques[1][lane] += pair.torque_i.y;
      torques[2][lane] += pair.torque_i.z;
    }
    if constexpr (Tallied) {
      sums[0][lane] += pair.energy;
      sums[1][lane] += dx * pair.force.x;
      sums[2][lane] += dy * pair.force.y;
      sums[3][lane] += dz * pair.force.z;
      sums[4][lane] += dx * pair.force.y;
      sums[5][lane] += dx * pair.force.z;
      sums[6][lane] += dy * pair.force.z;
    }
  }
  [[nodiscard]] TESSERA_INLINE Real force(int d) const {
    return total(d == 0 ? fx : d == 1 ? fy : fz);
  }
  [[nodiscard]] TESSERA_INLINE Real torque(int d) const { return total(torques[d]); }
  TESSERA_INLINE void tally(Tally& all) const {
    all.energy += static_cast<double>(total(sums[0]));
    for (int c = 0; c < 6; ++c)
      all.virial[c] += static_cast<double>(total(sums[c + 1]));
  }

 private:
  [[nodiscard]] static TESSERA_INLINE Real total(const Real (&lanes)[Lanes]) {
    Real sum = lanes[0];
    for (int lane = 1; lane < Lanes; ++lane)
      sum += lanes[lane];
    return sum;
  }
};

/// The same sums in fixed point; added in double, in which products of two floats are exact.
template <class P, int Lanes, bool Tallied, bool Torques>
struct FixedLaneSums {
  using Real = typename P::Compute;
  using Tally = FixedTally;

  double inverse_force;
  double inverse_length;
  double inverse_energy;
  double force_range;
  double energy_range;
  FixedPointSum forces[3][Lanes] = {};
  FixedPointSum torques[Torques ? 3 : 1][Lanes] = {};
  FixedPointSum sums[Tallied ? 7 : 1][Lanes] = {};
  bool within[Lanes];
  bool energy_within[Lanes];

  TESSERA_INLINE explicit FixedLaneSums(const PairRange& range)
      : inverse_force(1 / range.force),
        inverse_length(1 / range.length),
        inverse_energy(1 / range.energy),
        force_range(range.force),
        energy_range(range.energy) {
    for (int lane = 0; lane < Lanes; ++lane)
      within[lane] = energy_within[lane] = true;
  }

  TESSERA_INLINE void add(int lane, Real force, Real energy, Real dx, Real dy, Real dz) {
    const double f = static_cast<double>(force) * inverse_force;
    const double x = static_cast<double>(dx);
    const double y = static_cast<double>(dy);
    const double z = static_cast<double>(dz);
    // The comparison is false for NaN too.
    within[lane] &= magnitude(f) < inverse_length;
    forces[0][lane].add(f * x);
    forces[1][lane].add(f * y);
    forces[2][lane].add(f * z);
    if constexpr (Tallied) {
      const double e = static_cast<double>(energy) * inverse_energy;
      energy_within[lane] &= magnitude(e) < 1;
      sums[0][lane].add(e);
      const double w = f * inverse_length;
      sums[1][lane].add(w * x * x);
      sums[2][lane].add(w * y * y);
      sums[3][lane].add(w * z * z);
      sums[4][lane].add(w * x * y);
      sums[5][lane].add(w * x * z);
      sums[6][lane].add(w * y * z);
    }
  }
  /// Torques have the range of energies.
  TESSERA_INLINE void add(int lane, const potentials::PairResult<Real>& pair, Real dx, Real dy,
                          Real dz) {
    const double x = static_cast<double>(dx);
    const double y = static_cast<double>(dy);
    const double z = static_cast<double>(dz);
    const double fx = static_cast<double>(pair.force.x) * inverse_force;
    const double fy = static_cast<double>(pair.force.y) * inverse_force;
    const double fz = static_cast<double>(pair.force.z) * inverse_force;
    within[lane] &= magnitude(fx) < 1 && magnitude(fy) < 1 && magnitude(fz) < 1;
    forces[0][lane].add(fx);
    forces[1][lane].add(fy);
    forces[2][lane].add(fz);
    if constexpr (Torques) {
      const double t[3] = {static_cast<double>(pair.torque_i.x) * inverse_energy,
                           static_cast<double>(pair.torque_i.y) * inverse_energy,
                           static_cast<double>(pair.torque_i.z) * inverse_energy};
      for (int d = 0; d < 3; ++d) {
        within[lane] &= magnitude(t[d]) < 1;
        torques[d][lane].add(t[d]);
      }
    }
    if constexpr (Tallied) {
      const double e = static_cast<double>(pair.energy) * inverse_energy;
      energy_within[lane] &= magnitude(e) < 1;
      sums[0][lane].add(e);
      sums[1][lane].add(inverse_length * x * fx);
      sums[2][lane].add(inverse_length * y * fy);
      sums[3][lane].add(inverse_length * z * fz);
      sums[4][lane].add(inverse_length * x * fy);
      sums[5][lane].add(inverse_length * x * fz);
      sums[6][lane].add(inverse_length * y * fz);
    }
  }
  [[nodiscard]] TESSERA_INLINE double force(int d) const {
    return all(within) ? total(forces[d]).value() * force_range : __builtin_nan("");
  }
  [[nodiscard]] TESSERA_INLINE double torque(int d) const {
    return all(within) ? total(torques[d]).value() * energy_range : __builtin_nan("");
  }
  TESSERA_INLINE void tally(Tally& into) const {
    into.energy += total(sums[0]).total();
    for (int c = 0; c < 6; ++c)
      into.virial[c] += total(sums[c + 1]).total();
    if (!all(within) || !all(energy_within)) into.beyond = 1;
  }

 private:
  [[nodiscard]] static TESSERA_INLINE double magnitude(double x) { return x < 0 ? -x : x; }
  [[nodiscard]] static TESSERA_INLINE FixedPointSum total(const FixedPointSum (&lanes)[Lanes]) {
    FixedPointSum sum = lanes[0];
    for (int lane = 1; lane < Lanes; ++lane)
      sum.join(lanes[lane]);
    return sum;
  }
  [[nodiscard]] static TESSERA_INLINE bool all(const bool (&lanes)[Lanes]) {
    bool every = lanes[0];
    for (int lane = 1; lane < Lanes; ++lane)
      every &= lanes[lane];
    return every;
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_LANE_SUMS_HPP
