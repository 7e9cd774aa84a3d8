#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_ROWS_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_ROWS_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/sum/fixed_point.hpp"
#include "physics/reduction/sum/sum_groups.hpp"

#include <bit>
#include <type_traits>

/// \file
/// Input of a pass over the rows, and its running sums in double, in fixed point or in integers.
/// The numbers of columns and of rows per batch are template arguments, so that sums stay in
/// registers, and on a host in vectors.

namespace tessera::reduction {

/// Input of a pass; kernels capture it.
template <class Storage>
struct SumSource {
  const Storage* column[most_columns] = {};
  std::int64_t stride = 0;  ///< distance of the rows in a column
  std::int64_t rows = 0;
  View<const double, 1> weights;
  View<const std::int32_t, 1> weight_class;
  View<const std::uint8_t, 1> mask;
  const double* origin[most_columns] = {};  ///< null: no origin

  SumSource() = default;
  SumSource(const SumArgs<Storage>& args, const SumGroup& group)
      : stride(args.values.strides[0]),
        rows(args.values.extents[0]),
        weights(args.weights),
        weight_class(args.weight_class),
        mask(args.mask) {
    // Without rows there may be no array, so that no address is formed.
    for (int c = 0; c < most_columns && rows > 0; ++c) {
      column[c] = args.values.data + group.column[c] * args.values.strides[1];
      if (args.origin.given()) origin[c] = &args.origin(group.column[c]);
    }
  }

  [[nodiscard]] TESSERA_INLINE bool counts(std::int64_t i) const {
    return !mask.given() || mask(i) != 0;
  }
  [[nodiscard]] TESSERA_INLINE double weight(std::int64_t i) const {
    if (!weights.given()) return 1;
    return weights(weight_class.given() ? std::int64_t{weight_class(i)} : i);
  }
};

/// Numbers that a pass subtracts from its columns; there are none for integers.
template <class Number, int Columns>
struct SumOrigin {
  Number of[Columns > 0 ? Columns : 1] = {};

  SumOrigin() = default;
  template <class Storage>
  TESSERA_INLINE explicit SumOrigin(const SumSource<Storage>& source) {
    if constexpr (std::is_same_v<Number, double>)
      for (int c = 0; c < Columns; ++c)
        of[c] = source.origin[c] != nullptr ? *source.origin[c] : 0.0;
  }
};

/// A batch of `Rows` rows of `Columns` columns. All numbers of a row that the mask excludes are
/// zero.
template <class Number, int Columns, int Rows>
struct SumBatch {
  Number value[Columns > 0 ? Columns : 1][Rows];
  double weight[Rows];
  bool in[Rows];

  // Loading is split into steps, so that the loads of several batches are in flight before their
  // first use.

  /// Loads the values of rows first, first + step, ...
  template <class Storage>
  TESSERA_INLINE void load_values(const SumSource<Storage>& source, std::int64_t first,
                                  std::int64_t step) {
    for (int c = 0; c < Columns; ++c)
      for (int r = 0; r < Rows; ++r)
        value[c][r] = static_cast<Number>(source.column[c][(first + r * step) * source.stride]);
  }

  /// Loads weights and mask.
  /// \tparam Plain whether there are neither
  template <bool Plain, class Storage>
  TESSERA_INLINE void load_weights(const SumSource<Storage>& source, std::int64_t first,
                                   std::int64_t step) {
    for (int r = 0; r < Rows; ++r) {
      in[r] = Plain || source.counts(first + r * step);
      weight[r] = Plain ? 1.0 : in[r] ? source.weight(first + r * step) : 0.0;
    }
  }

  /// Subtracts the origin, and sets the rows that the mask excludes to zero.
  template <bool Plain>
  TESSERA_INLINE void subtract_origin(const SumOrigin<Number, Columns>& origin) {
    if constexpr (std::is_same_v<Number, double>)
      for (int c = 0; c < Columns; ++c)
        for (int r = 0; r < Rows; ++r)
          value[c][r] -= origin.of[c];
    if constexpr (!Plain)
      for (int c = 0; c < Columns; ++c)
        for (int r = 0; r < Rows; ++r)
          value[c][r] = in[r] ? value[c][r] : Number(0);
  }

  /// Loads a batch: all steps in order.
  template <bool Plain, class Storage>
  TESSERA_INLINE void load(const SumSource<Storage>& source,
                           const SumOrigin<Number, Columns>& origin, std::int64_t first,
                           std::int64_t step) {
    load_values(source, first, step);
    load_weights<Plain>(source, first, step);
    subtract_origin<Plain>(origin);
  }

  /// Loads the first `count` rows; the others are treated like rows that the mask excludes.
  template <bool Plain, class Storage>
  TESSERA_SELDOM void load_part(const SumSource<Storage>& source,
                                const SumOrigin<Number, Columns>& origin, std::int64_t first,
                                std::int64_t step, std::int64_t count) {
    for (std::int64_t r = 0; r < Rows; ++r) {
      const std::int64_t row = first + (r < count ? r : 0) * step;
      for (int c = 0; c < Columns; ++c)
        value[c][r] = static_cast<Number>(source.column[c][row * source.stride]);
      in[r] = r < count && (Plain || source.counts(row));
      weight[r] = !in[r] ? 0.0 : Plain ? 1.0 : source.weight(row);
    }
    subtract_origin<false>(origin);
  }
};

/// Sums of a run of rows, by slot.
template <class Total, int Slots>
struct SumTotals {
  Total value[Slots] = {};
};

/// Sums in fixed point, by slot, and the largest magnitudes of the columns and, last, of the
/// weights.
template <int Slots>
struct FixedTotals {
  fixed_point::Integer128 value[Slots] = {};
  std::uint32_t largest[most_columns + 1] = {};
};

struct JoinTotals {
  template <class Totals>
  TESSERA_FUNCTION void operator()(Totals& into, const Totals& from) const {
    join(into, from);
  }

 private:
  template <class Total, int Slots>
  static TESSERA_INLINE void join(SumTotals<Total, Slots>& into,
                                  const SumTotals<Total, Slots>& from) {
    for (int s = 0; s < Slots; ++s)
      into.value[s] += from.value[s];
  }
  template <int Slots>
  static TESSERA_INLINE void join(FixedTotals<Slots>& into, const FixedTotals<Slots>& from) {
    for (int s = 0; s < Slots; ++s)
      into.value[s] += from.value[s];
    for (int c = 0; c <= most_columns; ++c)
      if (into.largest[c] < from.largest[c]) into.largest[c] = from.largest[c];
  }
};

/// Running sums in double.
template <int Columns, bool Products, int Rows>
struct DoubleSums {
  static constexpr int slots = slots_of(Columns, Products);
  /// Largest number of batches that are added in sequence: the rounding error grows with this
  /// number and not with the number of rows.
  static constexpr std::int64_t most_batches = 256;

  double sum[slots][Rows] = {};

  template <bool Plain>
  TESSERA_INLINE void add(const SumBatch<double, Columns, Rows>& batch) {
    for (int r = 0; r < Rows; ++r)
      sum[0][r] += batch.weight[r];
    int slot = 1 + Columns;
    for (int a = 0; a < Columns; ++a) {
      double first[Rows];
      for (int r = 0; r < Rows; ++r)
        first[r] = Plain ? batch.value[a][r] : batch.weight[r] * batch.value[a][r];
      for (int r = 0; r < Rows; ++r)
        sum[1 + a][r] += first[r];
      if constexpr (Products)
        for (int b = a; b < Columns; ++b, ++slot)
          for (int r = 0; r < Rows; ++r)
            sum[slot][r] += first[r] * batch.value[b][r];
    }
  }

  TESSERA_INLINE void resume(const SumTotals<double, slots>& totals) requires(Rows == 1) {
    for (int s = 0; s < slots; ++s)
      sum[s][0] = totals.value[s];
  }
  TESSERA_INLINE void give(SumTotals<double, slots>& totals) const requires(Rows == 1) {
    for (int s = 0; s < slots; ++s)
      totals.value[s] = sum[s][0];
  }

  /// Adds the running sums to `totals`.
  template <bool>
  TESSERA_SELDOM void finish(std::int64_t, SumTotals<double, slots>& totals,
                             std::int64_t = 0) const {
    for (int s = 0; s < slots; ++s) {
      double rows[Rows];
      for (int r = 0; r < Rows; ++r)
        rows[r] = sum[s][r];
      for (int half = Rows / 2; half > 0; half /= 2)
        for (int r = 0; r < half; ++r)
          rows[r] += rows[r + half];
      totals.value[s] += rows[0];
    }
  }
};

/// Exponents of the scales of columns and weights in fixed point, which are powers of two.
struct SumScales {
  int exponent[most_columns] = {};
  int weight_exponent = 0;
  bool finite[most_columns] = {};
  bool weight_finite = true;

  SumScales() = default;
  /// Scales for these largest magnitudes of the columns and, last, of the weights.
  TESSERA_FUNCTION explicit SumScales(const std::uint32_t (&largest)[most_columns + 1]) {
    for (int c = 0; c < most_columns; ++c) {
      finite[c] = fixed_point::is_finite_magnitude(largest[c]);
      exponent[c] = finite[c] ? fixed_point::scale_exponent(largest[c]) : 0;
    }
    weight_finite = fixed_point::is_finite_magnitude(largest[most_columns]);
    weight_exponent = weight_finite ? fixed_point::scale_exponent(largest[most_columns]) : 0;
  }

  /// Whether sums over `columns` columns have the same bits with both scales.
  [[nodiscard]] TESSERA_FUNCTION bool same(const SumScales& other, int columns) const {
    bool all = weight_exponent == other.weight_exponent && weight_finite == other.weight_finite;
    for (int c = 0; c < columns; ++c)
      all = all && exponent[c] == other.exponent[c] && finite[c] == other.finite[c];
    return all;
  }

  /// The total of a term as a double; NaN if one of its factors was not finite.
  [[nodiscard]] TESSERA_FUNCTION double value(SumTerm term, fixed_point::Integer128 total) const {
    bool number = weight_finite;
    int sum = weight_exponent;
    const std::int16_t columns[2] = {term.a, term.b};
    for (int k = 0; k < 2; ++k) {
      if (columns[k] < 0) continue;
      number = number && finite[columns[k]];
      sum += exponent[columns[k]];
    }
    if (!number) return NAN;
    return fixed_point::to_double(total, sum + fixed_point::unit_exponent);
  }
};

/// Running sums in fixed point. Without weights, the sum of weights is computed at the end from the
/// number of rows.
template <int Columns, bool Products, int Rows>
struct FixedSums {
  static constexpr int slots = slots_of(Columns, Products);
  static constexpr std::int64_t most_batches = fixed_point::most_rows_of_thread;
  /// Type of magnitudes; in vectors they are as wide as the numbers.
  using Magnitude = std::conditional_t<Rows == 1, std::uint32_t, std::int64_t>;

  std::uint64_t coarse[slots][Rows] = {};
  std::uint64_t fine[slots][Rows] = {};
  Magnitude largest[Columns + 1][Rows] = {};
  double scale[Columns > 0 ? Columns : 1];
  double weight_scale;

  TESSERA_INLINE explicit FixedSums(const SumScales& scales)
      : weight_scale(fixed_point::power_of_two(-scales.weight_exponent)) {
    for (int c = 0; c < Columns; ++c)
      scale[c] = fixed_point::power_of_two(-scales.exponent[c]);
  }

  template <bool Plain>
  TESSERA_INLINE void add(const SumBatch<double, Columns, Rows>& batch) {
    double weight[Rows];
    double value[Columns > 0 ? Columns : 1][Rows];
    for (int r = 0; r < Rows; ++r) {
      if constexpr (!Plain) raise(largest[Columns][r], batch.weight[r]);
      weight[r] = batch.weight[r] * weight_scale;
    }
    for (int c = 0; c < Columns; ++c)
      for (int r = 0; r < Rows; ++r) {
        raise(largest[c][r], batch.value[c][r]);
        value[c][r] = batch.value[c][r] * scale[c];
      }
    const double one = 1;
    if constexpr (!Plain)
      for (int r = 0; r < Rows; ++r)
        add_product(0, r, weight[r], one);
    int slot = 1 + Columns;
    for (int a = 0; a < Columns; ++a) {
      for (int r = 0; r < Rows; ++r)
        add_product(1 + a, r, weight[r], value[a][r]);
      if constexpr (Products) {
        double first[Rows];
        for (int r = 0; r < Rows; ++r)
          first[r] = weight[r] * value[a][r];
        for (int b = a; b < Columns; ++b, ++slot)
          for (int r = 0; r < Rows; ++r)
            add_product(slot, r, first[r], value[b][r]);
      }
    }
  }

  /// \param missing number of rows that the last batch lacks, if it was loaded in part
  template <bool Plain>
  TESSERA_SELDOM void finish(std::int64_t batches, FixedTotals<slots>& totals,
                             std::int64_t missing = 0) const {
    if constexpr (Plain)
      for (int r = 0; r < Rows; ++r) {
        const std::int64_t rows = batches - (r >= Rows - missing ? 1 : 0);
        const auto count = static_cast<std::uint64_t>(rows);
        fixed_point::Parts parts;
        parts.add_product(weight_scale, 1.0);
        totals.value[0] += fixed_point::Parts{count * parts.coarse, count * parts.fine}.total(rows);
      }
    for (int s = Plain ? 1 : 0; s < slots; ++s)
      for (int r = 0; r < Rows; ++r)
        totals.value[s] += fixed_point::Parts{coarse[s][r], fine[s][r]}.total(batches);
    for (int c = 0; c <= Columns; ++c)
      for (int r = 0; r < Rows; ++r) {
        std::uint32_t magnitude = 0;
        if (Plain && c == Columns)
          magnitude = batches > 0 ? fixed_point::magnitude_of(1.0) : 0;
        else if constexpr (Rows == 1)
          magnitude = largest[c][r];
        else
          magnitude = static_cast<std::uint32_t>(largest[c][r] >> 32);
        std::uint32_t& at = totals.largest[c < Columns ? c : most_columns];
        if (at < magnitude) at = magnitude;
      }
  }

 private:
  static TESSERA_INLINE void raise(Magnitude& most, double value) {
    Magnitude magnitude;
    if constexpr (Rows == 1)
      magnitude = fixed_point::magnitude_of(value);
    else
      magnitude =
          static_cast<Magnitude>(std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63));
    most = most < magnitude ? magnitude : most;
  }
  TESSERA_INLINE void add_product(int slot, int row, double a, double b) {
    fixed_point::Parts parts{coarse[slot][row], fine[slot][row]};
    parts.add_product(a, b);
    coarse[slot][row] = parts.coarse;
    fine[slot][row] = parts.fine;
  }
};

/// A sum of integers in 128 bits. Products beyond 2^87 in magnitude are not added and set `lost`;
/// 2^39 smaller ones cannot overflow.
struct IntegerTotal {
  fixed_point::Integer128 sum = 0;
  std::uint64_t lost = 0;

  TESSERA_INLINE IntegerTotal& operator+=(const IntegerTotal& other) {
    sum += other.sum;
    lost |= other.lost;
    return *this;
  }
  [[nodiscard]] TESSERA_INLINE bool fits() const {
    return lost == 0 && sum == fixed_point::Integer128{static_cast<std::int64_t>(sum)};
  }
};

/// Running sums of integers.
template <int Columns, bool Products, int Rows>
struct IntegerSums {
  static constexpr int slots = slots_of(Columns, Products);
  static constexpr std::int64_t most_batches = std::int64_t{1} << 62;

  fixed_point::Integer128 sum[slots] = {};
  std::uint64_t lost = 0;  ///< one bit for each slot

  template <bool>
  TESSERA_INLINE void add(const SumBatch<std::int64_t, Columns, Rows>& batch) {
    constexpr int most_bits = 87;
    for (int r = 0; r < Rows; ++r) {
      sum[0] += batch.in[r] ? 1 : 0;
      int slot = 1 + Columns;
      for (int a = 0; a < Columns; ++a) {
        sum[1 + a] += batch.value[a][r];
        if constexpr (Products)
          for (int b = a; b < Columns; ++b, ++slot) {
            const auto product = fixed_point::Integer128{batch.value[a][r]} *
                                 fixed_point::Integer128{batch.value[b][r]};
            const auto above = product >> most_bits;
            if (above == 0 || above == -1)
              sum[slot] += product;
            else
              lost |= std::uint64_t{1} << slot;
          }
      }
    }
  }

  template <bool>
  TESSERA_SELDOM void finish(std::int64_t, SumTotals<IntegerTotal, slots>& totals,
                             std::int64_t = 0) const {
    for (int s = 0; s < slots; ++s)
      totals.value[s] += IntegerTotal{sum[s], lost >> s & 1};
  }
};

/// Running first moments of 32-bit integers: sums of up to 2^32 rows fit in 64 bits.
template <int Columns, bool Products, int Rows>
struct NarrowSums {
  static constexpr int slots = slots_of(Columns, Products);
  static constexpr std::int64_t most_batches = std::int64_t{1} << 62;
  static_assert(!Products);

  std::int64_t sum[slots][Rows] = {};

  template <bool>
  TESSERA_INLINE void add(const SumBatch<std::int64_t, Columns, Rows>& batch) {
    for (int r = 0; r < Rows; ++r)
      sum[0][r] += batch.in[r] ? 1 : 0;
    for (int c = 0; c < Columns; ++c)
      for (int r = 0; r < Rows; ++r)
        sum[1 + c][r] += batch.value[c][r];
  }

  template <bool>
  TESSERA_SELDOM void finish(std::int64_t, SumTotals<std::int64_t, slots>& totals,
                             std::int64_t = 0) const {
    for (int s = 0; s < slots; ++s)
      for (int r = 0; r < Rows; ++r)
        totals.value[s] += sum[s][r];
  }
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_ROWS_HPP
