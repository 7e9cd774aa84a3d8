#ifndef TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/frame_change/longitudinal.hpp"
#include "physics/pic/particle_count.hpp"

/// \file
/// Portable body of pic/frame_change: one work item per particle. It counts the particles that
/// cannot be converted.

namespace tessera::pic {

template <class Storage>
struct ChangeFrameOfParticle {
  FrameChangeArgs<Storage> args;
  FrameNumbers numbers;

  TESSERA_FUNCTION void operator()(std::int64_t p, std::int64_t& impossible) const {
    const Storage values[4] = {args.coordinates(p, 1), args.coordinates(p, 3),
                               args.coordinates(p, 4), args.coordinates(p, 5)};
    convert(p, values, !args.alive.given() || args.alive(p) != 0, impossible);
  }

  /// \param values columns 1, 3, 4 and 5 of particle p.
  TESSERA_INLINE void convert(std::int64_t p, const Storage (&values)[4], bool lives,
                              std::int64_t& impossible) const {
    // Converts lost particles too: otherwise a GPU would have to load `alive` before it loads the
    // coordinates.
    const auto xp = static_cast<double>(values[0]);
    const auto yp = static_cast<double>(values[1]);
    const double t = xp * xp + yp * yp;
    Longitudinal l = {static_cast<double>(values[2]), static_cast<double>(values[3])};
    const bool done = args.to == Frame::beam ? to_beam(numbers, args.accelerator, t, l)
                                             : to_accelerator(numbers, args.accelerator, t, l);
    if (done & lives) {
      args.coordinates(p, 4) = static_cast<Storage>(l.place);
      args.coordinates(p, 5) = static_cast<Storage>(l.momentum);
    } else if (lives) {
      ++impossible;
      if (args.alive.given()) args.alive(p) = 0;
    }
  }
};

template <class P, ExecutionSpace Space>
class FrameChangePortable : public PortablePlan<FrameChange, P, Space> {
 public:
  using PortablePlan<FrameChange, P, Space>::PortablePlan;
  using Args = typename Plan<FrameChange, P>::Args;
  static constexpr PlanTraits<FrameChange> traits{.determinism = Determinism::any_order};

  static Refusal can_run(const FrameChangeProblem&, const Context&, const NoParameters&) {
    return {};
  }

  void execute(const Args& args) override {
    count_("change frame", this->problem_.particles, std::int64_t{0},
           ChangeFrameOfParticle<typename P::Storage>{args, FrameNumbers(args.reference)},
           JoinCounts{}, StoreCount{args.impossible});
  }

 private:
  Reduction<std::int64_t, Space> count_{this->space_, this->problem_.particles};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_PORTABLE_HPP
