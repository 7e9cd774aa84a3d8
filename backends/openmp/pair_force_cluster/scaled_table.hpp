#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SCALED_TABLE_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SCALED_TABLE_HPP

#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <cstdint>
#include <vector>

/// \file
/// The coefficients ("numbers") of a form for the pair loops, with cutoffs in the unit of
/// coordinates, and the units of the results of pair loops in the caller's units.

namespace tessera::openmp::cluster {

template <class Storage, class T>
class ScaledTable {
 public:
  /// \param quantum length of one unit of coordinates.
  /// \param lanes rows of the table are padded to a multiple of it.
  /// \param typed_numbers ForceKernels::typed_numbers of the form.
  void set(const md::PairPotential& potential, View<const double, 3> coefficients,
           double largest_charge, double quantum, int lanes, int typed_numbers);

  /// Sets pointers to the table, which are valid until set() is called again, and units.
  void set_in(ForceArguments<T>& arguments) const {
    arguments.table = table_;
    arguments.acting = acting_.data();
    arguments.unit_squared = unit_squared_;
    arguments.inverse_unit_squared = inverse_unit_squared_;
    arguments.unit = unit_;
    arguments.inverse_unit = inverse_unit_;
    arguments.virial_unit = virial_unit_;
  }
  [[nodiscard]] int types() const { return table_.types; }
  [[nodiscard]] TypeCount type_count() const { return type_count_; }
  [[nodiscard]] const md::PairUnits& units() const { return units_; }
  /// Factors of the sums of pair loops that give forces in the caller's unit; see as_force().
  [[nodiscard]] Storage separation_unit() const { return separation_unit_; }
  [[nodiscard]] Storage force_unit() const { return force_unit_; }

 private:
  md::PairUnits units_;
  PairTable<T> table_;
  TypeCount type_count_ = TypeCount::one;
  T unit_squared_ = 1;
  T inverse_unit_squared_ = 1;
  T unit_ = 1;
  T inverse_unit_ = 1;
  double virial_unit_ = 1;
  Storage separation_unit_ = 1;
  Storage force_unit_ = 1;
  std::vector<std::uint8_t> acting_;
  std::vector<T> values_;
  std::vector<T> samples_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SCALED_TABLE_HPP
