#ifndef TESSERA_BACKENDS_GPU_EXECUTION_ROWS_AHEAD_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_ROWS_AHEAD_CUH

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "core/memory/view.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Prefetching of rows of arrays into shared memory, for threads that compute for long with each
/// row. Asynchronous copies of the next rows take no registers, so that few threads keep enough
/// bytes in flight to hide the latency of memory.

namespace tessera::gpu {

/// Columns of `Arrays` arrays that together make a row; each array has the same number of columns.
template <class T, int Columns, int Arrays = 1>
struct RowSource {
  const T* column[Columns];          ///< the elements of row 0
  std::int64_t stride[Arrays];       ///< elements from one row of an array to the next
  View<const std::uint8_t, 1> mask;  ///< one per row; 0: the row does not count. Optional
};

/// Loop over rows with prefetching.
/// \tparam Ahead prefetch distance of a thread in rows; 0: plain loads without prefetching.
template <class T, int Columns, int Ahead, int Arrays = 1>
class RowsAhead {
 public:
  static_assert(Ahead >= 0 && Columns % Arrays == 0);

  using Source = RowSource<T, Columns, Arrays>;

  /// Bytes of shared memory of a block.
  [[nodiscard]] static constexpr std::size_t shared_bytes(int threads) {
    constexpr std::size_t of_thread = sizeof(T) * slots * Columns;
    return Ahead == 0 ? 0
                      : of_thread * static_cast<std::size_t>((threads + side - 1) / side * side);
  }

  /// \param shared aligned for T; not used where `Ahead` is 0.
  __device__ __forceinline__ RowsAhead(const Source& source, unsigned char* shared)
      : source_(source),
        mine_(reinterpret_cast<T*>(shared) + threadIdx.x / side * (slots * slot_size) +
              threadIdx.x % side) {}

  /// Calls use(row, values, counts) for the rows first, first + step, ... below end, one after the
  /// other. Rows that do not count are read too. Where `Ahead` is 0 the assembler (ptxas) may make
  /// the loads of a row conditional on its mask; a thread then waits for the mask before it reads
  /// the row.
  template <class Use>
  __device__ __forceinline__ void for_each(std::int64_t first, std::int64_t step, std::int64_t end,
                                           const Use& use) const {
    Place place(source_, first, step);
    if constexpr (Ahead == 0) {
      for (std::int64_t row = first; row < end; row += step) {
        T value[Columns];
        const std::uint32_t mask = mask_at(place);
#pragma unroll
        for (int c = 0; c < Columns; ++c)
          value[c] = *at(place, c);
        place.advance();
        use(row, value, mask != 0);
      }
    } else {
      std::uint32_t mask[Ahead];
#pragma unroll
      for (int s = 0; s < Ahead; ++s)
        mask[s] = fetch(mine_ + s * slot_size, place, first + s * step < end);
      const std::int64_t fetches_below = end - Ahead * step;
      T* const last = mine_ + Ahead * slot_size;
      T* due = mine_;
      T* free = last;
      // The body may be long, so the loop is not unrolled.
#pragma unroll 1
      for (std::int64_t row = first; row < end; row += step) {
        // Each row is one group of copies, which is empty for rows beyond the end. The wait is for
        // the oldest group, that of this row; the others stay in flight.
        gpu::cp_async_wait<Ahead - 1>();
        T value[Columns];
#pragma unroll
        for (int c = 0; c < Columns; ++c)
          value[c] = due[c * side];
        std::uint32_t counts = mask[0];
#pragma unroll
        for (int s = 1; s < Ahead; ++s)
          mask[s - 1] = mask[s];
        mask[Ahead - 1] = fetch(free, place, row < fetches_below);
        // Keeps the compiler from using the mask of a later row, and so from waiting for its load,
        // before that row is due.
        gpu::keep_in_register(counts);
        use(row, value, counts != 0);
        // The values of the slot have been used; the copies of the next iteration go there.
        free = due;
        due = due == last ? mine_ : due + slot_size;
      }
      gpu::cp_async_wait<0>();
    }
  }

 private:
  /// Number of threads whose values of a column are adjacent in shared memory.
  static constexpr int side = 32;
  static constexpr int slot_size = Columns * side;
  static constexpr int slots = Ahead + 1;

  /// Offsets, in elements, of the row that is read next in the arrays and in the mask.
  struct Place {
    std::int64_t offset[Arrays];
    std::int64_t stride[Arrays];
    std::int64_t mask_offset;
    std::int64_t mask_stride;

    __device__ __forceinline__ Place(const Source& source, std::int64_t row, std::int64_t step)
        : mask_offset(row * source.mask.strides[0]), mask_stride(step * source.mask.strides[0]) {
      gpu::keep_in_register(mask_stride);
#pragma unroll
      for (int a = 0; a < Arrays; ++a) {
        offset[a] = row * source.stride[a];
        stride[a] = step * source.stride[a];
        gpu::keep_in_register(stride[a]);
      }
    }
    __device__ __forceinline__ void advance() {
#pragma unroll
      for (int a = 0; a < Arrays; ++a)
        offset[a] += stride[a];
      mask_offset += mask_stride;
    }
  };

  [[nodiscard]] __device__ __forceinline__ const T* at(const Place& place, int c) const {
    return source_.column[c] + place.offset[c / (Columns / Arrays)];
  }
  [[nodiscard]] __device__ __forceinline__ std::uint32_t mask_at(const Place& place) const {
    return source_.mask.given() ? source_.mask.data[place.mask_offset] : 1;
  }

  /// Starts the copies of the row at `place` into `slot`, or none where `is_row` is false, commits
  /// them as a group, and advances `place`. \returns the mask of the row.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t fetch(T* slot, Place& place,
                                                               bool is_row) const {
    std::uint32_t mask = 1;
    if (is_row) {
#pragma unroll
      for (int c = 0; c < Columns; ++c)
        gpu::cp_async(slot + c * side, at(place, c));
      mask = mask_at(place);
    }
    gpu::cp_async_commit();
    place.advance();
    return mask;
  }

  const Source& source_;
  T* const mine_;
};

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_ROWS_AHEAD_CUH
