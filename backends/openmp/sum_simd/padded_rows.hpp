#ifndef TESSERA_BACKENDS_OPENMP_SUM_SIMD_PADDED_ROWS_HPP
#define TESSERA_BACKENDS_OPENMP_SUM_SIMD_PADDED_ROWS_HPP

#include "backends/openmp/sum_simd/sum_kernels.hpp"

#include <algorithm>

/// \file
/// The last rows of a block, fewer than a step processes.

namespace tessera::openmp::simd_sum {

/// A copy of some rows, padded with zeros.
/// \tparam Packed whether the layout is one of rows_of_*.
template <class Storage, int Columns, bool Packed, std::int64_t Rows>
class PaddedRows {
 public:
  PaddedRows(const Block<Storage>& block, std::int64_t first, std::int64_t rows) {
    if constexpr (Packed) {
      std::copy_n(block.column[0] + first * Columns, rows * Columns, scratch_);
      column[0] = scratch_;
    } else {
      for (int c = 0; c < Columns; ++c) {
        std::copy_n(block.column[c] + first, rows, scratch_ + c * Rows);
        column[c] = scratch_ + c * Rows;
      }
    }
  }
  PaddedRows(const PaddedRows&) = delete;
  PaddedRows& operator=(const PaddedRows&) = delete;

  const Storage* column[reduction::most_columns] = {};  ///< as Block::column

 private:
  Storage scratch_[Columns * Rows] = {};
};

}  // namespace tessera::openmp::simd_sum

#endif  // TESSERA_BACKENDS_OPENMP_SUM_SIMD_PADDED_ROWS_HPP
