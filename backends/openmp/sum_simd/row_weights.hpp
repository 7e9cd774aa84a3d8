// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_ROW_WEIGHTS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_ROW_WEIGHTS
#undef TESSERA_SUM_ROW_WEIGHTS
#else
#define TESSERA_SUM_ROW_WEIGHTS
#endif

#include "backends/openmp/sum_simd/parameters.hpp"
#include "backends/openmp/sum_simd/sum_kernels.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

/// \file
/// Weights of some hundred rows, collected in the first-level cache: for any strides, classes and
/// masks, the loops over the columns read one contiguous array. Include after
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Weighting of the rows of a call.
enum class Weighting {
  none,
  weights,
  about_origin,  ///< with weights, one where none are given, so that padding can have weight zero
  /// Values that the mask excludes are removed, not multiplied by zero, because they may be
  /// infinite. With an origin, zero where none is given.
  masked,
};

[[nodiscard]] constexpr bool has_origin(Weighting weighting) {
  return weighting == Weighting::about_origin || weighting == Weighting::masked;
}

/// Vectors of at most eight lanes; kernels support two, four and eight.
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
inline constexpr std::int64_t lane_count = hn::MaxLanes(D());
static_assert(lane_count == 2 || lane_count == 4 || lane_count == 8);

/// Prefetches elements `bytes_ahead` bytes after `from`.
template <class Storage>
HWY_INLINE void ask_for(const Storage* from, std::int64_t elements, std::int64_t bytes_ahead) {
  constexpr std::int64_t line_length = 64;
  // An integer, because the address may be past the array.
  const auto at = reinterpret_cast<std::uintptr_t>(from) + static_cast<std::uintptr_t>(bytes_ahead);
  const auto bytes = elements * static_cast<std::int64_t>(sizeof(Storage));
  for (std::int64_t b = 0; b < bytes; b += line_length)
    hwy::Prefetch(reinterpret_cast<const char*>(at + static_cast<std::uintptr_t>(b)));
}

/// Elements past the last weight that vector accesses may touch.
inline constexpr std::int64_t padding_rows = 64;

struct WeightScratch {
  alignas(64) double weight[Parameters::most_weight_rows + padding_rows];
  alignas(64) double in[Parameters::most_weight_rows + padding_rows];  ///< 1, or 0 where masked out
};

/// Looks up weights of few classes in one register. \returns the number of rows done.
HWY_INLINE std::int64_t look_up_weights(const RowWeights& of, std::int64_t first, std::int64_t rows,
                                        double* HWY_RESTRICT weight) {
  const D d;
  const hn::Rebind<std::int32_t, D> d32;
  const hn::RebindToSigned<D> d64;
  HWY_ALIGN double table[lane_count] = {};
  for (std::int64_t c = 0; c < of.classes; ++c)
    table[c] = of.weight[c * of.weight_stride];
  const V values = hn::Load(d, table);
  std::int64_t r = 0;
  for (; r + lane_count <= rows; r += lane_count) {
    const auto of_rows = hn::PromoteTo(d64, hn::LoadU(d32, of.row_class + first + r));
    hn::StoreU(hn::TableLookupLanes(values, hn::IndicesFromVec(d, of_rows)), d, weight + r);
  }
  return r;
}

/// Collects the weights of `rows` rows from `first` on, padded with zeros to `padded_rows`.
template <Weighting weighting_kind>
HWY_INLINE void bring_weights(const RowWeights& of, std::int64_t first, std::int64_t rows,
                              std::int64_t padded_rows, std::int64_t bytes_ahead,
                              WeightScratch& scratch) {
  if (of.row_class != nullptr && of.class_stride == 1)
    ask_for(of.row_class + first, rows, bytes_ahead);
  else if (of.weight != nullptr && of.weight_stride == 1)
    ask_for(of.weight + first, rows, bytes_ahead);
  std::int64_t r = 0;
  if (of.weight == nullptr) {
    for (; r < rows; ++r)
      scratch.weight[r] = 1;
  } else if (of.row_class == nullptr) {
    for (; r < rows; ++r)
      scratch.weight[r] = of.weight[(first + r) * of.weight_stride];
  } else {
    if (of.classes <= lane_count && of.class_stride == 1)
      r = look_up_weights(of, first, rows, scratch.weight);
    for (; r < rows; ++r)
      scratch.weight[r] = of.weight[of.row_class[(first + r) * of.class_stride] * of.weight_stride];
  }
  for (r = rows; r < padded_rows; ++r)
    scratch.weight[r] = 0;
  if constexpr (weighting_kind == Weighting::masked) {
    if (of.mask == nullptr) {
      std::fill_n(scratch.in, rows, 1.0);
    } else {
      for (r = 0; r < rows; ++r) {
        const bool in = of.mask[(first + r) * of.mask_stride] != 0;
        scratch.in[r] = in ? 1 : 0;
        scratch.weight[r] = in ? scratch.weight[r] : 0;
      }
    }
    for (r = rows; r < padded_rows; ++r)
      scratch.in[r] = 0;
  }
}

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
