#include <algorithm>
#include <tessera/backends/openmp/execution/space.hpp>
#include <tessera/backends/openmp/sum_simd/policy.hpp>
#include <tessera/backends/openmp/sum_simd/sum_kernels.hpp>
#include <tessera/core/execution/row_reduction.hpp>
#include <tessera/core/operations/plugin.hpp>
#include <tessera/reduction/sum/sum_portable.hpp>
#include <vector>

// The contract of reduction/sum around the vector code.

namespace tessera::openmp::simd_sum {
namespace {

using reduction::SumGroup;
using reduction::SumTerms;

constexpr int most_slots = reduction::slots_of(reduction::most_columns, true);
using Totals = reduction::SumTotals<double, most_slots>;

/// Adds a block of rows: what RowReduction calls.
template <class Storage>
struct AddRows {
  AddBlock<Storage> kernel;
  Block<Storage> all;
  std::int64_t row_stride;

  void operator()(std::int64_t first, std::int64_t, std::int64_t end, Totals& totals) const {
    Block<Storage> block = all;
    for (const Storage*& column : block.column)
      if (column != nullptr) column += first * row_stride;
    block.rows = end - first;
    block.weights = all.weights.from(first);
    kernel(block, totals.value);
  }
};

template <class P>
class SimdPlan : public Plan<reduction::Sum, P> {
 public:
  using Policy = simd_sum::Policy;
  using Storage = typename P::Storage;
  using Args = reduction::SumArgs<Storage>;

  SimdPlan(const reduction::SumProblem& problem, const Context& context, const Policy& policy)
      : policy_(policy),
        space_(space_of<Space>(context)),
        totals_(space_, problem.rows),
        portable_(problem, context, NoPolicy{}) {}

  void execute(const Args& args) override {
    const View<const Storage, 2>& values = args.values;
    if (!vectors_) return portable_.execute(args);
    if (lies_as_rows_of(6, values)) return add_rows_of(Layout::rows_of_six, 6, args);
    if (lies_as_rows_of(3, values)) return add_rows_of(Layout::rows_of_three, 3, args);
    const std::vector<SumGroup>& groups = groups_.of(args.terms);
    const bool no_columns = std::any_of(groups.begin(), groups.end(),
                                        [](const SumGroup& group) { return group.columns == 0; });
    if (values.strides[0] != 1 || no_columns) return portable_.execute(args);
    for (const SumGroup& group : groups)
      add(Layout::columns, group, args);
  }

 private:
  static bool lies_as_rows_of(int columns, const View<const Storage, 2>& values) {
    return values.extents[1] == columns && values.strides[0] == columns && values.strides[1] == 1;
  }

  /// All terms are of these columns: one pass.
  void add_rows_of(Layout layout, int columns, const Args& args) {
    SumGroup group;
    group.columns = columns;
    for (int t = 0; t < args.terms.count; ++t) {
      group.term[t] = static_cast<std::int16_t>(t);
      group.local[t] = args.terms.term[t];
      group.products = group.products || (group.local[t].a >= 0 && group.local[t].b >= 0);
    }
    group.terms = args.terms.count;
    add(layout, group, args);
  }

  void add(Layout layout, const SumGroup& group, const Args& args) {
    AddRows<Storage> rows{kernel<Storage>(layout, group.columns, group.products), {}, 1};
    if (layout == Layout::columns) {
      for (int c = 0; c < group.columns; ++c)
        rows.all.column[c] = args.values.data + group.column[c] * args.values.strides[1];
    } else {
      rows.all.column[0] = args.values.data;
      rows.row_stride = group.columns;
    }
    rows.all.weights = {args.weights.data,       args.weights.strides[0],
                        args.weight_class.data,  args.weight_class.strides[0],
                        args.weights.extents[0], args.mask.data,
                        args.mask.strides[0]};
    rows.all.weight_rows = policy_.weight_rows;
    rows.all.bytes_ahead = policy_.bytes_ahead;
    const Totals* const totals =
        totals_("sum", args.values.extents[0], Totals{}, rows, reduction::JoinTotals{});
    for (int t = 0; t < group.terms; ++t)
      args.result(group.term[t]) = totals->value[reduction::slot_of(group.columns, group.local[t])];
  }

  bool vectors_ = kernel<Storage>(Layout::columns, 1, false) != nullptr;
  Policy policy_;
  Space space_;
  reduction::SumGroupsOf groups_;
  RowReduction<Totals, Space> totals_;
  reduction::SumPortable<P, Space> portable_;  ///< strides that vectors cannot follow
};

template <class P>
void add(Registry& registry) {
  registry.add(plugin_implementation<reduction::Sum, P, SimdPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, MemorySpace::host, Determinism::run_to_run,
      "vectors of rows as they lie in memory, products of pairs of columns"));
}

}  // namespace
}  // namespace tessera::openmp::simd_sum

TESSERA_PLUGIN(registry) {
  tessera::openmp::simd_sum::add<tessera::Double>(registry);
  tessera::openmp::simd_sum::add<tessera::Mixed>(registry);
  tessera::openmp::simd_sum::add<tessera::Single>(registry);
}
