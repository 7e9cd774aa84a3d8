#include "backends/openmp/poisson_solve_fused/solve_kernels.hpp"

#include "backends/openmp/poisson_solve_fused/solve_targets.hpp"

// Highway compiles the vector code once for each instruction set by including this file repeatedly,
// hence without an include guard.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/openmp/poisson_solve_fused/solve_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// The scalar target, where it is compiled at all, comes last; it has no vectors.
#if HWY_TARGET != HWY_SCALAR
#include "backends/openmp/poisson_solve_fused/block_loop.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::fused::HWY_NAMESPACE {

template <class Storage>
Kernels<Storage> choose() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  return {static_cast<std::int64_t>(hn::MaxLanes(Tag<Storage>())), &convolve<Storage>,
          &to_blocks<Storage>, &from_blocks<Storage>};
#endif
}

Kernels<double> double_kernels() {
  return choose<double>();
}
Kernels<float> float_kernels() {
  return choose<float>();
}

}  // namespace tessera::openmp::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::openmp::fused {

HWY_EXPORT(double_kernels);
HWY_EXPORT(float_kernels);

template <>
Kernels<double> kernels<double>() {
  return HWY_DYNAMIC_DISPATCH(double_kernels)();
}
template <>
Kernels<float> kernels<float>() {
  return HWY_DYNAMIC_DISPATCH(float_kernels)();
}

}  // namespace tessera::openmp::fused

#endif  // HWY_ONCE
