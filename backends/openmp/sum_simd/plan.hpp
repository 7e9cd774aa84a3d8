#ifndef TESSERA_BACKENDS_OPENMP_SUM_SIMD_PLAN_HPP
#define TESSERA_BACKENDS_OPENMP_SUM_SIMD_PLAN_HPP

#include "backends/openmp/execution/space.hpp"
#include "backends/openmp/sum_simd/parameters.hpp"
#include "backends/openmp/sum_simd/sum_kernels.hpp"
#include "core/execution/row_reduction.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/implementation.hpp"
#include "physics/reduction/sum/sum_portable.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

/// \file
/// The plan of openmp.simd: the contract of reduction/sum, implemented with the vector code.

namespace tessera::openmp::simd_sum {

using reduction::SumGroup;
using reduction::SumTerms;

/// Body of a RowReduction that adds a block of rows to totals.
template <class Storage, class Add>
struct AddRows {
  Add add;
  Block<Storage> all;
  std::int64_t row_stride;

  template <class Totals>
  void operator()(std::int64_t first, std::int64_t, std::int64_t end, Totals& totals) const {
    Block<Storage> block = all;
    for (const Storage*& column : block.column)
      if (column != nullptr) column += first * row_stride;
    block.rows = end - first;
    block.weights = all.weights.from(first);
    add(block, totals);
  }
};

/// Adds a block of rows in fixed point, in units of the scales.
template <class Storage>
struct AddFixed {
  AddFixedBlock<Storage> kernel;
  reduction::SumScales scales;

  void operator()(const Block<Storage>& block, FixedTotals& totals) const {
    kernel(block, scales, totals);
  }
};

template <class P>
class SimdPlan : public Plan<reduction::Sum, P> {
 public:
  using Parameters = simd_sum::Parameters;
  using Storage = typename P::Storage;
  using Args = reduction::SumArgs<Storage>;
  static constexpr PlanTraits<reduction::Sum> traits{
      .determinism = Determinism::run_to_run,
      .determinism_on_request = Determinism::any_order,
      .description = "vectors of rows as they lie in memory, products of pairs of columns"};

  static Refusal can_run(const reduction::SumProblem& problem, const Context&, const Parameters&) {
    return reduction::refuse_rows(problem.rows);
  }

  SimdPlan(const reduction::SumProblem& problem, const Context& context,
           const Parameters& parameters)
      : any_order_(problem.determinism == Determinism::any_order),
        parameters_(parameters),
        space_(Space(0, {})),
        totals_(space_, any_order_ ? 0 : problem.rows),
        fixed_totals_(space_, any_order_ ? problem.rows : 0),
        states_(space_, any_order_),
        portable_(make_portable_plan<reduction::Sum, P>(problem, TESSERA_PLUGIN_BACKEND, context)) {
  }

  void execute(const Args& args) override {
    const View<const Storage, 2>& values = args.values;
    if (!vectors_) return portable_->execute(args);
    if (lies_as_rows_of(6, values)) return add_rows_of(Layout::rows_of_six, 6, args);
    if (lies_as_rows_of(3, values)) return add_rows_of(Layout::rows_of_three, 3, args);
    const std::vector<SumGroup>& groups = groups_.of(args.terms);
    const bool no_columns = std::any_of(groups.begin(), groups.end(),
                                        [](const SumGroup& group) { return group.columns == 0; });
    if (values.strides[0] != 1 || no_columns) return portable_->execute(args);
    int index = 0;
    for (const SumGroup& group : groups)
      add(Layout::columns, group, index++, args);
  }

 private:
  static bool lies_as_rows_of(int columns, const View<const Storage, 2>& values) {
    return values.extents[1] == columns && values.strides[0] == columns && values.strides[1] == 1;
  }

  /// Sums all terms in one pass over rows of these columns.
  void add_rows_of(Layout layout, int columns, const Args& args) {
    SumGroup group;
    group.columns = columns;
    std::iota(group.column, group.column + columns, std::int16_t{0});
    for (int t = 0; t < args.terms.count; ++t) {
      group.term[t] = static_cast<std::int16_t>(t);
      group.local[t] = args.terms.term[t];
      group.products = group.products || (group.local[t].a >= 0 && group.local[t].b >= 0);
    }
    group.terms = args.terms.count;
    add(layout, group, 0, args);
  }

  void add(Layout layout, const SumGroup& group, int index, const Args& args) {
    if (any_order_) return add_fixed(layout, group, *states_.of(index), args);
    const auto add = kernel<Storage>(layout, group.columns, group.products);
    const AddRows<Storage, AddBlock<Storage>> rows{add, all_rows(layout, group, args),
                                                   row_stride(layout, group)};
    const DoubleTotals& totals =
        *totals_("sum", args.values.extents[0], DoubleTotals{}, rows, reduction::JoinTotals{});
    for (int t = 0; t < group.terms; ++t)
      args.result(group.term[t]) = totals.value[reduction::slot_of(group.columns, group.local[t])];
  }

  /// Sums with the scales of the previous sum, and sums again where these scales do not fit.
  void add_fixed(Layout layout, const SumGroup& group, reduction::FixedState& state,
                 const Args& args) {
    const auto add = fixed_kernel<Storage>(layout, group.columns, group.products);
    const Block<Storage> all = all_rows(layout, group, args);
    const auto sums = [&]() -> const FixedTotals& {
      const AddRows<Storage, AddFixed<Storage>> rows{
          {add, state.scales}, all, row_stride(layout, group)};
      return *fixed_totals_("sum", args.values.extents[0], FixedTotals{}, rows,
                            reduction::JoinTotals{});
    };
    const FixedTotals* totals = &sums();
    reduction::finish_scales(totals->largest, group.columns, state);
    if (state.again != 0) totals = &sums();
    for (int t = 0; t < group.terms; ++t)
      args.result(group.term[t]) = state.scales.value(
          group.local[t], totals->value[reduction::slot_of(group.columns, group.local[t])]);
  }

  static std::int64_t row_stride(Layout layout, const SumGroup& group) {
    return layout == Layout::columns ? 1 : group.columns;
  }

  [[nodiscard]] Block<Storage> all_rows(Layout layout, const SumGroup& group,
                                        const Args& args) const {
    Block<Storage> all;
    const int pointers = layout == Layout::columns ? group.columns : 1;
    const bool empty = args.values.extents[0] == 0;  // then the array may be null
    for (int c = 0; c < pointers && !empty; ++c)
      all.column[c] = args.values.data + group.column[c] * args.values.strides[1];
    all.weights = {args.weights.data,       args.weights.strides[0],
                   args.weight_class.data,  args.weight_class.strides[0],
                   args.weights.extents[0], args.mask.data,
                   args.mask.strides[0]};
    all.about_origin = args.origin.given();
    if (all.about_origin)
      for (int c = 0; c < group.columns; ++c)
        all.origin[c] = args.origin(group.column[c]);
    all.weight_rows = parameters_.weight_rows;
    all.bytes_ahead = parameters_.bytes_ahead;
    return all;
  }

  bool any_order_;
  bool vectors_ = any_order_ ? fixed_kernel<Storage>(Layout::columns, 1, false) != nullptr
                             : kernel<Storage>(Layout::columns, 1, false) != nullptr;
  Parameters parameters_;
  HostSpace space_;
  reduction::SumGroupsOf groups_;
  RowReduction<DoubleTotals, HostSpace> totals_;
  RowReduction<FixedTotals, HostSpace> fixed_totals_;
  reduction::SumStates<HostSpace> states_;
  std::unique_ptr<Plan<reduction::Sum, P>> portable_;  ///< runs calls that have no vector code
};

}  // namespace tessera::openmp::simd_sum

#endif  // TESSERA_BACKENDS_OPENMP_SUM_SIMD_PLAN_HPP
