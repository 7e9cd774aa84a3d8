#ifndef TESSERA_BACKENDS_HIP_SUM_ROCPRIM_PLAN_CUH
#define TESSERA_BACKENDS_HIP_SUM_ROCPRIM_PLAN_CUH

#include "backends/gpu/sum_by_library/plan.cuh"

// The first of rocPRIM's headers needs these two in version 5.3.
// clang-format off
#include <chrono>
#include <iostream>
// clang-format on
#include <rocprim/device/device_reduce.hpp>
#include <rocprim/functional.hpp>
#include <rocprim/iterator/counting_iterator.hpp>
#include <rocprim/iterator/transform_iterator.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// The plan of hip.rocprim.

namespace tessera::gpu::sum_rocprim {

struct RocPrim {
  static constexpr const char* name = "rocprim::reduce";
  static constexpr const char* description = "rocprim::reduce over the sums of each row";

  template <class Use>
  [[nodiscard]] static auto sequence(const Use& use) {
    return rocprim::make_transform_iterator(rocprim::make_counting_iterator(std::int64_t{0}), use);
  }
  template <class Number, class Use>
  [[nodiscard]] static auto converted(const Number* numbers, const Use& use) {
    return rocprim::make_transform_iterator(numbers, use);
  }
  template <class In, class Out>
  [[nodiscard]] static runtime::Error sum(void* memory, std::size_t& bytes, const In& in, Out* out,
                                          std::int64_t n, NativeStream stream) {
    return reduce(memory, bytes, in, out, n, rocprim::plus<Out>(), Out{}, stream);
  }
  template <class In, class Out, class Join>
  [[nodiscard]] static runtime::Error reduce(void* memory, std::size_t& bytes, const In& in,
                                             Out* out, std::int64_t n, const Join& join,
                                             const Out& identity, NativeStream stream) {
    // By default a value of each thread is in shared memory, which has no room for wide integers.
    using Large =
        rocprim::reduce_config<256, 1, rocprim::block_reduce_algorithm::using_warp_reduce>;
    using Config = std::conditional_t<(sizeof(Out) > 256), Large, rocprim::default_config>;
    return rocprim::reduce<Config>(memory, bytes, in, out, identity, static_cast<std::size_t>(n),
                                   join, stream);
  }
};

template <class P>
using RocPrimPlan = sum_by_library::LibraryPlan<P, RocPrim>;

}  // namespace tessera::gpu::sum_rocprim

#endif  // TESSERA_BACKENDS_HIP_SUM_ROCPRIM_PLAN_CUH
