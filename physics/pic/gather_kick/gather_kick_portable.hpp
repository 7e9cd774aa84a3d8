#ifndef TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/gather_kick/gather_kick.hpp"
#include "physics/pic/particle_count.hpp"
#include "physics/pic/particle_shape.hpp"

/// \file
/// Portable body of pic/gather_kick: one work item per particle. It counts the particles that are
/// off the grid.

namespace tessera::pic {

template <class Storage, int Order>
struct KickParticle {
  GatherKickArgs<Storage> args;
  GridAxes axes;
  Storage factor;

  TESSERA_FUNCTION void operator()(std::int64_t p, std::int64_t& outside) const {
    if (args.alive.given() && args.alive(p) == 0) return;
    std::int32_t low[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    if (!locate_particle(axes, args.positions, p, low, fraction)) {
      ++outside;
      return;
    }
    const SharedParticle<Order, Storage> particle(low, fraction);
    for (int a = 0; a < 3; ++a)
      args.momenta(p, a) += factor * particle.gather(axes, args.field[a]);
  }
};

template <class P, ExecutionSpace Space>
class GatherKickPortable : public PortablePlan<GatherKick, P, Space> {
 public:
  using PortablePlan<GatherKick, P, Space>::PortablePlan;
  using Args = typename Plan<GatherKick, P>::Args;
  static constexpr PlanTraits<GatherKick> traits{.determinism = Determinism::any_order,
                                                 .features = {.shape_orders = most_shape_order}};

  static Refusal can_run(const GatherKickProblem&, const Context&, const NoParameters&) {
    return {};
  }

  void execute(const Args& args) override {
    using Storage = typename P::Storage;
    with_shape_order(this->problem_.shape_order, [&]<int Order>() {
      count_("gather and kick", args.positions.extent(0), std::int64_t{0},
             KickParticle<Storage, Order>{args, grid_axes(args.grid, Order),
                                          static_cast<Storage>(args.factor)},
             JoinCounts{}, StoreCount{args.outside});
    });
  }

 private:
  Reduction<std::int64_t, Space> count_{this->space_, this->problem_.particles};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_PORTABLE_HPP
