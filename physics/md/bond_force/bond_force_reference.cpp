#include <array>
#include <cmath>
#include <tessera/md/bond_force/bond_force_reference.hpp>

namespace tessera::md {
namespace {

struct Value {
  double over_r;  ///< F / r, positive repels
  double energy;
  double force_magnitude;  ///< of the summands of F and of E
  double energy_magnitude;
};

/// Written apart from the forms that kernels use.
Value value(const std::string& form, const View<const double, 2>& c, std::int64_t kind, double r,
            double charges) {
  if (form == "harmonic") {
    const double k = c(kind, 0);
    const double r0 = c(kind, 1);
    const double stretch = r - r0;
    return {r > 0 ? -2 * k * stretch / r : 0, k * stretch * stretch, 2 * k * (r + r0),
            k * std::abs(stretch) * (r + r0)};
  }
  const double scale = c(kind, 0) * charges;
  const double field = c(kind, 1) * r * r;
  return {-2 * scale * c(kind, 1), scale * (field - c(kind, 2)),
          2 * std::abs(scale) * c(kind, 1) * r, std::abs(scale) * (field + c(kind, 2))};
}

}  // namespace

template <class Storage>
void bond_force_oracle(const BondForceProblem& problem, const BondForceArgs<Storage>& args,
                       BondMagnitudes* magnitudes) {
  check_arguments<BondForce>(problem, args);
  const bool charged = bond_form(problem.form).reads_charge;
  BondMagnitudes sums;
  sums.forces.resize(static_cast<std::size_t>(problem.atoms));
  double energy = 0;
  std::array<double, 6> virial{};
  for (std::int64_t i = 0; i < problem.atoms; ++i) {
    std::array<double, 3> force{};
    if (args.write == Write::add)
      for (std::size_t d = 0; d < 3; ++d)
        force[d] = static_cast<double>(args.forces(i, d));
    double& magnitude = sums.forces[static_cast<std::size_t>(i)];
    magnitude = std::abs(force[0]) + std::abs(force[1]) + std::abs(force[2]);
    for (std::int32_t entry = args.offsets(i); entry < args.offsets(i + 1); ++entry) {
      const std::int64_t j = args.partners(entry);
      std::array<double, 3> r{};
      for (std::size_t d = 0; d < 3; ++d)
        r[d] =
            static_cast<double>(args.positions(i, d)) - static_cast<double>(args.positions(j, d));
      // c first, because taking it off moves x and y.
      for (int d = 2; d >= 0; --d) {
        if (!args.box.periodic[d]) continue;
        const double n = std::nearbyint(r[static_cast<std::size_t>(d)] / args.box.length[d]);
        const Vec3<double> edge = args.box.edge(d);
        r = {r[0] - n * edge.x, r[1] - n * edge.y, r[2] - n * edge.z};
      }
      const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      const double charges =
          charged ? static_cast<double>(args.charges(i)) * static_cast<double>(args.charges(j)) : 0;
      const double distance = std::sqrt(square);
      const Value v = value(problem.form, args.coefficients,
                            args.kinds.given() ? args.kinds(entry) : 0, distance, charges);
      energy += 0.5 * v.energy;
      sums.energy += 0.5 * v.energy_magnitude;
      magnitude += v.force_magnitude;
      sums.virial += 0.5 * v.force_magnitude * distance;
      constexpr std::array<std::array<std::size_t, 2>, 6> component{
          {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
      for (std::size_t c = 0; c < 6; ++c)
        virial[c] += 0.5 * v.over_r * r[component[c][0]] * r[component[c][1]];
      for (std::size_t d = 0; d < 3; ++d)
        force[d] += v.over_r * r[d];
    }
    for (std::size_t d = 0; d < 3; ++d)
      args.forces(i, d) = static_cast<Storage>(force[d]);
  }
  if (args.energy.given()) args.energy(0) = energy;
  if (args.virial.given())
    for (std::size_t c = 0; c < 6; ++c)
      args.virial(c) = virial[c];
  if (magnitudes != nullptr) *magnitudes = sums;
}

template void bond_force_oracle<double>(const BondForceProblem&, const BondForceArgs<double>&,
                                        BondMagnitudes*);
template void bond_force_oracle<float>(const BondForceProblem&, const BondForceArgs<float>&,
                                       BondMagnitudes*);

}  // namespace tessera::md
