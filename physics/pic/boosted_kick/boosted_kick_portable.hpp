#ifndef TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "physics/pic/boosted_kick/boosted_momenta.hpp"
#include "physics/pic/particle_shape.hpp"

/// \file
/// Portable body of pic/boosted_kick: one work item per particle. It counts the particles that are
/// off the grid or cannot be converted.

namespace tessera::pic {

struct KickCounts {
  std::int64_t outside, impossible;
};

struct JoinKickCounts {
  TESSERA_FUNCTION void operator()(KickCounts& into, const KickCounts& from) const {
    into.outside += from.outside;
    into.impossible += from.impossible;
  }
};

struct StoreKickCounts {
  View<std::int64_t, 1> outside, impossible;
  TESSERA_FUNCTION void operator()(const KickCounts& counts) const {
    outside(0) = counts.outside;
    impossible(0) = counts.impossible;
  }
};

template <class Storage, int Order>
struct BoostedKickOfParticle {
  BoostedKickArgs<Storage> args;
  GridAxes axes;
  BoostedMomenta<Storage> momenta;

  TESSERA_FUNCTION void operator()(std::int64_t p, KickCounts& counts) const {
    if (args.alive.given() && args.alive(p) == 0) return;
    std::int32_t low[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    for (int a = 0; a < 3; ++a)
      if (!axes.axis[a].locate(static_cast<double>(args.coordinates(p, 2 * a)), low[a],
                               fraction[a])) {
        ++counts.outside;
        return;
      }
    const SharedParticle<Order, Storage> particle(low, fraction);
    Storage field[3];
    for (int a = 0; a < 3; ++a)
      field[a] = particle.gather(axes, args.field[a]);
    Storage now[3] = {args.coordinates(p, 1), args.coordinates(p, 3), args.coordinates(p, 5)};
    if (!momenta.kick(field, now)) {
      ++counts.impossible;
      if (args.alive.given()) args.alive(p) = 0;
      return;
    }
    for (int a = 0; a < 3; ++a)
      args.coordinates(p, 2 * a + 1) = now[a];
  }
};

template <class P, ExecutionSpace Space>
class BoostedKickPortable : public PortablePlan<BoostedKick, P, Space> {
 public:
  using PortablePlan<BoostedKick, P, Space>::PortablePlan;
  using Args = typename Plan<BoostedKick, P>::Args;
  static constexpr PlanTraits<BoostedKick> traits{.determinism = Determinism::any_order,
                                                  .features = {.shape_orders = most_shape_order}};

  static Refusal can_run(const BoostedKickProblem&, const Context&, const NoParameters&) {
    return {};
  }

  void execute(const Args& args) override {
    using Storage = typename P::Storage;
    with_shape_order(this->problem_.shape_order, [&]<int Order>() {
      count_("boosted kick", args.coordinates.extent(0), KickCounts{0, 0},
             BoostedKickOfParticle<Storage, Order>{args, grid_axes(args.grid, Order),
                                                   BoostedMomenta<Storage>(args)},
             JoinKickCounts{}, StoreKickCounts{args.outside, args.impossible});
    });
  }

 private:
  Reduction<KickCounts, Space> count_{this->space_, this->problem_.particles};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_PORTABLE_HPP
