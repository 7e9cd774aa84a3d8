#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/core/base/normal.hpp>
#include <tessera/core/operations/portable_plan.hpp>
#include <tessera/md/langevin/langevin.hpp>

/// \file
/// The portable body of md/langevin: one work item an atom.

namespace tessera::md {

template <class Storage, IntegratePhase Phase>
struct LangevinAtom {
  LangevinArgs<Storage> args;

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t type = args.types(i);
    const auto kick = static_cast<Storage>(0.5 * args.time_step * args.force_to_accel(type));
    Storage v[3];
    for (int d = 0; d < 3; ++d) {
      const Storage change = kick * args.forces(i, d);
      v[d] = args.velocities(i, d) + change;
      if constexpr (Phase == IntegratePhase::close_and_open) v[d] += change;
    }
    if constexpr (Phase != IntegratePhase::close) meet_bath(i, type, v);
    for (int d = 0; d < 3; ++d)
      args.velocities(i, d) = v[d];
  }

 private:
  TESSERA_INLINE void meet_bath(std::int64_t i, std::int32_t type, Storage (&v)[3]) const {
    const auto half_step = static_cast<Storage>(0.5 * args.time_step);
    const auto keep = static_cast<Storage>(args.keep);
    const Normals random = normals(args.seed, static_cast<std::uint64_t>(args.ids(i)),
                                   static_cast<std::uint64_t>(args.step));
    double gained = 0;
    for (int d = 0; d < 3; ++d) {
      const Storage before = v[d];
      v[d] = keep * before + static_cast<Storage>(args.noise(type) * random.value[d]);
      args.positions(i, d) += half_step * before;
      args.positions(i, d) += half_step * v[d];
      gained += static_cast<double>(v[d]) * static_cast<double>(v[d]) -
                static_cast<double>(before) * static_cast<double>(before);
    }
    if (args.heat.given()) args.heat(i) += args.half_mass(type) * gained;
  }
};

template <class P, ExecutionSpace Space>
class LangevinPortable : public PortablePlan<Langevin, P, Space> {
 public:
  using PortablePlan<Langevin, P, Space>::PortablePlan;
  using Args = typename Plan<Langevin, P>::Args;
  using Storage = typename P::Storage;
  static constexpr Determinism determinism = Determinism::any_order;

  void execute(const Args& args) override {
    switch (args.phase) {
      case IntegratePhase::open:
        run<IntegratePhase::open>("kick, drift and bath", args);
        break;
      case IntegratePhase::close:
        run<IntegratePhase::close>("half kick", args);
        break;
      case IntegratePhase::close_and_open:
        run<IntegratePhase::close_and_open>("kicks, drift and bath", args);
        break;
    }
  }

 private:
  template <IntegratePhase Phase>
  void run(const char* label, const Args& args) {
    this->space_.for_each(label, this->problem_.atoms, LangevinAtom<Storage, Phase>{args});
  }
};

}  // namespace tessera::md
