#include "backends/openmp/sum_simd/sum_kernels.hpp"
#include "backends/openmp/sum_simd/sum_targets.hpp"

// Highway compiles the vector code once for each instruction set by including this file repeatedly,
// hence without an include guard.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/openmp/sum_simd/fixed_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#if HWY_TARGET != HWY_SCALAR
#include "backends/openmp/sum_simd/fixed_block.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

// Fixed point needs multiply-adds that round once.
#if HWY_TARGET == HWY_SCALAR || !HWY_NATIVE_FMA

template <class Storage, bool with_products>
AddFixedBlock<Storage> choose_fixed(Layout, int) {
  return nullptr;
}

#else

template <class Storage, Layout memory_layout, int column_count, bool with_products>
void add_fixed(const Block<Storage>& block, const reduction::SumScales& scales,
               FixedTotals& totals) {
  const auto add = [&]<Weighting weighting_kind>() {
    FixedBlock<memory_layout, column_count, with_products, weighting_kind, Storage>::add(
        block, scales, totals);
  };
  if (block.weights.mask != nullptr)
    add.template operator()<Weighting::masked>();
  else if (block.weights.weight != nullptr)
    add.template operator()<Weighting::weights>();
  else
    add.template operator()<Weighting::none>();
}

template <class Storage, bool with_products>
AddFixedBlock<Storage> choose_fixed(Layout layout, int columns) {
  if (layout == Layout::rows_of_six)
    return &add_fixed<Storage, Layout::rows_of_six, 6, with_products>;
  if (layout == Layout::rows_of_three)
    return &add_fixed<Storage, Layout::rows_of_three, 3, with_products>;
  if (columns == 1) return &add_fixed<Storage, Layout::columns, 1, with_products>;
  if (columns == 3) return &add_fixed<Storage, Layout::columns, 3, with_products>;
  return &add_fixed<Storage, Layout::columns, 6, with_products>;
}

#endif

AddFixedBlock<double> fixed_double_kernel(Layout layout, int columns, bool products) {
  return products ? choose_fixed<double, true>(layout, columns)
                  : choose_fixed<double, false>(layout, columns);
}
AddFixedBlock<float> fixed_float_kernel(Layout layout, int columns, bool products) {
  return products ? choose_fixed<float, true>(layout, columns)
                  : choose_fixed<float, false>(layout, columns);
}

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::openmp::simd_sum {

HWY_EXPORT(fixed_double_kernel);
HWY_EXPORT(fixed_float_kernel);

template <>
AddFixedBlock<double> fixed_kernel<double>(Layout layout, int columns, bool products) {
  return HWY_DYNAMIC_DISPATCH(fixed_double_kernel)(layout, columns, products);
}
template <>
AddFixedBlock<float> fixed_kernel<float>(Layout layout, int columns, bool products) {
  return HWY_DYNAMIC_DISPATCH(fixed_float_kernel)(layout, columns, products);
}

}  // namespace tessera::openmp::simd_sum

#endif  // HWY_ONCE
