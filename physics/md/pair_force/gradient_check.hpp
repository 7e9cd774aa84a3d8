#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_GRADIENT_CHECK_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_GRADIENT_CHECK_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

/// \file
/// Comparison of the force of a pair potential with finite differences of its energy. The oracle
/// cannot detect a force that does not match the energy, because it evaluates the same header as
/// the kernels.

namespace tessera::md {

/// A distance at which the force of a potential is not the slope of its energy.
struct WrongForce {
  double distance = 0;
  double force = 0;
  double slope = 0;  ///< -dE/dr by central differences
};

/// Checks distances between a third of the cutoff and the cutoff, for each pair of types. The
/// potential must have one part, because the energy of a sum may jump at the smaller of two
/// cutoffs.
[[nodiscard]] inline std::optional<WrongForce> find_wrong_force(
    const CoefficientTable& coefficients) {
  // Relative tolerance. Interpolated tables deviate by 3e-8; derivatives of higher order may jump
  // where E is switched.
  constexpr double tolerance = 1e-6;
  constexpr int distances = 40;
  const PairPotential& potential = coefficients.potential();
  std::vector<double> fields(potential.fields().size());
  std::vector<double> row(static_cast<std::size_t>(potential.table_width()));
  for (int i = 0; i < coefficients.types(); ++i)
    for (int j = i; j < coefficients.types(); ++j) {
      for (std::size_t f = 0; f < fields.size(); ++f)
        fields[f] = coefficients.at(i, j, f);
      std::vector<double> samples;
      potential.pack(fields.data(), row.data(), &samples);
      const auto value = [&](double r) {
        return potential.evaluate(row.data(), r, 0.7, -1.2, samples.data());
      };
      const auto slope = [&](double r, double h) {
        return -(value(r + h).energy - value(r - h).energy) / (2 * h);
      };
      const double cutoff = potential.cutoff(fields.data());
      for (int k = 0; k < distances && cutoff > 0; ++k) {
        const double r = cutoff * (1.0 / 3 + 0.65 * k / distances);
        const double h = 5e-4 * r;
        // Richardson extrapolation: the term of second order cancels.
        const double expected = (4 * slope(r, h / 2) - slope(r, h)) / 3;
        const double force = value(r).force_over_r * r;
        const double scale =
            std::max({std::abs(force), std::abs(expected), std::abs(value(r).energy) / r});
        if (!(std::abs(force - expected) <= tolerance * scale))
          return WrongForce{r, force, expected};
      }
    }
  return std::nullopt;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_GRADIENT_CHECK_HPP
