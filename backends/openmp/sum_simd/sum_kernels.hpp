#ifndef TESSERA_BACKENDS_OPENMP_SUM_SIMD_SUM_KERNELS_HPP
#define TESSERA_BACKENDS_OPENMP_SUM_SIMD_SUM_KERNELS_HPP

#include "physics/reduction/sum/sum_rows.hpp"

#include <cstdint>

/// \file
/// Interface of the vector code of openmp.simd: functions that sum a block of rows.

namespace tessera::openmp::simd_sum {

/// Layout of columns in memory.
enum class Layout {
  rows_of_six,    ///< x y z u v w x y z ...: all six columns
  rows_of_three,  ///< x y z x y z ...: all three columns
  columns,        ///< contiguous columns
};

/// Weights and mask of a block, each with its stride; null where not given.
struct RowWeights {
  const double* weight = nullptr;  ///< by row or, with row_class, by class
  std::int64_t weight_stride = 0;
  const std::int32_t* row_class = nullptr;
  std::int64_t class_stride = 0;
  std::int64_t classes = 0;
  const std::uint8_t* mask = nullptr;
  std::int64_t mask_stride = 0;

  /// Weights and mask of a block that begins at `row`.
  [[nodiscard]] RowWeights from(std::int64_t row) const {
    RowWeights at = *this;
    if (row_class != nullptr)
      at.row_class += row * class_stride;
    else if (weight != nullptr)
      at.weight += row * weight_stride;
    if (mask != nullptr) at.mask += row * mask_stride;
    return at;
  }
};

template <class Storage>
struct Block {
  const Storage* column[reduction::most_columns] = {};  ///< for rows_of_* only the first is used
  std::int64_t rows = 0;
  RowWeights weights;
  alignas(16) double origin[reduction::most_columns] = {};  ///< by column of the pass
  bool about_origin = false;
  std::int64_t weight_rows = 0;  ///< as in Parameters
  std::int64_t bytes_ahead = 0;  ///< as in Parameters
};

inline constexpr int most_slots = reduction::slots_of(reduction::most_columns, true);
using DoubleTotals = reduction::SumTotals<double, most_slots>;
using FixedTotals = reduction::FixedTotals<most_slots>;

/// Adds the sums of a block to totals, by slots of slot_of().
template <class Storage>
using AddBlock = void (*)(const Block<Storage>& block, DoubleTotals& totals);

/// Kernel for the processor at hand; null where it has no vectors.
/// \param columns one, three or six.
template <class Storage>
[[nodiscard]] AddBlock<Storage> kernel(Layout layout, int columns, bool products);

/// AddBlock in fixed point, with the same bits as reduction::FixedSums.
template <class Storage>
using AddFixedBlock = void (*)(const Block<Storage>& block, const reduction::SumScales& scales,
                               FixedTotals& totals);

/// Kernel in fixed point for the processor at hand; null also where multiply-adds round twice.
template <class Storage>
[[nodiscard]] AddFixedBlock<Storage> fixed_kernel(Layout layout, int columns, bool products);

}  // namespace tessera::openmp::simd_sum

#endif  // TESSERA_BACKENDS_OPENMP_SUM_SIMD_SUM_KERNELS_HPP
