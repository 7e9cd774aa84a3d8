#include "physics/md/pair_force/fixed_point_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::md {
namespace {

/// Largest force over all pairs of types, each at `share` times its cutoff; 0 if no pair interacts.
double largest_force(const PairPotential& potential, View<const double, 3> coefficients,
                     double charge, double share) {
  double largest = 0;
  const double length = typical_length(potential, coefficients);
  std::vector<double> fields(potential.fields().size());
  std::vector<double> row(static_cast<std::size_t>(potential.table_width()));
  for (std::int64_t a = 0; a < coefficients.extent(0); ++a)
    for (std::int64_t b = a; b < coefficients.extent(1); ++b) {
      for (std::size_t f = 0; f < fields.size(); ++f)
        fields[f] = coefficients(a, b, static_cast<std::int64_t>(f));
      const double r = share * potential.cutoff(fields.data());
      if (!(r > 0)) continue;
      std::vector<double> samples;
      potential.pack(fields.data(), row.data(), &samples);
      PairAtoms pair = charged_pair(r, charge, charge);
      // Dipoles along the separation attract or repel each other most.
      pair.i.dipole = pair.j.dipole = {charge * length, 0, 0};
      const PairValue value = potential.evaluate(row.data(), pair, samples.data());
      largest = std::max(largest, std::abs(value.total_force(pair, 0)));
    }
  return largest;
}

}  // namespace

PairRange pair_range(const PairPotential& potential, View<const double, 3> coefficients,
                     double largest_charge, const PairUnits& loop) {
  const PairUnits typical = pair_units(potential, coefficients, largest_charge);
  const double reached = 64 * largest_force(potential, coefficients, largest_charge, 0.2);
  double share = 1;
  if (reached > 0 && reached < typical.force())
    share = std::exp2(std::ceil(std::log2(reached / typical.force())));
  const double most = std::ldexp(share, pair_range_exponent);
  const double cutoff = largest_cutoff(potential, coefficients) / loop.length;
  return {std::exp2(std::ceil(std::log2(cutoff * (1 + 1e-6)))),
          most * (typical.force() / loop.force()), most * (typical.energy / loop.energy)};
}

}  // namespace tessera::md
