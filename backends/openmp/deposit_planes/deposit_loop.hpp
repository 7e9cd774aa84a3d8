// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_PLANES_DEPOSIT_LOOP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_PLANES_DEPOSIT_LOOP
#undef TESSERA_PLANES_DEPOSIT_LOOP
#else
#define TESSERA_PLANES_DEPOSIT_LOOP
#endif

#include "backends/openmp/deposit_planes/deposit_kernels.hpp"
#include "backends/openmp/particle_planes/plane_weights.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

/// \file
/// Addition of the shares of particles to nodes, a pair of neighboring nodes at a time. Include
/// after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::deposit_planes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using planes::group;

template <int shape_order_value>
void deposit_records(const DepositRecords& run) {
  constexpr int node_count = shape_order_value + 1;
  constexpr int kPairs = node_count / 2;
  const hn::FixedTag<double, 2> two;
  using Pair = hn::Vec<decltype(two)>;
  const planes::PlaneRing<1>& charge = run.charge;
  planes::HWY_NAMESPACE::GroupWeights<shape_order_value> weights;
  HWY_ALIGN double along[group][4];  // weights along rows, contiguous for each particle
  for (std::int64_t first = 0; first < run.count; first += group) {
    const planes::Record* const records = run.records + first;
    weights.find(records, run.weights == nullptr ? nullptr : run.weights + first);
    for (std::int64_t q = 0; q < group; ++q)
      for (int k = 0; k < node_count; ++k)
        along[q][k] = weights.node[k][q];
    const std::int64_t count = std::min(group, run.count - first);
    for (std::int64_t q = 0; q < count; ++q) {
      Pair of_pair[kPairs];
      for (int pair = 0; pair < kPairs; ++pair)
        of_pair[pair] = hn::Load(two, along[q] + 2 * pair);
      for (int i = 0; i < node_count; ++i) {
        double* at = charge.of_bin(records[q].plane + i) + records[q].node;
        for (int j = 0; j < node_count; ++j, at += charge.pitch) {
          const double of_row = weights.row[i * node_count + j][q];
          for (int pair = 0; pair < kPairs; ++pair)
            hn::StoreU(
                hn::MulAdd(hn::Set(two, of_row), of_pair[pair], hn::LoadU(two, at + 2 * pair)), two,
                at + 2 * pair);
          if constexpr (node_count % 2 == 1)
            at[node_count - 1] += of_row * along[q][node_count - 1];
        }
      }
    }
  }
}

}  // namespace tessera::openmp::deposit_planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
