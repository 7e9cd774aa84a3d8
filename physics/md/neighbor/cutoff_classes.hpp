#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_CUTOFF_CLASSES_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_CUTOFF_CLASSES_HPP

#include "core/memory/view.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Classes of atoms with separate cells, for pairs of types with different cutoffs.

namespace tessera::md {

/// Number of atoms in each class.
struct ClassCounts {
  std::int64_t of[4] = {};
};

/// Types with similar cutoffs form a class. Each class has its own cells, so that a few long-cutoff
/// atoms do not widen the cells of all others. A list contains a pair if it is within the cutoff of
/// its two types. Types with equal cutoffs form a single class, without any overhead.
struct CutoffClasses {
  static constexpr int most = 4;

  int types = 1;
  int count = 1;
  bool uniform = true;                ///< all pairs of types have the same cutoff
  std::vector<std::int32_t> of_type;  ///< class of each type
  std::vector<double> cutoffs;        ///< types x types; 0 where a pair does not interact
  double largest[most][most] = {};    ///< largest cutoff of the pairs between two classes

  /// Whether a list of all pairs within the longest cutoff of all types costs less than one that
  /// contains each pair up to its own cutoff, because cutoffs are nearly the same.
  [[nodiscard]] bool alike() const;
  /// Width of the cells of a class: the reach of its own pairs, or, if its atoms do not interact
  /// with each other, the longest reach to another class.
  [[nodiscard]] double width(int of, double skin) const;
  /// Distance up to which atoms of one class list atoms of another; 0: the classes do not interact.
  [[nodiscard]] double reach(int from, int to, double skin) const {
    return largest[from][to] > 0 ? largest[from][to] + skin : 0;
  }
  /// Mean cutoff for these numbers of atoms, in which each pair of classes has the number of its
  /// atom pairs within the cutoff as weight. The default skin depends on it.
  [[nodiscard]] double typical_cutoff(const ClassCounts& atoms) const;
  /// (cutoff + skin)^2 for each pair of types, types x types; 0 without interaction.
  [[nodiscard]] std::vector<double> squared_reaches(double skin) const;
};

[[nodiscard]] CutoffClasses cutoff_classes(const PairPotential& potential,
                                           View<const double, 3> coefficients);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_CUTOFF_CLASSES_HPP
