#ifndef TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/particle_count.hpp"
#include "physics/pic/transport/transfer.hpp"
#include "physics/pic/transport/transport.hpp"

/// \file
/// Portable body of pic/transport: one work item per particle. It counts the lost particles. The
/// kind of the element is tested once, outside of the loop.

namespace tessera::pic {

template <class Storage, class Transfer>
struct TransportParticle {
  View<Storage, 2> coordinates;
  View<std::uint8_t, 1> alive;
  View<std::int64_t, 1> lost_at;
  std::int64_t code;
  Transfer transfer;

  explicit TransportParticle(const TransportArgs<Storage>& args)
      : coordinates(args.coordinates),
        alive(args.alive),
        lost_at(args.lost_at),
        code(args.code),
        transfer(args.reference, args.element) {}

  TESSERA_FUNCTION void operator()(std::int64_t p, std::int64_t& lost) const {
    if (alive.given() && alive(p) == 0) return;
    double v[6];
    for (int c = 0; c < 6; ++c)
      v[c] = static_cast<double>(coordinates(p, c));
    bool passes = transfer(v);
    for (int c = 0; c < 6; ++c)
      if (changes(c)) passes = passes && is_finite(static_cast<Storage>(v[c]));
    if (!passes) {
      ++lost;
      if (alive.given()) alive(p) = 0;
      if (lost_at.given()) lost_at(p) = code;
      return;
    }
    for (int c = 0; c < 6; ++c)
      if (changes(c)) coordinates(p, c) = static_cast<Storage>(v[c]);
  }

 private:
  [[nodiscard]] static TESSERA_INLINE constexpr bool changes(int c) {
    return ((Transfer::writes >> c) & 1U) != 0;
  }
  [[nodiscard]] static TESSERA_INLINE bool is_finite(Storage value) { return value - value == 0; }
};

template <class P, ExecutionSpace Space>
class TransportPortable : public PortablePlan<Transport, P, Space> {
 public:
  using PortablePlan<Transport, P, Space>::PortablePlan;
  using Args = typename Plan<Transport, P>::Args;
  static constexpr PlanTraits<Transport> traits{.determinism = Determinism::any_order};

  static Refusal can_run(const TransportProblem&, const Context&, const NoParameters&) {
    return {};
  }

  void execute(const Args& args) override {
    switch (args.element.kind) {
      case ElementKind::linear_map:
        return through<LinearTransfer>("transport linear", args);
      case ElementKind::drift:
        return through<DriftTransfer>("transport drift", args);
      case ElementKind::cavity:
        return through<CavityTransfer>("transport cavity", args);
      case ElementKind::rectangle_aperture:
        return through<RectangleTransfer>("transport aperture", args);
      case ElementKind::ellipse_aperture:
        return through<EllipseTransfer>("transport aperture", args);
    }
  }

 private:
  template <class Transfer>
  void through(const char* label, const Args& args) {
    count_(label, this->problem_.particles, std::int64_t{0},
           TransportParticle<typename P::Storage, Transfer>(args), JoinCounts{},
           StoreCount{args.lost});
  }

  Reduction<std::int64_t, Space> count_{this->space_, this->problem_.particles};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_PORTABLE_HPP
