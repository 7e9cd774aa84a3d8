#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_COEFFICIENT_TABLE_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_COEFFICIENT_TABLE_HPP

#include "core/memory/view.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// \file
/// Coefficients of every pair of types, accessible by name; PairForceArgs takes their values.

namespace tessera::md {

/// Values by name of the field.
using CoefficientValues = std::map<std::string, double>;

class CoefficientTable {
 public:
  CoefficientTable() : potential_({}) {}
  /// Sets every field to its default; a constant of the unit system to 1 (reduced units).
  CoefficientTable(PairPotential potential, int types);

  /// Sets the given fields of all pairs of types.
  /// \throws SelectionError for a name that is no field of the potential, ArgumentError for a value
  /// out of its range.
  void set_all(const CoefficientValues& values);
  /// Sets the given fields of the pairs (i, j) and (j, i).
  /// \throws as set_all; ArgumentError for a type that does not exist.
  void set(int i, int j, const CoefficientValues& values);
  /// Sets field number `field` of the potential for the pairs (i, j) and (j, i).
  void set(int i, int j, std::size_t field, double value);

  [[nodiscard]] const PairPotential& potential() const { return potential_; }
  [[nodiscard]] int types() const { return types_; }
  [[nodiscard]] double at(int i, int j, std::size_t field) const {
    return values_[place(i, j, field)];
  }
  [[nodiscard]] double largest_cutoff() const;

  /// Values as types x types x fields; valid as long as the table exists.
  [[nodiscard]] View<const double, 3> view() const;

 private:
  [[nodiscard]] std::size_t place(int i, int j, std::size_t field) const {
    if (i < 0 || i >= types_ || j < 0 || j >= types_ || field >= potential_.fields().size())
      refuse_place(i, j, field);
    return static_cast<std::size_t>(i * types_ + j) * potential_.fields().size() + field;
  }

  [[noreturn]] void refuse_place(int i, int j, std::size_t field) const;

  PairPotential potential_;
  int types_ = 0;
  std::vector<double> values_;
};

/// \throws ArgumentError that names the field, the types (from 1) and the expected values if a
/// value is out of its range or the table is not symmetric.
void check_coefficients(const PairPotential& potential, View<const double, 3> coefficients);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_COEFFICIENT_TABLE_HPP
