// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_PLANES_KICK_LOOP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_PLANES_KICK_LOOP
#undef TESSERA_PLANES_KICK_LOOP
#else
#define TESSERA_PLANES_KICK_LOOP
#endif

#include "backends/openmp/gather_kick_planes/kick_kernels.hpp"
#include "backends/openmp/particle_planes/plane_weights.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

/// \file
/// Copies of the field with the components of a node adjacent, and the gather from them, in which
/// the components are the lanes of a vector. Include after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::gather_planes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using planes::group;

/// Copies a row; where the direction is periodic, its first nodes are repeated after the last.
template <class Storage>
HWY_INLINE void copy_row(const FieldPlane<Storage>& plane, std::int64_t row, double* copy) {
  const Storage* from[3];
  bool dense = true;
  for (int c = 0; c < 3; ++c) {
    from[c] = plane.field[c] + row * plane.row_stride[c];
    dense = dense && plane.node_stride[c] == 1;
  }
  std::int64_t k = 0;
  if constexpr (std::is_same_v<Storage, double>) {
    if (dense) {
      const hn::CappedTag<double, 8> d;
      const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
      for (; k + lanes <= plane.row_nodes; k += lanes)
        hn::StoreInterleaved4(hn::LoadU(d, from[0] + k), hn::LoadU(d, from[1] + k),
                              hn::LoadU(d, from[2] + k), hn::Zero(d), d, copy + components * k);
    }
  }
  for (; k < plane.row_nodes; ++k) {
    for (int c = 0; c < 3; ++c)
      copy[components * k + c] = static_cast<double>(from[c][k * plane.node_stride[c]]);
    copy[components * k + 3] = 0;
  }
  for (; k < plane.layout.row_nodes; ++k)
    std::copy_n(copy + components * (k - plane.row_nodes), components, copy + components * k);
}

template <class Storage>
void copy_plane(const FieldPlane<Storage>& plane) {
  for (std::int64_t row = 0; row < plane.layout.rows; ++row)
    copy_row(plane, row % plane.rows, plane.copy + row * plane.layout.pitch * components);
}

template <int shape_order_value>
void kick_records(const KickRecords& run) {
  constexpr int node_count = shape_order_value + 1;
  const hn::CappedTag<double, components> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lane_count = hn::MaxLanes(decltype(d)());
  constexpr std::size_t part_count = components / lane_count;
  const planes::PlaneRing<components>& field = run.field;
  const V factor = hn::Set(d, run.factor);
  planes::HWY_NAMESPACE::GroupWeights<shape_order_value> weights;
  for (std::int64_t first = 0; first < run.count; first += group) {
    planes::Record* const records = run.records + first;
    weights.find(records, nullptr);
    const std::int64_t count = std::min(group, run.count - first);
    for (std::int64_t q = 0; q < count; ++q) {
      const std::int64_t node = std::int64_t{records[q].node} * components;
      V sum[part_count];
      for (V& part : sum)
        part = hn::Zero(d);
      for (int i = 0; i < node_count; ++i) {
        const double* at = field.of_bin(records[q].plane + i) + node;
        for (int j = 0; j < node_count; ++j, at += field.pitch) {
          const V of_row = hn::Set(d, weights.row[i * node_count + j][q]);
          for (std::size_t part = 0; part < part_count; ++part) {
            V row = hn::Mul(hn::Set(d, weights.node[0][q]), hn::Load(d, at + part * lane_count));
            for (int k = 1; k < node_count; ++k)
              row = hn::MulAdd(
                  hn::Set(d, weights.node[k][q]),
                  hn::Load(d, at + static_cast<std::size_t>(k) * components + part * lane_count),
                  row);
            sum[part] = hn::MulAdd(of_row, row, sum[part]);
          }
        }
      }
      for (std::size_t part = 0; part < part_count; ++part)
        hn::Store(hn::Mul(factor, sum[part]), d,
                  reinterpret_cast<double*>(records + q) + part * lane_count);
    }
  }
}

}  // namespace tessera::openmp::gather_planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
