#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_TABLE_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_TABLE_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Packed coefficients for kernels, in the units in which a kernel computes.

namespace tessera::md {

/// Units of a kernel, each in the caller's units. Powers of two wherever possible, so that
/// conversion loses no digits.
struct PairUnits {
  double length = 1;
  double energy = 1;
  double charge = 1;

  [[nodiscard]] double force() const { return energy / length; }
};

/// A power of two near the geometric mean of the shortest and longest length of the potential for
/// its pairs of types: in this unit twelfth powers of the lengths stay in the range of a float.
[[nodiscard]] double typical_length(const PairPotential& potential,
                                    View<const double, 3> coefficients);

/// Shortest length of the potential for any pair of types besides cutoffs, which coordinates have
/// to resolve; 0 if there is none.
[[nodiscard]] double shortest_length(const PairPotential& potential,
                                     View<const double, 3> coefficients);

/// Units, powers of two, in which energies and forces of pairs fit in a float: the typical length,
/// the largest energy coefficient at that length, and the largest charge or, if charges are
/// negligible, a larger one.
/// \param largest_charge largest magnitude of a charge of all atoms; 0: no charges.
[[nodiscard]] PairUnits pair_units(const PairPotential& potential,
                                   View<const double, 3> coefficients, double largest_charge = 0);

/// types x types rows of potential.table_width() numbers (PairPotential::pack) in `units`. A pair
/// of types without effect, whose energies are all zero, gets a cutoff of zero, so that nothing
/// overflows when its atoms come close.
/// \param samples receives the samples of potentials that have any.
/// \throws ArgumentError for such a potential if `samples` is null.
[[nodiscard]] std::vector<double> pack_pair_table(const PairPotential& potential,
                                                  View<const double, 3> coefficients,
                                                  const PairUnits& units,
                                                  std::vector<double>* samples = nullptr);

/// Parts of the potential that can act on the atoms of each type, whatever their charges: bit k for
/// part k. A part does not act on pairs of types with a cutoff of zero or with energies that are
/// all zero.
[[nodiscard]] std::vector<std::uint8_t> acting_parts(const PairPotential& potential,
                                                     View<const double, 3> coefficients);

/// Packed coefficients in the precision of the pair terms, and the units in which these compute.
struct PackedPairs {
  PairUnits units;            ///< pair_units() if pair terms are in float, else the caller's units
  std::vector<double> table;  ///< pack_pair_table() in these units
  std::vector<double> samples;
};

/// \throws RefusalError if lengths or forces of about these units do not fit in the arrays of the
/// precision, or packed coefficients do not fit in a float; ArgumentError if the largest charge is
/// not finite.
[[nodiscard]] PackedPairs packed_pairs(Precision precision, const PairPotential& potential,
                                       View<const double, 3> coefficients, double largest_charge);

/// Largest cutoff of all pairs of types.
[[nodiscard]] double largest_cutoff(const PairPotential& potential,
                                    View<const double, 3> coefficients);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_TABLE_HPP
