#include "backends/openmp/sum_simd/sum_kernels.hpp"

#include "backends/openmp/sum_simd/sum_targets.hpp"

// Highway compiles the vector code once for each instruction set by including this file repeatedly,
// hence without an include guard.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/openmp/sum_simd/sum_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// The scalar target, where it is compiled at all, comes last; it has no vectors.
#if HWY_TARGET != HWY_SCALAR
#include "backends/openmp/sum_simd/add_block.hpp"
#include "backends/openmp/sum_simd/column_in_parts.hpp"
#include "backends/openmp/sum_simd/single_columns.hpp"
#include "backends/openmp/sum_simd/six_columns.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

template <class Storage, bool with_products>
AddBlock<Storage> choose(Layout, int) {
  return nullptr;
}

#else

template <class Storage, template <Weighting> class Sums>
void add_weighted(const Block<Storage>& block, DoubleTotals& totals) {
  const auto add = [&]<Weighting weighting_kind>() {
    BlockOfRows<Sums<weighting_kind>, Storage>::add(block, totals.value);
  };
  if (block.weights.mask != nullptr)
    add.template operator()<Weighting::masked>();
  else if (block.about_origin)
    add.template operator()<Weighting::about_origin>();
  else if (block.weights.weight != nullptr)
    add.template operator()<Weighting::weights>();
  else
    add.template operator()<Weighting::none>();
}

template <bool with_products>
struct RowsOfSix {
  template <Weighting weighting_kind>
  using Sums = SixColumns<with_products, weighting_kind>;
};
template <Layout memory_layout, int column_count, bool with_products>
struct Single {
  template <Weighting weighting_kind>
  using Sums = SingleColumns<memory_layout, column_count, with_products, weighting_kind>;
};

template <class Storage, bool with_products>
void add_column(const Block<Storage>& block, DoubleTotals& totals) {
  if (!with_products && !block.about_origin && block.weights.mask == nullptr &&
      block.weights.weight == nullptr)
    add_column_in_parts(block, totals.value);
  else
    add_weighted<Storage, Single<Layout::columns, 1, with_products>::template Sums>(block, totals);
}

template <class Storage, bool with_products>
AddBlock<Storage> choose(Layout layout, int columns) {
  if (layout == Layout::rows_of_six)
    return &add_weighted<Storage, RowsOfSix<with_products>::template Sums>;
  if (layout == Layout::rows_of_three)
    return &add_weighted<Storage, Single<Layout::rows_of_three, 3, with_products>::template Sums>;
  if (columns == 1) return &add_column<Storage, with_products>;
  if (columns == 3)
    return &add_weighted<Storage, Single<Layout::columns, 3, with_products>::template Sums>;
  return &add_weighted<Storage, Single<Layout::columns, 6, with_products>::template Sums>;
}

#endif

AddBlock<double> double_kernel(Layout layout, int columns, bool products) {
  return products ? choose<double, true>(layout, columns) : choose<double, false>(layout, columns);
}
AddBlock<float> float_kernel(Layout layout, int columns, bool products) {
  return products ? choose<float, true>(layout, columns) : choose<float, false>(layout, columns);
}

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::openmp::simd_sum {

HWY_EXPORT(double_kernel);
HWY_EXPORT(float_kernel);

template <>
AddBlock<double> kernel<double>(Layout layout, int columns, bool products) {
  return HWY_DYNAMIC_DISPATCH(double_kernel)(layout, columns, products);
}
template <>
AddBlock<float> kernel<float>(Layout layout, int columns, bool products) {
  return HWY_DYNAMIC_DISPATCH(float_kernel)(layout, columns, products);
}

}  // namespace tessera::openmp::simd_sum

#endif  // HWY_ONCE
