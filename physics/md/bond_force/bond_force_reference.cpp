#include <array>
#include <cmath>
#include <tessera/md/bond_force/bond_force_reference.hpp>

namespace tessera::md {
namespace {

/// |F| / r, positive repels, and E; written apart from the forms that kernels use.
std::array<double, 2> value(const std::string& form, const View<const double, 2>& c,
                            std::int64_t kind, double r, double charges) {
  if (form == "harmonic") {
    const double stretch = r - c(kind, 1);
    return {r > 0 ? -2 * c(kind, 0) * stretch / r : 0, c(kind, 0) * stretch * stretch};
  }
  return {-2 * c(kind, 0) * charges * c(kind, 1),
          c(kind, 0) * charges * (c(kind, 1) * r * r - c(kind, 2))};
}

}  // namespace

template <class Storage>
void bond_force_oracle(const BondForceProblem& problem, const BondForceArgs<Storage>& args,
                       BondMagnitudes* magnitudes) {
  check_bond_force(problem, args);
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
    for (std::int32_t entry = args.offsets(i); entry < args.offsets(i + 1); ++entry) {
      const std::int64_t j = args.partners(entry);
      std::array<double, 3> r{};
      double square = 0;
      for (int d = 0; d < 3; ++d) {
        double s =
            static_cast<double>(args.positions(i, d)) - static_cast<double>(args.positions(j, d));
        if (args.box.periodic[d]) s -= args.box.length[d] * std::nearbyint(s / args.box.length[d]);
        r[static_cast<std::size_t>(d)] = s;
        square += s * s;
      }
      const double charges =
          charged ? static_cast<double>(args.charges(i)) * static_cast<double>(args.charges(j)) : 0;
      const auto [over_r, e] =
          value(problem.form, args.coefficients, args.kinds.given() ? args.kinds(entry) : 0,
                std::sqrt(square), charges);
      energy += 0.5 * e;
      sums.energy += 0.5 * std::abs(e);
      sums.forces[static_cast<std::size_t>(i)] += std::abs(over_r) * std::sqrt(square);
      sums.virial += 0.5 * std::abs(over_r) * square;
      constexpr std::array<std::array<std::size_t, 2>, 6> component{
          {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
      for (std::size_t c = 0; c < 6; ++c)
        virial[c] += 0.5 * over_r * r[component[c][0]] * r[component[c][1]];
      for (std::size_t d = 0; d < 3; ++d)
        force[d] += over_r * r[d];
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
