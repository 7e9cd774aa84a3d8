#include "physics/md/special_force/special_force_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tessera::md {
namespace {

struct Value {
  double over_r;  ///< F / r, positive where repulsive
  double energy;
  double force_magnitude;  ///< sum of the magnitudes of the summands of F
  double energy_magnitude;
};

/// The share of a pair potential that a special pair keeps, with the magnitudes of all terms of the
/// sum: a field is the potential minus the bare Coulomb term.
Value special(const PairPotential& potential, const View<const double, 2>& c, std::int64_t kind,
              double separation, double charge_i, double charge_j) {
  Value sum{};
  const auto fields = static_cast<std::int64_t>(potential.fields().size());
  const auto parts = static_cast<std::int64_t>(potential.parts().size());
  std::int64_t first = 0;
  for (std::int64_t p = 0; p < parts; ++p) {
    const PairPotentialPart& part = potential.parts()[static_cast<std::size_t>(p)];
    std::vector<double> values;
    double constant = 0;
    for (const CoefficientField& field : part.fields) {
      values.push_back(c(kind, first++));
      if (field.name == "coulomb_constant") constant = values.back();
    }
    std::vector<double> packed(static_cast<std::size_t>(part.width));
    part.pack(values.data(), packed.data());
    std::vector<double> samples(static_cast<std::size_t>(part.samples));
    if (part.samples > 0)
      part.pack_samples(values.data(), part.points, 0, packed.data(), samples.data());
    const double factor = c(kind, fields + p);
    // Potential and Coulomb term are infinite at distance 0, and their difference is finite. A pair
    // that keeps only this difference (factor 0) is evaluated at 1e-4 of the cutoff or more.
    const double r = factor == 0 ? std::max(separation, 1e-4 * values[0]) : separation;
    PairValue whole;
    part.evaluate(packed.data(), samples.data(), charged_pair(r, charge_i, charge_j), whole);
    if (factor != 0 && r < values[0]) {
      sum.over_r += factor * whole.force_over_r;
      sum.energy += factor * whole.energy;
      sum.force_magnitude += factor * std::abs(whole.force_over_r) * r;
      sum.energy_magnitude += factor * std::abs(whole.energy);
    }
    if (!part.keeps_field || c(kind, fields + parts) == 0) continue;
    if (r >= values[0] && !part.keeps_field_beyond) continue;
    const double bare = constant * charge_i * charge_j / r;
    sum.over_r += (1 - factor) * (whole.force_over_r - bare / (r * r));
    sum.energy += (1 - factor) * (whole.energy - bare);
    sum.force_magnitude += std::abs(bare) / r;
    sum.energy_magnitude += std::abs(bare);
  }
  return sum;
}

}  // namespace

template <class Storage>
void special_force_oracle(const SpecialForceProblem& problem, const SpecialForceArgs<Storage>& args,
                          SpecialMagnitudes* magnitudes) {
  check_arguments<SpecialForce>(problem, args);
  const PairPotential potential = pair_potentials().find(problem.potential);
  const bool charged = potential.reads(AtomData::charge);
  SpecialMagnitudes sums;
  const std::int64_t targets = args.targets();
  sums.forces.resize(static_cast<std::size_t>(targets));
  sums.energies.resize(sums.forces.size());
  sums.virials.resize(sums.forces.size());
  double energy = 0;
  std::array<double, 6> virial{};
  for (std::int64_t i = 0; i < targets; ++i) {
    const auto row_of = [&](std::int64_t atom) {
      return args.rows.given() ? std::int64_t{args.rows(atom)} : atom;
    };
    const std::int64_t row = row_of(i);
    double own_energy = 0;
    std::array<double, 6> own_virial{};
    std::array<double, 3> force{};
    if (args.write == Write::add)
      for (std::size_t d = 0; d < 3; ++d)
        force[d] = static_cast<double>(args.forces(row, d));
    double& magnitude = sums.forces[static_cast<std::size_t>(i)];
    magnitude = std::abs(force[0]) + std::abs(force[1]) + std::abs(force[2]);
    for (std::int32_t entry = args.offsets(i); entry < args.offsets(i + 1); ++entry) {
      const std::int64_t j = args.partners(entry);
      std::array<double, 3> r{};
      for (std::size_t d = 0; d < 3; ++d)
        r[d] = static_cast<double>(args.positions(row, d)) -
               static_cast<double>(args.positions(row_of(j), d));
      // Along c first, because this changes x and y.
      for (int d = 2; d >= 0; --d) {
        if (!args.box.periodic[d]) continue;
        const double n = std::nearbyint(r[static_cast<std::size_t>(d)] / args.box.length[d]);
        const Vec3<double> edge = args.box.edge(d);
        r = {r[0] - n * edge.x, r[1] - n * edge.y, r[2] - n * edge.z};
      }
      const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      const double distance = std::sqrt(square);
      const std::int64_t kind = args.kinds.given() ? args.kinds(entry) : 0;
      const auto charge = [&](std::int64_t atom) {
        return charged ? static_cast<double>(args.charges(atom)) : 0;
      };
      const Value v = special(potential, args.coefficients, kind, distance, charge(i), charge(j));
      own_energy += 0.5 * v.energy;
      sums.energies[static_cast<std::size_t>(i)] += 0.5 * v.energy_magnitude;
      magnitude += v.force_magnitude;
      sums.virials[static_cast<std::size_t>(i)] += 0.5 * v.force_magnitude * distance;
      constexpr std::array<std::array<std::size_t, 2>, 6> component{
          {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
      for (std::size_t c = 0; c < 6; ++c)
        own_virial[c] += 0.5 * v.over_r * r[component[c][0]] * r[component[c][1]];
      for (std::size_t d = 0; d < 3; ++d)
        force[d] += v.over_r * r[d];
    }
    for (std::size_t d = 0; d < 3; ++d)
      args.forces(row, d) = static_cast<Storage>(force[d]);
    energy += own_energy;
    sums.energy += sums.energies[static_cast<std::size_t>(i)];
    sums.virial += sums.virials[static_cast<std::size_t>(i)];
    if (args.energies.given()) args.energies(i) = own_energy;
    for (std::size_t c = 0; c < 6; ++c) {
      virial[c] += own_virial[c];
      if (args.virials.given()) args.virials(i, c) = own_virial[c];
    }
  }
  if (args.energy.given()) args.energy(0) = energy;
  if (args.virial.given())
    for (std::size_t c = 0; c < 6; ++c)
      args.virial(c) = virial[c];
  if (magnitudes != nullptr) *magnitudes = sums;
}

template void special_force_oracle<double>(const SpecialForceProblem&,
                                           const SpecialForceArgs<double>&, SpecialMagnitudes*);
template void special_force_oracle<float>(const SpecialForceProblem&,
                                          const SpecialForceArgs<float>&, SpecialMagnitudes*);

}  // namespace tessera::md
