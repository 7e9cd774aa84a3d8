#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABULATED_PAIR_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABULATED_PAIR_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/pair_potential/table_forces.hpp"

#include <vector>

/// \file
/// A pair potential given as arrays, and its conversion to coefficients of the pair potential
/// "table" (md/potentials/table.hpp).

namespace tessera::md {

/// Energies and forces -dE/dr at increasing distances, in the units of positions. Between two
/// points E is the cubic in r^2 that has the energies and forces of both points (table.hpp).
struct TabulatedPair {
  std::vector<double> r;  ///< > 0, increasing
  std::vector<double> energy;
  std::vector<double> force;
};

/// \throws ArgumentError that names the array and its first wrong element: fewer than two points,
/// arrays of different lengths, distances that do not increase, a number that is not finite.
void check_tabulated_pair(const TabulatedPair& table);

/// Value between the first and the last point, inclusive. Below the first point E continues as the
/// straight line in r^2 that touches it there; beyond the last point it is zero.
[[nodiscard]] PairValue value_at(const TabulatedPair& table, double r);

/// Coefficients by name for the pair potential "table" with `points` points: cutoff, inner,
/// energy_1..., force_1...
/// \param cutoff of the pair; 0 or beyond the last point: the last point.
/// \param forces whether forces that contradict the energies are refused (table_forces.hpp).
/// \throws as check_tabulated_pair; ArgumentError for a cutoff that does not exceed the first
/// distance, and for forces that are not -dE/dr, with the first of them and the expected range.
[[nodiscard]] CoefficientValues tabulated_coefficients(const TabulatedPair& table, int points,
                                                       double cutoff = 0,
                                                       TableForces forces = TableForces::checked);

/// Sets the coefficients of the pair of types (i, j) to this table. The pair potential of
/// `coefficients` must be "table:N" or a sum with it.
/// \throws as tabulated_coefficients; ArgumentError for another pair potential.
void set_tabulated(CoefficientTable& coefficients, int i, int j, const TabulatedPair& table,
                   double cutoff = 0, TableForces forces = TableForces::checked);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABULATED_PAIR_HPP
