#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_GRADIENT_CHECK_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_GRADIENT_CHECK_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Comparison of the force of a pair potential with finite differences of its energy. The oracle
/// cannot detect a force that does not match the energy, because it evaluates the same header as
/// the kernels.

namespace tessera::md {

/// A pair for which the force or a torque of a potential is not the slope of its energy.
struct WrongForce {
  double distance = 0;
  std::string quantity;  ///< "force", or the component of a force or torque
  double force = 0;      ///< the force or torque
  double slope = 0;      ///< the same from the energy, by central differences
};

namespace detail {

using potentials::Vector;

/// The vector turned by an angle around axis number `axis`.
[[nodiscard]] inline Vector<double> turned(const Vector<double>& v, std::size_t axis,
                                           double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  if (axis == 0) return {v.x, c * v.y - s * v.z, s * v.y + c * v.z};
  if (axis == 1) return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

/// Forces and torques of a pair, each with the coordinate whose slope it is: 0 to 2 move the first
/// atom along an axis, 3 to 5 turn it, 6 to 8 turn the second atom.
inline constexpr int pair_coordinates = 9;

[[nodiscard]] inline PairAtoms moved(PairAtoms pair, int coordinate, double by) {
  const auto axis = static_cast<std::size_t>(coordinate % 3);
  if (coordinate < 3) {
    pair.separation[axis] += by;
    pair.r = std::hypot(pair.separation[0], pair.separation[1], pair.separation[2]);
  } else {
    Vector<double>& dipole = coordinate < 6 ? pair.i.dipole : pair.j.dipole;
    dipole = turned(dipole, axis, by);
  }
  return pair;
}

[[nodiscard]] inline double conjugate(const PairAtoms& pair, const PairValue& value,
                                      int coordinate) {
  const auto axis = static_cast<std::size_t>(coordinate % 3);
  if (coordinate < 3) return value.total_force(pair, axis);
  return coordinate < 6 ? value.torque_i[axis] : value.torque_j[axis];
}

}  // namespace detail

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
      const auto value = [&](const PairAtoms& pair) {
        return potential.evaluate(row.data(), pair, samples.data());
      };
      const double cutoff = potential.cutoff(fields.data());
      for (int k = 0; k < distances && cutoff > 0; ++k) {
        const double r = cutoff * (1.0 / 3 + 0.65 * k / distances);
        PairAtoms pair = charged_pair(r, 0.7, -1.2);
        pair.i.dipole = {0.3, 0.2, -0.4};
        pair.j.dipole = {-0.1, 0.45, 0.25};
        if (!potential.central()) pair.separation = {2.0 / 7 * r, -3.0 / 7 * r, 6.0 / 7 * r};
        const PairValue here = value(pair);
        // A central force has one component for this separation, along x.
        for (int q = 0; q < (potential.central() ? 1 : detail::pair_coordinates); ++q) {
          const auto slope = [&](double h) {
            return -(value(detail::moved(pair, q, h)).energy -
                     value(detail::moved(pair, q, -h)).energy) /
                   (2 * h);
          };
          const double unit = q < 3 ? r : 1;
          const double h = 5e-4 * unit;
          // Richardson extrapolation: the term of second order cancels.
          const double expected = (4 * slope(h / 2) - slope(h)) / 3;
          const double force = detail::conjugate(pair, here, q);
          const double scale =
              std::max({std::abs(force), std::abs(expected), std::abs(here.energy) / unit});
          if (!(std::abs(force - expected) <= tolerance * scale))
            return WrongForce{r,
                              potential.central() ? "force"
                                                  : std::string(q < 3   ? "force along "
                                                                : q < 6 ? "torque on i around "
                                                                        : "torque on j around ") +
                                                        "xyz"[q % 3],
                              force, expected};
        }
      }
    }
  return std::nullopt;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_GRADIENT_CHECK_HPP
