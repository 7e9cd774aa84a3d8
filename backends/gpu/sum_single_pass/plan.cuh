#ifndef TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PLAN_CUH
#define TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PLAN_CUH

#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/sum_single_pass/launch_pass.cuh"
#include "backends/gpu/sum_single_pass/parameters.hpp"
#include "core/execution/buffer.hpp"
#include "core/operations/implementation.hpp"
#include "physics/reduction/sum/sum.hpp"
#include "physics/reduction/sum/sum_overflow.hpp"
#include "physics/reduction/sum/sum_states.hpp"

#include <type_traits>

/// \file
/// The plan of cuda.single_pass.

namespace tessera::gpu::sum_single_pass {

/// Whether rows are contiguous and aligned, and have exactly the columns of the pass.
template <class Storage>
bool is_dense(const reduction::SumArgs<Storage>& args, const reduction::SumGroup& group) {
  const auto& values = args.values;
  bool dense = values.extents[1] == group.columns && values.strides[0] == group.columns &&
               (values.strides[1] == 1 || group.columns == 1) &&
               reinterpret_cast<std::uintptr_t>(values.data) % vector_bytes == 0;
  for (int c = 0; c < group.columns; ++c)
    dense = dense && group.column[c] == c;
  return dense;
}

template <class P>
class SinglePassPlan : public Plan<reduction::Sum, P> {
 public:
  using Parameters = sum_single_pass::Parameters;
  using Args = typename Plan<reduction::Sum, P>::Args;
  using Storage = typename P::Storage;
  static constexpr bool integers = std::is_integral_v<Storage>;
  using Total =
      std::conditional_t<integers, reduction::IntegerTotal, reduction::fixed_point::Integer128>;

  static constexpr PlanTraits<reduction::Sum> traits{
      .determinism = std::is_integral_v<typename P::Storage> ? Determinism::any_order
                                                             : Determinism::run_to_run,
      .determinism_on_request = Determinism::any_order,
      .description =
          "one launch: rows in whole vectors, sums in registers, joined by the last block"};

  static Refusal can_run(const reduction::SumProblem& problem, const Context&, const Parameters&) {
    return reduction::refuse_rows(problem.rows);
  }

  SinglePassPlan(const reduction::SumProblem& problem, const Context& context,
                 const Parameters& parameters)
      : rows_(problem.rows),
        any_order_(!integers && problem.determinism == Determinism::any_order),
        space_(space_of<Space>(context)),
        machine_{space_.stream(), context.device->properties().compute_units,
                 parameters.blocks_per_unit, parameters.ahead} {
    const std::int64_t blocks = machine_.most_blocks(problem.rows);
    partials_.require(blocks * reduction::slots_of(reduction::most_columns, true));
    if (any_order_) largest_.require(blocks * magnitudes);
    space_.fill(arrived_.data(), 0, sizeof(unsigned));
  }

  void execute(const Args& given) override {
    overflow_.execute(given, [this](const Args& args) { run(args); });
  }

 private:
  void run(const Args& args) {
    int index = -1;
    for (const reduction::SumGroup& group : groups_.of(args.terms)) {
      ++index;
      if constexpr (integers) {
        if constexpr (std::is_same_v<Storage, std::int32_t>)
          if (!group.products && rows_ <= reduction::InNarrowIntegers::most_rows) {
            run(args, group, reduction::InNarrowIntegers{});
            continue;
          }
        run(args, group, reduction::InIntegers{});
      } else if (any_order_) {
        reduction::FixedState* const state = states_.of(index);
        run(args, group, reduction::InFixedPoint{state, false});
        run(args, group, reduction::InFixedPoint{state, true});
      } else {
        run(args, group, reduction::InDouble{});
      }
    }
  }

  template <class How>
  void run(const Args& args, const reduction::SumGroup& group, const How& how) {
    const CurrentDevice current(space_.ordinal());
    run_pass(Pass<How, Storage>{reduction::SumSource<Storage>(args, group),
                                group,
                                how,
                                args.result,
                                args.overflow,
                                {partials_.data(), largest_.data(), arrived_.data()}},
             machine_, is_dense(args, group));
  }

  std::int64_t rows_;
  bool any_order_;
  Space space_;
  Machine machine_;
  reduction::SumGroupsOf groups_;
  Buffer<Total, Space> partials_{space_};
  Buffer<std::uint32_t, Space> largest_{space_};
  Buffer<unsigned, Space> arrived_{space_, 1};
  reduction::SumStates<Space> states_{space_, any_order_};
  reduction::SumOverflow<Storage, Space> overflow_{space_};
};

}  // namespace tessera::gpu::sum_single_pass

#endif  // TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PLAN_CUH
