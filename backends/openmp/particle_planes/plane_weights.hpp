// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_PLANE_WEIGHTS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_PLANE_WEIGHTS
#undef TESSERA_PLANE_WEIGHTS
#else
#define TESSERA_PLANE_WEIGHTS
#endif

#include "backends/openmp/particle_planes/plane_split.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>

/// \file
/// Weights of the nodes of a particle (physics/pic/particle_shape.hpp), for a group of records.
/// Include after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::planes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int shape_order_value, class D>
HWY_INLINE void shape_weights(D d, hn::Vec<D> f, hn::Vec<D> (&w)[shape_order_value + 1]) {
  const auto one = hn::Set(d, 1);
  const auto rest = hn::Sub(one, f);
  if constexpr (shape_order_value == 1) {
    w[0] = rest;
    w[1] = f;
  } else if constexpr (shape_order_value == 2) {
    const auto half = hn::Set(d, 0.5);
    w[0] = hn::Mul(hn::Mul(half, rest), rest);
    w[2] = hn::Mul(hn::Mul(half, f), f);
    w[1] = hn::Sub(hn::Sub(one, w[0]), w[2]);
  } else {
    const auto sixth = hn::Set(d, 1.0 / 6);
    w[0] = hn::Mul(hn::Mul(hn::Mul(sixth, rest), rest), rest);
    w[3] = hn::Mul(hn::Mul(hn::Mul(sixth, f), f), f);
    w[2] = hn::Sub(hn::Add(f, w[0]), hn::Add(w[3], w[3]));
    w[1] = hn::Sub(hn::Sub(hn::Sub(one, w[0]), w[2]), w[3]);
  }
}

/// Weights for `group` records. Weights of rows are products of two directions.
template <int shape_order_value>
struct GroupWeights {
  static constexpr int node_count = shape_order_value + 1;
  static constexpr std::int64_t kAhead = 8 * group;      ///< prefetch distance in records
  HWY_ALIGN double row[node_count * node_count][group];  ///< plane by plane
  HWY_ALIGN double node[node_count][group];

  /// Computes the weights, and prefetches records some groups ahead.
  /// \param scale factor of all weights of a record; null: 1.
  HWY_INLINE void find(const Record* records, const double* scale) {
    const hn::CappedTag<double, group> d;
    using V = hn::Vec<decltype(d)>;
    for (std::int64_t r = 0; r < group; r += 2)
      hwy::Prefetch(records + kAhead + r);
    for (std::size_t q = 0; q < group; q += hn::Lanes(d)) {
      V f[3], unused, plane[node_count], across[node_count], along[node_count];
      hn::LoadInterleaved4(d, reinterpret_cast<const double*>(records + q), f[0], f[1], f[2],
                           unused);
      shape_weights<shape_order_value>(d, f[0], plane);
      shape_weights<shape_order_value>(d, f[1], across);
      shape_weights<shape_order_value>(d, f[2], along);
      for (int i = 0; i < node_count; ++i) {
        if (scale != nullptr) plane[i] = hn::Mul(plane[i], hn::LoadU(d, scale + q));
        for (int j = 0; j < node_count; ++j)
          hn::Store(hn::Mul(plane[i], across[j]), d, row[i * node_count + j] + q);
        hn::Store(along[i], d, node[i] + q);
      }
    }
  }
};

}  // namespace tessera::openmp::planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
