#include "physics/md/langevin/langevin_reference.hpp"

#include "core/base/normal.hpp"

#include <array>

namespace tessera::md {

namespace {

/// The velocity that the noise gives to the center of mass.
template <class Storage>
std::array<double, 3> mean_of_noise(const IntegrateProblem& problem,
                                    const LangevinArgs<Storage>& args) {
  std::array<double, 3> mean = {0, 0, 0};
  if (args.total_half_mass == 0) return mean;
  for (std::int64_t i = 0; i < problem.atoms; ++i) {
    const std::int32_t type = args.types(i);
    const Normals random = normals(args.seed, static_cast<std::uint64_t>(args.ids(i)),
                                   static_cast<std::uint64_t>(args.step));
    for (std::size_t d = 0; d < 3; ++d)
      mean[d] += args.half_mass(type) * args.noise(type) * random.value[d];
  }
  for (double& m : mean)
    m /= args.total_half_mass;
  return mean;
}

}  // namespace

template <class Storage>
void langevin_reference(const IntegrateProblem& problem, const LangevinArgs<Storage>& args) {
  const int kicks = args.phase == IntegratePhase::close_and_open ? 2 : 1;
  const std::array<double, 3> mean = mean_of_noise(problem, args);
  for (std::int64_t i = 0; i < problem.atoms; ++i) {
    const std::int32_t type = args.types(i);
    const Normals random = normals(args.seed, static_cast<std::uint64_t>(args.ids(i)),
                                   static_cast<std::uint64_t>(args.step));
    double heat = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const auto axis = static_cast<std::int64_t>(d);
      double v = static_cast<double>(args.velocities(i, axis));
      for (int kick = 0; kick < kicks; ++kick)
        v += 0.5 * args.time_step * args.force_to_accel(type) *
             static_cast<double>(args.forces(i, axis));
      if (args.phase != IntegratePhase::close) {
        double x = static_cast<double>(args.positions(i, axis));
        x += 0.5 * args.time_step * v;
        double kick = args.noise(type) * random.value[d];
        if (args.half_mass(type) > 0) kick -= mean[d];
        const double after = args.keep * v + (axis < args.dimensions ? kick : 0);
        x += 0.5 * args.time_step * after;
        args.positions(i, axis) = static_cast<Storage>(x);
        heat += args.half_mass(type) * (after * after - v * v);
        v = after;
      }
      args.velocities(i, axis) = static_cast<Storage>(v);
    }
    if (args.phase != IntegratePhase::close && args.heat.given()) args.heat(i) += heat;
  }
}

template void langevin_reference<double>(const IntegrateProblem&, const LangevinArgs<double>&);
template void langevin_reference<float>(const IntegrateProblem&, const LangevinArgs<float>&);

}  // namespace tessera::md
