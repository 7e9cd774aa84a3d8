#ifndef TESSERA_BACKENDS_CUDA_SUM_CUB_PLAN_CUH
#define TESSERA_BACKENDS_CUDA_SUM_CUB_PLAN_CUH

#include "backends/gpu/sum_by_library/plan.cuh"

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>

/// \file
/// The plan of cuda.cub.

namespace tessera::gpu::sum_cub {

struct Cub {
  static constexpr const char* name = "cub::DeviceReduce";
  static constexpr const char* description = "cub::DeviceReduce over the sums of each row";

  template <class Use>
  [[nodiscard]] static auto sequence(const Use& use) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), use);
  }
  template <class Number, class Use>
  [[nodiscard]] static auto converted(const Number* numbers, const Use& use) {
    return thrust::make_transform_iterator(numbers, use);
  }
  template <class In, class Out>
  [[nodiscard]] static runtime::Error sum(void* memory, std::size_t& bytes, const In& in, Out* out,
                                          std::int64_t n, NativeStream stream) {
    return cub::DeviceReduce::Sum(memory, bytes, in, out, n, stream);
  }
  template <class In, class Out, class Join>
  [[nodiscard]] static runtime::Error reduce(void* memory, std::size_t& bytes, const In& in,
                                             Out* out, std::int64_t n, const Join& join,
                                             const Out& identity, NativeStream stream) {
    return cub::DeviceReduce::Reduce(memory, bytes, in, out, n, join, identity, stream);
  }
};

template <class P>
using CubPlan = sum_by_library::LibraryPlan<P, Cub>;

}  // namespace tessera::gpu::sum_cub

#endif  // TESSERA_BACKENDS_CUDA_SUM_CUB_PLAN_CUH
