#ifndef TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_PORTABLE_HPP

#include "core/execution/row_reduction.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "physics/pic/bunch_statistics/bunch_store.hpp"

/// \file
/// Portable body of pic/bunch_statistics: one pass over the particles about the mean of a sample,
/// and a second pass about the mean if the sample's mean was far from it. For any_order, one pass
/// in fixed point for the mean and one about the mean; each is repeated if the scales of the
/// previous call do not fit. A pass that is not needed returns at once on the device, without a
/// synchronization with the host.

namespace tessera::pic {

/// \tparam Reader see bunch_run.hpp. A reader other than LoadingReader is used for sums in double
/// only, and has lanes(const DeviceProperties&, std::int64_t particles), the number of ranges for a
/// GPU.
template <class P, ExecutionSpace Space, class Reader = LoadingReader>
class BunchStatisticsPortable : public PortablePlan<BunchStatistics, P, Space> {
 public:
  using Storage = typename P::Storage;
  using Args = BunchStatisticsArgs<Storage>;
  static constexpr PlanTraits<BunchStatistics> traits{
      .determinism = Determinism::run_to_run,
      .determinism_on_request =
          std::is_same_v<Reader, LoadingReader> ? Determinism::any_order : Determinism::run_to_run};

  BunchStatisticsPortable(const BunchStatisticsProblem& problem, const Context& context,
                          const NoParameters& parameters)
      : PortablePlan<BunchStatistics, P, Space>(problem, context, parameters),
        first_(this->space_, problem.particles, lanes(problem, context)) {
    // Zero is a valid initial guess of the scales.
    if (any_order()) fixed_.zero(2);
  }

  static Refusal can_run(const BunchStatisticsProblem& problem, const Context&,
                         const NoParameters&) {
    return reduction::refuse_rows(problem.particles);
  }

  void execute(const Args& args) override {
    args.weights.given() ? run<true>(args) : run<false>(args);
  }

 private:
  template <bool Weighted>
  void run(const Args& args) {
    if constexpr (traits.determinism_on_request == Determinism::any_order)
      if (any_order()) return in_fixed_point<Weighted>(args);
    in_double<Weighted>(args);
  }

  template <bool Weighted>
  void in_double(const Args& args) {
    reduction::MomentsState* const state = state_.data();
    this->space_.for_each("bunch shift", coordinates_of_particle,
                          reduction::SamplePivot<Storage>{args.coordinates, args.alive, state});
    for (const bool second : {false, true}) {
      using Body = Run<BunchInDouble, true, true, Weighted>;
      BunchInDouble how;
      how.state = state;
      how.second = second;
      first_(second ? "bunch about mean" : "bunch", particles(), typename Body::Totals{},
             Body{source_of(args), how, state->pivot, args.weights}, JoinBunches{},
             StoreBunch{{args.result, Weighted}, state, second});
    }
  }

  template <bool Weighted>
  void in_fixed_point(const Args& args) {
    reduction::MomentsState* const state = state_.data();
    const BunchResult result{args.result, Weighted};
    using Mean = Run<reduction::InFixedPoint, false, true, Weighted>;
    twice<Mean, StoreBunchRange>("bunch mean", args, result, fixed_.data(), nullptr);
    using AboutMean = Run<reduction::InFixedPoint, true, false, Weighted>;
    twice<AboutMean, StoreBunchMoments>("bunch about mean", args, result, fixed_.data() + 1,
                                        state->pivot);
  }

  /// Runs a pass with guessed scales, and a second one that returns at once if the guess was right.
  template <class Body, template <class> class Store>
  void twice(const char* label, const Args& args, const BunchResult& result,
             reduction::FixedState* fixed, const double* shift) {
    using Totals = typename Body::Totals;
    const reduction::SumSource<Storage> source = source_of(args);
    const auto* const tried =
        first_(label, particles(), Totals{}, Body{source, {fixed, false}, shift, args.weights},
               JoinBunches{}, FinishBunchScales{fixed});
    const auto* const totals =
        again_(label, particles(), Totals{}, Body{source, {fixed, true}, shift, args.weights},
               JoinBunches{});
    this->space_.for_each("bunch store", 1,
                          Store<Totals>{result, state_.data(), fixed, tried, totals});
  }

  /// Body of a pass: a host adds eight particles at a time, a GPU keeps two batches in flight, as
  /// in reduction/sum.
  template <class How, bool Products, bool Ranged, bool Weighted>
  using Run = BunchRun<How, Storage, Products, Ranged, Weighted, Space::coalesced ? 1 : 8,
                       Space::coalesced ? 2 : 1, !Space::coalesced, Reader>;

  [[nodiscard]] static reduction::SumSource<Storage> source_of(const Args& args) {
    reduction::SumSource<Storage> source;
    source.stride = args.coordinates.strides[0];
    source.rows = args.coordinates.extents[0];

    source.mask = args.alive;
    // Without particles the array may be null.
    for (int a = 0; a < coordinates_of_particle && source.rows > 0; ++a)
      source.column[a] = args.coordinates.data + a * args.coordinates.strides[1];
    return source;
  }

  [[nodiscard]] static std::int64_t lanes([[maybe_unused]] const BunchStatisticsProblem& problem,
                                          [[maybe_unused]] const Context& context) {
    if constexpr (std::is_same_v<Reader, LoadingReader>)
      return enough_lanes;
    else
      return Reader::lanes(context.device->properties(), problem.particles);
  }
  [[nodiscard]] std::int64_t particles() const { return this->problem_.particles; }
  [[nodiscard]] bool any_order() const {
    return this->problem_.determinism == Determinism::any_order;
  }

  using Largest =
      BunchTotals<reduction::FixedTotals<reduction::slots_of(coordinates_of_particle, true)>,
                  BunchRange>;

  Buffer<reduction::MomentsState, Space> state_{this->space_, 1};
  Buffer<reduction::FixedState, Space> fixed_{this->space_, any_order() ? 2 : 0};
  RowReduction<Largest, Space> first_;
  RowReduction<Largest, Space> again_{this->space_, any_order() ? this->problem_.particles : 0};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_PORTABLE_HPP
