// Compiled anew for each instruction set, in place of a guard: Highway turns its toggle between
// them.
#if defined(TESSERA_SUM_ROW_WEIGHTS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_ROW_WEIGHTS
#undef TESSERA_SUM_ROW_WEIGHTS
#else
#define TESSERA_SUM_ROW_WEIGHTS
#endif

#include "backends/openmp/sum_simd/policy.hpp"
#include "backends/openmp/sum_simd/sum_kernels.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

/// \file
/// Weights of some hundred rows, brought together in the nearest cache: whatever strides, classes
/// and masks there are, the loops over the columns meet one dense array. Include behind
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What the rows of a call are weighted by.
enum class Weighting {
  none,
  weights,
  about_origin,  ///< with weights, of one where none are given: rows of padding count as nothing
  /// What the mask leaves out is not multiplied by zero but left out: it may be infinite. With an
  /// origin, of zeros where none is given.
  masked,
};

[[nodiscard]] constexpr bool has_origin(Weighting weighting) {
  return weighting == Weighting::about_origin || weighting == Weighting::masked;
}

/// At most eight lanes: kernels know how many there are.
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
inline constexpr std::int64_t kLanes = hn::MaxLanes(D());
static_assert(kLanes == 2 || kLanes == 4 || kLanes == 8);

/// Elements that will be read soon.
template <class Storage>
HWY_INLINE void ask_for(const Storage* from, std::int64_t elements, std::int64_t bytes_ahead) {
  constexpr std::int64_t kLine = 64;
  // As a number: it may lie behind the array.
  const auto at = reinterpret_cast<std::uintptr_t>(from) + static_cast<std::uintptr_t>(bytes_ahead);
  const auto bytes = elements * static_cast<std::int64_t>(sizeof(Storage));
  for (std::int64_t b = 0; b < bytes; b += kLine)
    hwy::Prefetch(reinterpret_cast<const char*>(at + static_cast<std::uintptr_t>(b)));
}

/// Behind the last row of the room for weights: what a vector of weights may reach.
inline constexpr std::int64_t kPadding = 64;

struct WeightRoom {
  alignas(64) double weight[Policy::most_weight_rows + kPadding];
  alignas(64) double in[Policy::most_weight_rows + kPadding];  ///< 1, or 0 where left out
};

/// Weights of few classes come from one register.
HWY_INLINE std::int64_t look_up_weights(const RowWeights& of, std::int64_t first, std::int64_t rows,
                                        double* HWY_RESTRICT weight) {
  const D d;
  const hn::Rebind<std::int32_t, D> d32;
  const hn::RebindToSigned<D> d64;
  HWY_ALIGN double table[kLanes] = {};
  for (std::int64_t c = 0; c < of.classes; ++c)
    table[c] = of.weight[c * of.weight_stride];
  const V values = hn::Load(d, table);
  std::int64_t r = 0;
  for (; r + kLanes <= rows; r += kLanes) {
    const auto of_rows = hn::PromoteTo(d64, hn::LoadU(d32, of.row_class + first + r));
    hn::StoreU(hn::TableLookupLanes(values, hn::IndicesFromVec(d, of_rows)), d, weight + r);
  }
  return r;
}

/// Weights of the rows from first on; zero from there to the end of a vector.
template <Weighting kWeighting>
HWY_INLINE void bring_weights(const RowWeights& of, std::int64_t first, std::int64_t rows,
                              std::int64_t padded_rows, std::int64_t bytes_ahead,
                              WeightRoom& room) {
  if (of.row_class != nullptr && of.class_stride == 1)
    ask_for(of.row_class + first, rows, bytes_ahead);
  else if (of.weight != nullptr && of.weight_stride == 1)
    ask_for(of.weight + first, rows, bytes_ahead);
  std::int64_t r = 0;
  if (of.weight == nullptr) {
    for (; r < rows; ++r)
      room.weight[r] = 1;
  } else if (of.row_class == nullptr) {
    for (; r < rows; ++r)
      room.weight[r] = of.weight[(first + r) * of.weight_stride];
  } else {
    if (of.classes <= kLanes && of.class_stride == 1)
      r = look_up_weights(of, first, rows, room.weight);
    for (; r < rows; ++r)
      room.weight[r] = of.weight[of.row_class[(first + r) * of.class_stride] * of.weight_stride];
  }
  for (r = rows; r < padded_rows; ++r)
    room.weight[r] = 0;
  if constexpr (kWeighting == Weighting::masked) {
    if (of.mask == nullptr) {
      std::fill_n(room.in, rows, 1.0);
    } else {
      for (r = 0; r < rows; ++r) {
        const bool in = of.mask[(first + r) * of.mask_stride] != 0;
        room.in[r] = in ? 1 : 0;
        room.weight[r] = in ? room.weight[r] : 0;
      }
    }
    for (r = rows; r < padded_rows; ++r)
      room.in[r] = 0;
  }
}

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
