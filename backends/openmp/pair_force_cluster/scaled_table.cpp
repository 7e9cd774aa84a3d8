#include "backends/openmp/pair_force_cluster/scaled_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tessera::openmp::cluster {
namespace {

/// Whether the numbers from index `from` on are the same for all pairs of types.
/// \param numbers number of numbers of a pair.
bool are_alike(const std::vector<double>& table, std::size_t numbers, int from) {
  for (std::size_t row = 0; row < table.size(); row += numbers)
    if (!std::equal(table.begin() + from, table.begin() + static_cast<std::ptrdiff_t>(numbers),
                    table.begin() + static_cast<std::ptrdiff_t>(row) + from))
      return false;
  return true;
}

}  // namespace

template <class Storage, class T>
void ScaledTable<Storage, T>::set(const md::PairPotential& potential,
                                  View<const double, 3> coefficients, double largest_charge,
                                  double quantum, int lanes, int typed_numbers) {
  constexpr Precision precision = std::is_same_v<T, double>        ? Precision::double_precision
                                  : std::is_same_v<Storage, float> ? Precision::single
                                                                   : Precision::mixed;
  const md::PackedPairs packed =
      md::packed_pairs(precision, potential, coefficients, largest_charge);
  units_ = packed.units;
  // F = (E / length^2) quantum times a separation in quanta. The product of both units may
  // underflow in float.
  separation_unit_ = static_cast<Storage>(quantum / units_.length);
  force_unit_ = static_cast<Storage>(units_.force());
  if constexpr (std::is_same_v<Storage, double>) force_unit_ *= separation_unit_;
  unit_squared_ = static_cast<T>(units_.length * units_.length / (quantum * quantum));
  inverse_unit_squared_ = static_cast<T>(quantum * quantum / (units_.length * units_.length));
  unit_ = static_cast<T>(units_.length / quantum);
  inverse_unit_ = static_cast<T>(quantum / units_.length);
  virial_unit_ = quantum * quantum / (units_.length * units_.length);

  const int types = static_cast<int>(coefficients.extent(0));
  table_.types = types;
  table_.stride = (types + lanes - 1) / lanes * lanes;
  if (potential.parts().size() > 1) acting_ = md::acting_parts(potential, coefficients);
  const auto numbers = static_cast<std::size_t>(potential.table_width());
  type_count_ = types == 1                                                          ? TypeCount::one
                : types <= lanes && are_alike(packed.table, numbers, typed_numbers) ? TypeCount::few
                : lanes > 1 && table_.stride <= several_vectors * lanes ? TypeCount::several
                                                                        : TypeCount::many;
  const std::size_t size =
      static_cast<std::size_t>(types) * static_cast<std::size_t>(table_.stride);
  // Vectors load rows of tables: each table starts on a 64-byte boundary.
  constexpr std::size_t line_length = 64 / sizeof(T);
  const std::size_t padded = (size + line_length - 1) / line_length * line_length;
  values_.assign(numbers * padded + line_length, T(0));
  samples_.assign(packed.samples.begin(), packed.samples.end());
  table_.samples = samples_.data();
  auto address = reinterpret_cast<std::uintptr_t>(values_.data());
  T* base = values_.data() + (64 - address % 64) % 64 / sizeof(T);
  const double* row = packed.table.data();
  for (int i = 0; i < types; ++i)
    for (int j = 0; j < types; ++j, row += numbers)
      for (std::size_t k = 0; k < numbers; ++k) {
        // Cutoffs are compared in the unit of the coordinates.
        const double unit = k == 0 ? units_.length * units_.length / (quantum * quantum) : 1;
        base[k * padded + static_cast<std::size_t>(i * table_.stride + j)] =
            static_cast<T>(row[k] * unit);
      }
  for (std::size_t k = 0; k < numbers; ++k)
    table_.numbers[k] = base + k * padded;
}

template class ScaledTable<double, double>;
template class ScaledTable<double, float>;
template class ScaledTable<float, float>;

}  // namespace tessera::openmp::cluster
