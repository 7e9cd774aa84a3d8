#ifndef TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_HPP
#define TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/operation.hpp"
#include "physics/md/integrate/integrate.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// md/langevin: dynamics at constant temperature, m dv = F dt - gamma m v dt + noise, by the
/// splitting BAOAB (B. Leimkuhler, C. Matthews, Appl. Math. Res. eXpress 2013, 34;
/// J. Chem. Phys. 138, 174102 (2013)).
///
/// One step is: half kick (B), half drift (A), v <- c v + sigma R (O), half drift (A); new forces;
/// half kick (B), with c = exp(-gamma dt) and sigma^2 = (1 - c^2) kT / m. R is Gaussian and depends
/// only on the seed, the id of the atom and the step (core/base/normal.hpp). In a harmonic well
/// positions have exactly the canonical distribution; the temperature of the velocities is too low
/// by the factor 1 - (omega dt)^2 / 4.
///
/// If the noise must carry no momentum (LAMMPS documentation, "fix langevin", keyword zero), the
/// velocity u that it gives to the center of mass is subtracted from the velocity of each atom with
/// nonzero mass:
///
///     v <- c v + sigma R - u,   u = sum of m sigma R / sum of m
///
/// Without external forces each step then only multiplies the total momentum by c, and velocities
/// have
/// the canonical distribution of 3 N - 3 degrees of freedom: sigma R - u has the covariance
/// (1 - c^2) kT (1 / m_i - 1 / M) of a noise that sums to zero. LAMMPS subtracts the same force
/// from each atom, which is equivalent where all masses are equal.

namespace tessera::md {

template <class Storage>
struct LangevinArgs {
  View<Storage, 2> positions;            ///< atoms x 3; moved by open
  View<Storage, 2> velocities;           ///< atoms x 3
  View<const Storage, 2> forces;         ///< atoms x 3
  View<const std::int32_t, 1> types;     ///< atoms; checked as in md/integrate
  View<const std::int64_t, 1> ids;       ///< atoms
  View<const double, 1> force_to_accel;  ///< by type: acceleration per force
  View<const double, 1> noise;           ///< by type: sigma
  View<const double, 1> half_mass;       ///< by type: kinetic energy per velocity^2
  View<double, 1> heat;  ///< atoms: the energy taken from the bath in this step is added; optional
  double time_step = 0;
  double keep = 1;  ///< c, the fraction of a velocity that friction leaves
  std::uint64_t seed = 0;
  std::int64_t step = 0;                        ///< number of the step, which selects the noise
  IntegratePhase phase = IntegratePhase::open;  ///< open: B A O A; close: B
  /// Sum of half_mass over all atoms if the noise must carry no momentum; 0: the noise is not
  /// corrected.
  double total_half_mass = 0;
  int dimensions = 3;  ///< 2: no noise along z
};

/// Argument check of md/langevin.
class LangevinCheck {
 public:
  explicit LangevinCheck(const IntegrateProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const auto& [n, types] = problem_;
    visit.array("positions", args.positions, {n, 3});
    visit.array("velocities", args.velocities, {n, 3});
    visit.array("forces", args.forces, {n, 3});
    visit.array("types", args.types, {n});
    visit.array("ids", args.ids, {n});
    visit.array("force_to_accel", args.force_to_accel, {types});
    visit.array("noise", args.noise, {types});
    visit.array("half_mass", args.half_mass, {types});
    visit.optional("heat", args.heat, {n});
    visit.indices("types", args.types, types);
    visit.not_negative("force_to_accel", args.force_to_accel);
    visit.not_negative("noise", args.noise);
    visit.not_negative("half_mass", args.half_mass);
    visit.finite("time_step", args.time_step);
    visit.choice("phase", args.phase, phases, "open, close, close_and_open");
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const LangevinArgs<Storage>& args) const;

 private:
  IntegrateProblem problem_;
};

/// Arithmetic is in the type of the arrays, noise and heat are in double. The noise is summed in
/// integers, so that the sum is the same for any order of the atoms.
struct Langevin : PlainOperation<LangevinArgs, IntegrateProblem> {
  static constexpr std::string_view name = "md/langevin";
  using Check = LangevinCheck;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_HPP
