#include "physics/md/integrate/integrate_reference.hpp"

namespace tessera::md {

template <class Storage>
void integrate_reference(const IntegrateProblem& problem, const IntegrateArgs<Storage>& args) {
  const int kicks = args.phase == IntegratePhase::close_and_open ? 2 : 1;
  for (std::int64_t i = 0; i < problem.atoms; ++i) {
    const double factor = args.force_to_accel(args.types(i));
    for (std::int64_t d = 0; d < 3; ++d) {
      double v = static_cast<double>(args.velocities(i, d));
      for (int kick = 0; kick < kicks; ++kick)
        v += 0.5 * args.time_step * factor * static_cast<double>(args.forces(i, d));
      args.velocities(i, d) = static_cast<Storage>(v);
      if (args.phase == IntegratePhase::close) continue;
      args.positions(i, d) =
          static_cast<Storage>(static_cast<double>(args.positions(i, d)) + args.time_step * v);
    }
  }
}

template void integrate_reference<double>(const IntegrateProblem&, const IntegrateArgs<double>&);
template void integrate_reference<float>(const IntegrateProblem&, const IntegrateArgs<float>&);

}  // namespace tessera::md
