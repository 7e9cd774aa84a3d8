#include "physics/md/integrate/integrate.hpp"

namespace tessera::md {

IntegrateCheck::IntegrateCheck(const IntegrateProblem& problem) : problem_(problem) {
  require_count(Integrate::name, "atoms", problem.atoms);
  require_count(Integrate::name, "types", problem.types);
}

template <class Storage>
void IntegrateCheck::operator()(ArgumentCheck& check, const IntegrateArgs<Storage>& args) const {
  const auto& [n, types] = problem_;
  check.array("positions", args.positions, {n, 3});
  check.array("velocities", args.velocities, {n, 3});
  check.array("forces", args.forces, {n, 3});
  check.array("types", args.types, {n});
  check.array("force_to_accel", args.force_to_accel, {types});
  check.indices("types", args.types, types);
  check.not_negative("force_to_accel", args.force_to_accel);
  check.finite("time_step", args.time_step);
  check.require(is_phase(args.phase), "phase", "none of open, close, close_and_open");
}

template void IntegrateCheck::operator()(ArgumentCheck&, const IntegrateArgs<double>&) const;
template void IntegrateCheck::operator()(ArgumentCheck&, const IntegrateArgs<float>&) const;

}  // namespace tessera::md
