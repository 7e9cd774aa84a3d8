#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/core/operations/portable_plan.hpp>
#include <tessera/pic/cloud_in_cell.hpp>
#include <tessera/pic/gather_kick/gather_kick.hpp>
#include <tessera/pic/particle_count.hpp>

/// \file
/// The portable body of pic/gather_kick: one work item a particle, those counted that are off the
/// grid.

namespace tessera::pic {

template <class Storage>
struct KickParticle {
  GatherKickArgs<Storage> args;
  GridAxes axes;
  Storage factor;

  TESSERA_FUNCTION void operator()(std::int64_t p, std::int64_t& outside) const {
    if (args.alive.given() && args.alive(p) == 0) return;
    std::int32_t low[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    for (int a = 0; a < 3; ++a)
      if (!axes.axis[a].locate(static_cast<double>(args.positions(p, a)), low[a], fraction[a])) {
        ++outside;
        return;
      }
    const auto x = static_cast<Storage>(fraction[0]);
    const auto y = static_cast<Storage>(fraction[1]);
    const auto z = static_cast<Storage>(fraction[2]);
    for (int a = 0; a < 3; ++a) {
      const View<const Storage, 3>& field = args.field[a];
      const std::int64_t up[3] = {(axes.axis[0].above(low[0]) - low[0]) * field.strides[0],
                                  (axes.axis[1].above(low[1]) - low[1]) * field.strides[1],
                                  (axes.axis[2].above(low[2]) - low[2]) * field.strides[2]};
      const Storage* const node = &field(low[0], low[1], low[2]);
      const auto along_z = [&](const Storage* at) { return between(at[0], at[up[2]], z); };
      const auto along_y = [&](const Storage* at) {
        return between(along_z(at), along_z(at + up[1]), y);
      };
      args.momenta(p, a) += factor * between(along_y(node), along_y(node + up[0]), x);
    }
  }

 private:
  [[nodiscard]] static TESSERA_INLINE Storage between(Storage low, Storage high, Storage share) {
    return (Storage(1) - share) * low + share * high;
  }
};

template <class P, ExecutionSpace Space>
class GatherKickPortable : public PortablePlan<GatherKick, P, Space> {
 public:
  using PortablePlan<GatherKick, P, Space>::PortablePlan;
  using Args = typename Plan<GatherKick, P>::Args;
  static constexpr Determinism determinism = Determinism::any_order;

  void execute(const Args& args) override {
    using Storage = typename P::Storage;
    count_("gather and kick", args.positions.extent(0), std::int64_t{0},
           KickParticle<Storage>{args, grid_axes(args.grid), static_cast<Storage>(args.factor)},
           JoinCounts{}, StoreCount{args.outside});
  }

 private:
  Reduction<std::int64_t, Space> count_{this->space_, this->problem_.particles};
};

}  // namespace tessera::pic
