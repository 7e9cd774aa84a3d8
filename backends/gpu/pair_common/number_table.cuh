#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_NUMBER_TABLE_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_NUMBER_TABLE_CUH

#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_common/pair_numbers.cuh"
#include "core/execution/buffer.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

/// \file
/// Table of the coefficients of each pair of types ("numbers") in device memory, laid out for loads
/// of 16 bytes.

namespace tessera::gpu::pair_common {

/// Table with types x types x table_stride() numbers, then the samples of forms that have any, on
/// the device and on the host.
template <class Real>
class NumberTable {
 public:
  explicit NumberTable(Space space) : device_(space) {}

  /// \param width number of numbers of a pair of types.
  void set(const md::PackedPairs& packed, std::int64_t width) {
    const std::int64_t stride = table_stride<Real>(width);
    const std::int64_t pairs = std::ssize(packed.table) / width;
    first_sample_ = pairs * stride;
    host_.assign(static_cast<std::size_t>(first_sample_), Real(0));
    shared_ = ~std::uint64_t{0};
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
      for (std::int64_t w = 0; w < width && w < 64; ++w)
        if (packed.table[static_cast<std::size_t>(pair * width + w)] !=
            packed.table[static_cast<std::size_t>(w)])
          shared_ &= ~(std::uint64_t{1} << w);
      std::copy_n(packed.table.begin() + pair * width, width, host_.begin() + pair * stride);
    }
    host_.insert(host_.end(), packed.samples.begin(), packed.samples.end());
    device_.upload(host_.data(), std::ssize(host_));
  }

  [[nodiscard]] const Real* numbers() const { return device_.data(); }
  [[nodiscard]] const Real* samples() const { return device_.data() + first_sample_; }
  [[nodiscard]] const Real* on_host() const { return host_.data(); }
  /// Bit w is set where number w, of the first 64, is the same for all pairs of types.
  [[nodiscard]] std::uint64_t shared() const { return shared_; }

 private:
  std::vector<Real> host_;
  std::int64_t first_sample_ = 0;
  std::uint64_t shared_ = 0;
  Buffer<Real, Space> device_;
};

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_NUMBER_TABLE_CUH
