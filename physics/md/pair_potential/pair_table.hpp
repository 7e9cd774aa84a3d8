#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_TABLE_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_TABLE_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Coefficients as kernels keep them, in the units that a kernel computes in.

namespace tessera::md {

/// One unit of the kernel in units of the caller. Powers of two where nothing else is needed, so
/// that they cost no digit.
struct PairUnits {
  double length = 1;
  double energy = 1;
  double charge = 1;

  [[nodiscard]] double force() const { return energy / length; }
};

/// A length in the middle of those that the form has for its pairs of types, a power of two:
/// their twelfth powers stay in the range of a float in units of it.
[[nodiscard]] double typical_length(const PairPotential& potential,
                                    View<const double, 3> coefficients);

/// The least length that a form has for a pair of types besides its cutoffs, 0 where it has none:
/// what coordinates have to resolve.
[[nodiscard]] double shortest_length(const PairPotential& potential,
                                     View<const double, 3> coefficients);

/// Units in which a float holds what pairs of this form come to: the typical length, the largest
/// energy at it, the largest charge or, where charges do next to nothing, a larger one. Powers of
/// two.
/// \param largest_charge of all atoms; 0: none.
[[nodiscard]] PairUnits pair_units(const PairPotential& potential,
                                   View<const double, 3> coefficients, double largest_charge = 0);

/// types x types rows of form.table_width() numbers (PairPotential::pack) in `units`. A pair of
/// types that has no effect (all numbers zero) gets a cutoff of zero, so that nothing overflows
/// where its atoms come close. \param samples receives those of potentials that have any.
/// \throws ArgumentError for such a potential where `samples` is null.
[[nodiscard]] std::vector<double> pack_pair_table(const PairPotential& potential,
                                                  View<const double, 3> coefficients,
                                                  const PairUnits& units,
                                                  std::vector<double>* samples = nullptr);

/// For each type, the parts of the form that do anything to its atoms, whatever their charges: bit
/// k for part k. A part does nothing to pairs of types beyond its cutoff or for which its energies
/// are all zero.
[[nodiscard]] std::vector<std::uint8_t> acting_parts(const PairPotential& potential,
                                                     View<const double, 3> coefficients);

/// Input of the pair terms of a precision, and the units that they compute in.
struct PackedPairs {
  PairUnits units;            ///< pair_units() where they are floats, else those of the caller
  std::vector<double> table;  ///< pack_pair_table() in these units
  std::vector<double> samples;
};

/// \throws RefusalError where lengths or forces of about the units do not fit in the arrays of the
/// precision, and where the numbers of a pair of types do not fit in a float; ArgumentError where
/// the largest charge is not finite.
[[nodiscard]] PackedPairs packed_pairs(Precision precision, const PairPotential& potential,
                                       View<const double, 3> coefficients, double largest_charge);

/// Largest cutoff of all pairs of types.
[[nodiscard]] double largest_cutoff(const PairPotential& potential,
                                    View<const double, 3> coefficients);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_TABLE_HPP
