#ifndef TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_ROWS_CUH
#define TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_ROWS_CUH

#include "backends/gpu/sum_single_pass/passes.hpp"
#include "physics/reduction/sum/sum_rows.hpp"

#include <cstdint>
#include <numeric>

/// \file
/// Loading of rows by a thread: as vectors where rows are contiguous, else number by number. Rows
/// that a mask excludes are loaded too.

namespace tessera::gpu::sum_single_pass {

using reduction::SumBatch;
using reduction::SumOrigin;
using reduction::SumSource;

/// Contiguous rows with exactly the columns of the pass; a unit is the fewest rows that fill whole
/// vectors.
template <class Storage, int Columns>
struct DenseRows {
  static constexpr int row_bytes = Columns * static_cast<int>(sizeof(Storage));
  static constexpr int rows = std::lcm(row_bytes, vector_bytes) / row_bytes;
  static constexpr int vectors = rows * row_bytes / vector_bytes;

  template <bool Plain, class Number>
  static __device__ __forceinline__ void load(SumBatch<Number, Columns, rows>& batch,
                                              const SumSource<Storage>& source, std::int64_t unit) {
    const auto* const from = reinterpret_cast<const int4*>(source.column[0]) + unit * vectors;
    int4 vector[vectors];
#pragma unroll
    for (int v = 0; v < vectors; ++v)
      vector[v] = __ldg(from + v);
    Storage number[rows * Columns];
    static_assert(sizeof number == sizeof vector);
    // HIP's int4 is no type for std::bit_cast.
    __builtin_memcpy(number, vector, sizeof number);
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int c = 0; c < Columns; ++c)
        batch.value[c][r] = static_cast<Number>(number[r * Columns + c]);
    batch.template load_weights<Plain>(source, unit * rows, 1);
  }
};

/// Rows of any strides: a unit is a row.
template <class Storage, int Columns>
struct AnyRows {
  static constexpr int rows = 1;

  template <bool Plain, class Number>
  static __device__ __forceinline__ void load(SumBatch<Number, Columns, rows>& batch,
                                              const SumSource<Storage>& source, std::int64_t unit) {
    batch.load_values(source, unit, 1);
    batch.template load_weights<Plain>(source, unit, 1);
  }
};

}  // namespace tessera::gpu::sum_single_pass

#endif  // TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_ROWS_CUH
