#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_PORTABLE_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_PORTABLE_HPP

#include "core/execution/row_reduction.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/reduction/sum/sum.hpp"
#include "physics/reduction/sum/sum_overflow.hpp"
#include "physics/reduction/sum/sum_passes.hpp"
#include "physics/reduction/sum/sum_states.hpp"

/// \file
/// The portable body of reduction/sum: one pass over the rows for each group of terms, with partial
/// sums in registers. For any_order a second pass follows if the scales of the previous sum do not
/// fit.

namespace tessera::reduction {

template <class P, ExecutionSpace Space>
class SumPortable : public PortablePlan<Sum, P, Space> {
 public:
  using PortablePlan<Sum, P, Space>::PortablePlan;
  using Storage = typename P::Storage;
  using Args = SumArgs<Storage>;
  static constexpr bool integers = std::is_integral_v<Storage>;
  static constexpr PlanTraits<Sum> traits{
      .determinism = integers ? Determinism::any_order : Determinism::run_to_run,
      .determinism_on_request = Determinism::any_order};

  static Refusal can_run(const SumProblem& problem, const Context&, const NoParameters&) {
    return refuse_rows(problem.rows);
  }

  void execute(const Args& given) override {
    overflow_.execute(given, [this](const Args& args) { run(args); });
  }

 private:
  static constexpr int most_slots = slots_of(most_columns, true);
  using Largest =
      std::conditional_t<integers, SumTotals<IntegerTotal, most_slots>, FixedTotals<most_slots>>;

  void run(const Args& args) {
    int index = 0;
    for (const SumGroup& group : groups_.of(args.terms)) {
      with_kernel_of(group, [&]<int Columns, bool Products>() {
        pass<Columns, Products>(args, group, index);
      });
      ++index;
    }
  }

  /// Kernels are compiled separately for input without weights and mask.
  template <int Columns, bool Products>
  void pass(const Args& args, const SumGroup& group, int index) {
    if (!args.weights.given() && !args.mask.given())
      return pass<Columns, Products, true>(args, group, index);
    pass<Columns, Products, false>(args, group, index);
  }

  template <int Columns, bool Products, bool Plain>
  void pass(const Args& args, const SumGroup& group, int index) {
    if constexpr (integers) {
      if constexpr (std::is_same_v<Storage, std::int32_t> && !Products)
        if (this->problem_.rows <= InNarrowIntegers::most_rows)
          return sums<Columns, Products, Plain>(args, group, InNarrowIntegers{});
      sums<Columns, Products, Plain>(args, group, InIntegers{});
    } else if (!any_order())
      sums<Columns, Products, Plain>(args, group, InDouble{});
    else
      fixed_sums<Columns, Products, Plain>(args, group, states_.of(index));
  }

  template <class How, int Columns, bool Products, bool Plain>
  using Run = SumRunOn<How, Storage, Columns, Products, Plain, Space::coalesced>;

  template <int Columns, bool Products, bool Plain, class How>
  void sums(const Args& args, const SumGroup& group, const How& how) {
    using Body = Run<How, Columns, Products, Plain>;
    first_("sum", this->problem_.rows, typename Body::Totals{},
           Body{SumSource<Storage>(args, group), how}, JoinTotals{},
           StoreSums<How, Storage, Columns, Products>{group, how, args.result, args.overflow});
  }

  template <int Columns, bool Products, bool Plain>
  void fixed_sums(const Args& args, const SumGroup& group, FixedState* state) {
    using Body = Run<InFixedPoint, Columns, Products, Plain>;
    using Totals = typename Body::Totals;
    const SumSource<Storage> source(args, group);
    const InFixedPoint first{state, false};
    const InFixedPoint second{state, true};
    const std::int64_t rows = this->problem_.rows;
    const auto* const tried = first_("sum", rows, Totals{}, Body{source, first}, JoinTotals{},
                                     FinishScales<Columns>{state});
    const auto* const totals =
        again_("sum again", rows, Totals{}, Body{source, second}, JoinTotals{});
    const StoreSums<InFixedPoint, Storage, Columns, Products> store{group, second, args.result,
                                                                    args.overflow};
    this->space_.for_each("sum store", group.terms,
                          StoreFixedSums<Storage, Columns, Products>(store, tried, totals));
  }

  [[nodiscard]] bool any_order() const {
    return !integers && this->problem_.determinism == Determinism::any_order;
  }

  SumGroupsOf groups_;
  RowReduction<Largest, Space> first_{this->space_, this->problem_.rows};
  RowReduction<Largest, Space> again_{this->space_, any_order() ? this->problem_.rows : 0};
  SumStates<Space> states_{this->space_, any_order()};
  SumOverflow<Storage, Space> overflow_{this->space_};
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_PORTABLE_HPP
