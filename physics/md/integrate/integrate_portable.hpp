#ifndef TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_PORTABLE_HPP
#define TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/md/integrate/integrate.hpp"
#include "physics/md/integrate/kick_and_drift.hpp"

/// \file
/// The portable body of md/integrate.

namespace tessera::md {

/// One work item per atom; on coalesced spaces one per coordinate, so that neighboring items access
/// neighboring addresses.
template <class Storage, IntegratePhase Phase, bool ByCoordinate>
struct IntegrateAtom {
  IntegrateArgs<Storage> args;

  TESSERA_FUNCTION void operator()(std::int64_t item) const {
    if constexpr (ByCoordinate) {
      const std::int64_t i = item / 3;
      move(i, static_cast<int>(item - 3 * i), half_kick(i));
    } else {
      const Storage kick = half_kick(item);
      for (int d = 0; d < 3; ++d)
        move(item, d, kick);
    }
  }

 private:
  [[nodiscard]] TESSERA_INLINE Storage half_kick(std::int64_t i) const {
    return static_cast<Storage>(0.5 * args.time_step * args.force_to_accel(args.types(i)));
  }

  TESSERA_INLINE void move(std::int64_t i, int d, Storage kick) const {
    if constexpr (Phase == IntegratePhase::close_and_open) {
      kick_and_drift(kick, args.forces(i, d), static_cast<Storage>(args.time_step),
                     args.velocities(i, d), args.positions(i, d));
    } else {
      const Storage v = args.velocities(i, d) + kick * args.forces(i, d);
      args.velocities(i, d) = v;
      if constexpr (Phase == IntegratePhase::open)
        args.positions(i, d) += static_cast<Storage>(args.time_step) * v;
    }
  }
};

template <class P, ExecutionSpace Space>
class IntegratePortable : public PortablePlan<Integrate, P, Space> {
 public:
  using PortablePlan<Integrate, P, Space>::PortablePlan;
  using Args = typename Plan<Integrate, P>::Args;
  using Storage = typename P::Storage;
  static constexpr PlanTraits<Integrate> traits{.determinism = Determinism::any_order};

  static Refusal can_run(const IntegrateProblem&, const Context&, const NoParameters&) {
    return {};
  }

  void execute(const Args& args) override {
    switch (args.phase) {
      case IntegratePhase::open:
        run<IntegratePhase::open>("half kick and drift", args);
        break;
      case IntegratePhase::close:
        run<IntegratePhase::close>("half kick", args);
        break;
      case IntegratePhase::close_and_open:
        run<IntegratePhase::close_and_open>("kick and drift", args);
        break;
    }
  }

 private:
  template <IntegratePhase Phase>
  void run(const char* label, const Args& args) {
    this->space_.for_each(label, this->problem_.atoms * (Space::coalesced ? 3 : 1),
                          IntegrateAtom<Storage, Phase, Space::coalesced>{args});
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_PORTABLE_HPP
