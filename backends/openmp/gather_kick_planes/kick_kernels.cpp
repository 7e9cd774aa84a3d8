#include "backends/openmp/gather_kick_planes/kick_kernels.hpp"

#include "backends/openmp/particle_planes/plane_targets.hpp"

// Highway compiles the vector code once for each instruction set by including this file repeatedly,
// hence without an include guard.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/openmp/gather_kick_planes/kick_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// The scalar target, where it is compiled at all, comes last; it has no vectors.
#if HWY_TARGET != HWY_SCALAR
#include "backends/openmp/gather_kick_planes/kick_loop.hpp"
#include "backends/openmp/particle_planes/plane_split_loop.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::gather_planes::HWY_NAMESPACE {

template <class Storage>
Kernels<Storage> choose() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  return {&planes::HWY_NAMESPACE::split_particles<Storage>,
          &copy_plane<Storage>,
          {&kick_records<1>, &kick_records<2>, &kick_records<3>}};
#endif
}

Kernels<double> double_kernels() {
  return choose<double>();
}
Kernels<float> float_kernels() {
  return choose<float>();
}

}  // namespace tessera::openmp::gather_planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::openmp::gather_planes {

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

}  // namespace tessera::openmp::gather_planes

#endif  // HWY_ONCE
