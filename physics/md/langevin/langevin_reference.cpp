#include <tessera/core/base/normal.hpp>
#include <tessera/md/langevin/langevin_reference.hpp>

namespace tessera::md {

template <class Storage>
void langevin_reference(const IntegrateProblem& problem, const LangevinArgs<Storage>& args) {
  const int kicks = args.phase == IntegratePhase::close_and_open ? 2 : 1;
  for (std::int64_t i = 0; i < problem.atoms; ++i) {
    const std::int32_t type = args.types(i);
    const Normals random = normals(args.seed, static_cast<std::uint64_t>(args.ids(i)),
                                   static_cast<std::uint64_t>(args.step));
    double heat = 0;
    for (std::int64_t d = 0; d < 3; ++d) {
      double v = static_cast<double>(args.velocities(i, d));
      for (int kick = 0; kick < kicks; ++kick)
        v += 0.5 * args.time_step * args.force_to_accel(type) *
             static_cast<double>(args.forces(i, d));
      if (args.phase != IntegratePhase::close) {
        double x = static_cast<double>(args.positions(i, d));
        x += 0.5 * args.time_step * v;
        const double after = args.keep * v + args.noise(type) * random.value[d];
        x += 0.5 * args.time_step * after;
        args.positions(i, d) = static_cast<Storage>(x);
        heat += args.half_mass(type) * (after * after - v * v);
        v = after;
      }
      args.velocities(i, d) = static_cast<Storage>(v);
    }
    if (args.phase != IntegratePhase::close && args.heat.given()) args.heat(i) += heat;
  }
}

template void langevin_reference<double>(const IntegrateProblem&, const LangevinArgs<double>&);
template void langevin_reference<float>(const IntegrateProblem&, const LangevinArgs<float>&);

}  // namespace tessera::md
