#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABULATED_PAIR_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABULATED_PAIR_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/pair_potential/table_forces.hpp"

#include <vector>

/// \file
/// A pair potential as arrays of numbers, and how the form "table" (md/potentials/table.hpp) gets
/// it.

namespace tessera::md {

/// Energies and forces -dE/dr at growing distances, in the units of positions. Between two points
/// E is the cubic in r^2 with the energies and forces of both (table.hpp).
struct TabulatedPair {
  std::vector<double> r;  ///< > 0, growing
  std::vector<double> energy;
  std::vector<double> force;
};

/// \throws ArgumentError naming the array and the first element that is wrong: fewer than two
/// points, arrays of different lengths, a distance that is not greater than the one before it, a
/// number that is not finite.
void check_tabulated_pair(const TabulatedPair& table);

/// Between the first point and the last, both included; below, the straight line in r^2 that
/// touches E at the first point; beyond, zero.
[[nodiscard]] PairValue value_at(const TabulatedPair& table, double r);

/// Coefficients of a form of `points` points by name: cutoff, inner, energy_1..., force_1...
/// \param cutoff where the pair is cut; 0 or beyond the last point: there.
/// \param forces whether those that contradict the energies are refused (table_forces.hpp).
/// \throws as check_tabulated_pair; ArgumentError for a cutoff that is not above the first point,
/// and for forces that are not -dE/dr, with the first of them and what was expected.
[[nodiscard]] CoefficientValues tabulated_coefficients(const TabulatedPair& table, int points,
                                                       double cutoff = 0,
                                                       TableForces forces = TableForces::checked);

/// Gives the pair of types (i, j) of a table of coefficients, whose form is "table:N" or a sum with
/// it, this potential.
/// \throws as tabulated_coefficients; ArgumentError for another form.
void set_tabulated(CoefficientTable& coefficients, int i, int j, const TabulatedPair& table,
                   double cutoff = 0, TableForces forces = TableForces::checked);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABULATED_PAIR_HPP
