#ifndef TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_PORTABLE_HPP
#define TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/md/displacement/displacement.hpp"

/// \file
/// The portable body of md/displacement: one reduction.

namespace tessera::md {

/// Largest square so far; a non-finite coordinate makes the square infinite.
struct LargestSquare {
  double square = -1;
  std::int64_t atom = -1;
};

struct JoinLargest {
  TESSERA_FUNCTION void operator()(LargestSquare& into, const LargestSquare& from) const {
    const bool first = from.square == into.square && from.atom < into.atom;
    if (from.square > into.square || first) into = from;
  }
};

template <class Storage>
struct AtomDisplacement {
  View<const Storage, 2> positions;
  View<const Storage, 2> reference;

  TESSERA_FUNCTION void operator()(std::int64_t i, LargestSquare& largest) const {
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      const double x = static_cast<double>(positions(i, d));
      const double from = reference.given() ? static_cast<double>(reference(i, d)) : 0.0;
      square += (x - from) * (x - from);
    }
    constexpr double infinity = __builtin_huge_val();
    if (!(square < infinity))
      square = infinity;
    else if (!reference.given())
      square = 0;
    JoinLargest()(largest, {square, i});
  }
};

struct StoreDisplacement {
  View<DisplacementResult, 1> result;

  TESSERA_FUNCTION void operator()(const LargestSquare& largest) const {
    result(0) = {largest.square > 0 ? sqrt(largest.square) : 0.0, largest.atom};
  }

 private:
  static TESSERA_INLINE double sqrt(double x) {
#if defined(__CUDA_ARCH__)
    return ::sqrt(x);
#else
    return __builtin_sqrt(x);
#endif
  }
};

template <class P, ExecutionSpace Space>
class DisplacementPortable : public PortablePlan<Displacement, P, Space> {
 public:
  using PortablePlan<Displacement, P, Space>::PortablePlan;
  using Args = typename Plan<Displacement, P>::Args;
  static constexpr PlanTraits<Displacement> traits{.determinism = Determinism::any_order};

  static Refusal can_run(const DisplacementProblem&, const Context&, const NoParameters&) {
    return {};
  }

  void execute(const Args& args) override {
    largest_("displacement", this->problem_.atoms, LargestSquare{},
             AtomDisplacement<typename P::Storage>{args.positions, args.reference}, JoinLargest{},
             StoreDisplacement{args.result});
  }

 private:
  Reduction<LargestSquare, Space> largest_{this->space_, this->problem_.atoms};
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_PORTABLE_HPP
