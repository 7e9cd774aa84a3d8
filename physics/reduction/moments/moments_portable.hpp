#ifndef TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_PORTABLE_HPP
#define TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_PORTABLE_HPP

#include "core/execution/row_reduction.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/reduction/moments/moments_passes.hpp"
#include "physics/reduction/sum/sum_groups.hpp"
#include "physics/reduction/sum/sum_part.hpp"

#include <memory>
#include <string>

/// \file
/// The portable body of reduction/moments: a sum about a pivot from a sample of the rows, by the
/// implementation of reduction/sum that the same backend selects. If the pivot was far from the
/// mean, a pass about the mean follows. For any_order a sum for the mean comes first.

namespace tessera::reduction {

template <class P, ExecutionSpace Space>
class MomentsPortable : public PortablePlan<Moments, P, Space> {
 public:
  using Storage = typename P::Storage;
  using Args = MomentsArgs<Storage>;
  static constexpr PlanTraits<Moments> traits{.determinism = Determinism::run_to_run,
                                              .determinism_on_request = Determinism::any_order};

  MomentsPortable(const MomentsProblem& problem, const Context& context,
                  const NoParameters& parameters)
      : PortablePlan<Moments, P, Space>(problem, context, parameters),
        sum_(plan_of(terms_, context)),
        first_sum_(any_order() ? plan_of(first_terms_, context) : nullptr) {}

  static Refusal can_run(const MomentsProblem& problem, const Context&, const NoParameters&) {
    return refuse_rows(problem.rows);
  }

  void execute(const Args& args) override {
    MomentsState* const state = state_.data();
    SumArgs<Storage> sums;
    sums.values = args.values;
    sums.weights = args.weights;
    sums.weight_class = args.weight_class;
    sums.mask = args.mask;
    if (any_order()) {
      sums.terms = first_terms_;
      sums.result = {state->sum, {sums.terms.count}};
      first_sum_->execute(sums);
      this->space_.for_each("moments pivot", columns(), PivotOfSums{state});
    } else {
      this->space_.for_each("moments pivot", columns(),
                            SamplePivot<Storage>{args.values, args.mask, state});
    }
    sums.origin = {state->pivot, {columns()}};
    sums.terms = terms_;
    sums.result = {state->sum, {sums.terms.count}};
    sum_->execute(sums);
    const bool seconds = this->problem_.seconds;
    const bool repeats = seconds && !any_order();
    StoreMoments store{
        this->problem_.columns, seconds, repeats, state, args.weight, args.means, args.seconds};
    this->space_.for_each("moments", 1, store);
    if (!repeats) return;
    store.repeats = false;
    if (columns() == 1)
      about_mean<1>(sums, store);
    else if (columns() <= 3)
      about_mean<3>(sums, store);
    else
      about_mean<6>(sums, store);
  }

 private:
  template <int Columns>
  void about_mean(const SumArgs<Storage>& sums, const StoreMoments& store) {
    const SumSource<Storage> source(sums, group_);
    about_mean_("moments about mean", this->problem_.rows,
                SumTotals<double, slots_of(Columns, true)>{},
                SumRunOn<AboutMean, Storage, Columns, true, false, Space::coalesced>{
                    source, {{}, store.state}},
                JoinTotals{}, StoreAboutMean<Columns>{store});
  }

  [[nodiscard]] std::int64_t columns() const { return this->problem_.columns; }
  [[nodiscard]] bool any_order() const {
    return this->problem_.determinism == Determinism::any_order;
  }

  using SumPlan = Plan<Sum, OfArrays<P>>;

  [[nodiscard]] std::unique_ptr<SumPlan> plan_of(const SumTerms& terms,
                                                 const Context& context) const {
    const SumProblem problem{this->problem_.rows, this->problem_.columns, terms.count,
                             this->problem_.determinism};
    return sum_part<OfArrays<P>>(problem, backend_of(this->space_), context);
  }

  SumTerms first_terms_ = terms_of_moments(this->problem_.columns, false);
  SumTerms terms_ = terms_of_moments(this->problem_.columns, this->problem_.seconds);
  SumGroup group_ = sum_groups(first_terms_).front();
  Buffer<MomentsState, Space> state_{this->space_, 1};
  RowReduction<SumTotals<double, slots_of(most_columns, true)>, Space> about_mean_{
      this->space_, this->problem_.rows};
  std::unique_ptr<SumPlan> sum_;
  std::unique_ptr<SumPlan> first_sum_;
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_PORTABLE_HPP
