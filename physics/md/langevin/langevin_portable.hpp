#ifndef TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_PORTABLE_HPP
#define TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/base/normal.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/md/langevin/bath.hpp"
#include "physics/md/langevin/langevin.hpp"

/// \file
/// The portable body of md/langevin: one work item per atom. If the noise must carry no momentum, a
/// pass before it sums the momentum of the noise.

namespace tessera::md {

struct JoinNoise {
  TESSERA_FUNCTION void operator()(NoiseSum& into, const NoiseSum& from) const { into.join(from); }
};

/// The velocity that the noise gives to the center of mass, and the unit of its fixed-point sum.
struct NoiseMean {
  double velocity[3];
  double largest;  ///< largest product of noise and half_mass among the types
};

template <class Storage>
struct LargestNoise {
  LangevinArgs<Storage> args;
  std::int64_t types;
  NoiseMean* mean;

  TESSERA_FUNCTION void operator()(std::int64_t) const {
    double largest = 0;
    for (std::int64_t type = 0; type < types; ++type) {
      const double product = args.half_mass(type) * args.noise(type);
      if (product > largest) largest = product;
    }
    mean->largest = largest;
  }
};

template <class Storage>
struct AddNoise {
  LangevinArgs<Storage> args;
  const NoiseMean* mean;

  TESSERA_FUNCTION void operator()(std::int64_t i, NoiseSum& sum) const {
    const std::int32_t type = args.types(i);
    const double share = args.half_mass(type) * args.noise(type) / mean->largest;
    const Normals random = normals(args.seed, static_cast<std::uint64_t>(args.ids(i)),
                                   static_cast<std::uint64_t>(args.step));
    sum.add(share, {random.value[0], random.value[1], random.value[2]});
  }
};

struct StoreNoiseMean {
  double total_half_mass;
  NoiseMean* mean;

  TESSERA_FUNCTION void operator()(const NoiseSum& sum) const {
    for (int d = 0; d < 3; ++d)
      mean->velocity[d] = sum.mean(d, mean->largest, total_half_mass);
  }
};

/// \tparam Zero whether the noise must carry no momentum
template <class Storage, IntegratePhase Phase, bool Zero>
struct LangevinAtom {
  LangevinArgs<Storage> args;
  const NoiseMean* mean;

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
      double push = 0;
      if constexpr (Zero) push = args.half_mass(type) > 0 ? -mean->velocity[d] : 0;
      double kick = noise_kick(args.noise(type), random.value[d], push);
      if (d >= args.dimensions) kick = 0;
      gained += drift_through_bath(keep, kick, half_step, v[d], args.positions(i, d));
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
  static constexpr PlanTraits<Langevin> traits{.determinism = Determinism::any_order};

  static Refusal can_run(const IntegrateProblem&, const Context&, const NoParameters&) {
    return {};
  }

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
    const std::int64_t atoms = this->problem_.atoms;
    if (Phase == IntegratePhase::close || args.total_half_mass == 0 || atoms == 0) {
      this->space_.for_each(label, atoms, LangevinAtom<Storage, Phase, false>{args, nullptr});
      return;
    }
    NoiseMean* const mean = mean_.data();
    this->space_.for_each("largest noise", 1,
                          LargestNoise<Storage>{args, this->problem_.types, mean});
    add_("momentum of noise", atoms, NoiseSum{}, AddNoise<Storage>{args, mean}, JoinNoise{},
         StoreNoiseMean{args.total_half_mass, mean});
    this->space_.for_each(label, atoms, LangevinAtom<Storage, Phase, true>{args, mean});
  }

  Buffer<NoiseMean, Space> mean_{this->space_, 1};
  Reduction<NoiseSum, Space> add_{this->space_, this->problem_.atoms};
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_PORTABLE_HPP
