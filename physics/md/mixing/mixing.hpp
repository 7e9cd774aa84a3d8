#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <tessera/md/system.hpp>
#include <vector>

/// \file
/// From the coefficients that a user gives to those of every pair of types.

namespace tessera::md {

/// Formulas of LAMMPS (documentation page "pair_modify command", keyword mix). The same rule that
/// mixes sigma mixes the cutoffs of two types.
enum class MixingRule {
  geometric,   ///< epsilon = sqrt(e_i e_j), sigma = sqrt(s_i s_j)
  arithmetic,  ///< epsilon = sqrt(e_i e_j), sigma = (s_i + s_j) / 2 (Lorentz-Berthelot)
  sixthpower,  ///< epsilon = 2 sqrt(e_i e_j) s_i^3 s_j^3 / (s_i^6 + s_j^6),
               ///< sigma = ((s_i^6 + s_j^6) / 2)^(1/6) (Waldman-Hagler)
};

[[nodiscard]] std::string_view name(MixingRule rule);
/// \throws SelectionError when `text` is none of geometric, arithmetic, sixthpower.
[[nodiscard]] MixingRule mixing_rule_from_name(std::string_view text);

struct MixedCoefficient {
  double epsilon = 0;  ///< energy, >= 0
  double sigma = 1;    ///< length, > 0; 0 is possible where epsilon is 0
  double cutoff = 0;   ///< length, > 0

  friend bool operator==(const MixedCoefficient&, const MixedCoefficient&) = default;
};

/// Coefficients of all pairs of types: symmetric, row-major.
class PairTable {
 public:
  PairTable() = default;
  explicit PairTable(int types)
      : types_(types),
        entries_(static_cast<std::size_t>(types) * static_cast<std::size_t>(types)) {}

  [[nodiscard]] int types() const { return types_; }
  [[nodiscard]] const MixedCoefficient& at(int i, int j) const { return entries_[place(i, j)]; }
  void set(int i, int j, const MixedCoefficient& value) {
    entries_[place(i, j)] = value;
    entries_[place(j, i)] = value;
  }
  [[nodiscard]] std::span<const MixedCoefficient> entries() const { return entries_; }
  /// The largest cutoff of all pairs; 0 for a table without types.
  [[nodiscard]] double largest_cutoff() const;

 private:
  [[nodiscard]] std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(types_) +
           static_cast<std::size_t>(j);
  }

  int types_ = 0;
  std::vector<MixedCoefficient> entries_;
};

/// One pair by the rule; equal values give that value exactly.
[[nodiscard]] MixedCoefficient mix(MixingRule rule, const MixedCoefficient& a,
                                   const MixedCoefficient& b);

/// Fills the table from `given`: a pair that is given is taken as it is, the later of two for the
/// same pair wins; the others are mixed from those of the two types with themselves.
/// \param cutoff taken where a coefficient has none, > 0.
/// \throws ArgumentError naming the type whose coefficient with itself is missing, or a pair with
///         values outside their range or a type that does not exist.
[[nodiscard]] PairTable mix_coefficients(MixingRule rule, std::span<const AtomType> types,
                                         std::span<const PairCoefficient> given, double cutoff);

}  // namespace tessera::md
