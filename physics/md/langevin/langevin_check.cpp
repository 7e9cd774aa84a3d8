#include "physics/md/langevin/langevin.hpp"

#include <cmath>

namespace tessera::md {

LangevinCheck::LangevinCheck(const IntegrateProblem& problem) : problem_(problem) {
  require_count(Langevin::name, "atoms", problem.atoms);
  require_count(Langevin::name, "types", problem.types);
}

template <class Storage>
void LangevinCheck::operator()(ArgumentCheck& check, const LangevinArgs<Storage>& args) const {
  const auto& [n, types] = problem_;
  check.array("positions", args.positions, {n, 3});
  check.array("velocities", args.velocities, {n, 3});
  check.array("forces", args.forces, {n, 3});
  check.array("types", args.types, {n});
  check.array("ids", args.ids, {n});
  check.array("force_to_accel", args.force_to_accel, {types});
  check.array("noise", args.noise, {types});
  check.array("half_mass", args.half_mass, {types});
  check.optional("heat", args.heat, {n});
  check.indices("types", args.types, types);
  check.not_negative("force_to_accel", args.force_to_accel);
  check.not_negative("noise", args.noise);
  check.not_negative("half_mass", args.half_mass);
  check.finite("time_step", args.time_step);
  if (!(args.keep >= 0 && args.keep <= 1))
    check.refuse_number("keep", args.keep, "expected a share from 0 to 1");
  if (!(args.total_half_mass >= 0) || !std::isfinite(args.total_half_mass))
    check.refuse_number("total_half_mass", args.total_half_mass,
                        "expected a finite number not below zero");
  check.require(args.dimensions == 2 || args.dimensions == 3, "dimensions", "expected 2 or 3");
  check.require(is_phase(args.phase), "phase", "none of open, close, close_and_open");
}

template void LangevinCheck::operator()(ArgumentCheck&, const LangevinArgs<double>&) const;
template void LangevinCheck::operator()(ArgumentCheck&, const LangevinArgs<float>&) const;

}  // namespace tessera::md
