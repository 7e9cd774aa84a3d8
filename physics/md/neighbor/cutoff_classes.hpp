#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_CUTOFF_CLASSES_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_CUTOFF_CLASSES_HPP

#include "core/memory/view.hpp"
#include "physics/md/pair_form/pair_form.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Which atoms are searched for together where pairs of types have cutoffs of their own.

namespace tessera::md {

/// Atoms of each class.
struct ClassCounts {
  std::int64_t of[4] = {};
};

/// Types whose atoms see about as far as each other make a class. Each class gets cells of its own,
/// so that a few atoms that see far do not widen the cells of all others; a list then holds a pair
/// by the cutoff of its two types. Types that see the same keep to one class, which costs nothing.
struct CutoffClasses {
  static constexpr int most = 4;

  int types = 1;
  int count = 1;
  bool uniform = true;                ///< all pairs of types have one cutoff
  std::vector<std::int32_t> of_type;  ///< class of each type
  std::vector<double> cutoffs;        ///< types x types; 0 where a pair does not interact
  double largest[most][most] = {};    ///< cutoff of a pair with an atom in each class

  /// Width of cells in which a class is found by all: its own cutoff, or where its atoms do not
  /// meet, the furthest that others look for them.
  [[nodiscard]] double width(int of, double skin) const;
  /// How far the atoms of a class are listed from those of another; 0: they do not meet.
  [[nodiscard]] double reach(int from, int to, double skin) const {
    return largest[from][to] > 0 ? largest[from][to] + skin : 0;
  }
  /// The cutoff of a typical pair, for so many atoms in each class: what a skin is measured by.
  [[nodiscard]] double typical_cutoff(const ClassCounts& atoms) const;
  /// The same for each pair of types, squared: types x types.
  [[nodiscard]] std::vector<double> squared_reaches(double skin) const;
};

[[nodiscard]] CutoffClasses cutoff_classes(const PairForm& form,
                                           View<const double, 3> coefficients);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_CUTOFF_CLASSES_HPP
