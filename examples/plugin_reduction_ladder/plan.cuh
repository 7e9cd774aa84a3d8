#pragma once

#include "any_term.cuh"
#include "policy.hpp"
#include "rows.cuh"
#include "tree_sum.cuh"
#include <tessera/backends/gpu/execution/space.hpp>
#include <tessera/core/operations/implementation.hpp>
#include <tessera/reduction/sum/sum.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

/// \file
/// Plan of a step of the ladder for reduction/sum. The step itself adds one dense column; AnyTerm
/// handles other terms.

namespace ladder {

namespace reduction = tessera::reduction;

/// The sum of this number of int32 values always fits in int64, so that no step checks for
/// overflow.
inline constexpr std::int64_t most_rows = std::int64_t{1} << 32;

template <class P, class Step>
class StepPlan : public tessera::Plan<reduction::Sum, P> {
 public:
  using Storage = typename P::Storage;
  using Args = typename tessera::Plan<reduction::Sum, P>::Args;
  using Parameters = std::conditional_t<Step::Load::many, GridPolicy, BlockPolicy>;
  static constexpr tessera::PlanTraits<reduction::Sum> traits{
      .determinism = std::is_integral_v<Storage> ? tessera::Determinism::any_order
                                                 : tessera::Determinism::run_to_run,
      .description = Step::description};

  StepPlan(const reduction::SumProblem& problem, const tessera::Context& context,
           const Parameters& parameters)
      : space_(tessera::space_of<tessera::gpu::Space>(context)),
        sum_(space_, problem.rows, parameters.block_size, most_blocks(parameters, context)),
        any_term_(space_, problem.rows) {}

  static tessera::Refusal can_run(const reduction::SumProblem& problem, const tessera::Context&,
                                  const Parameters&) {
    if (problem.columns != 1) return "adds up one column, not " + std::to_string(problem.columns);
    if (problem.terms != 1) return "takes one term, not " + std::to_string(problem.terms);
    if (problem.rows > most_rows) return "takes at most 2^32 rows";
    return {};
  }

  void execute(const Args& args) override {
    const tessera::gpu::CurrentDevice current(space_.ordinal());
    if (is_plain(args))
      sum_.execute(Column<Storage>{args.values.data}, args.result.data, args.overflow.data);
    else
      any_term_.execute(args);
  }

 private:
  [[nodiscard]] static std::int64_t most_blocks(const Parameters& parameters,
                                                const tessera::Context& context) {
    if constexpr (Step::Load::many)
      return std::int64_t{parameters.blocks_per_multiprocessor} *
             context.device->properties().compute_units;
    else
      return std::numeric_limits<std::int32_t>::max();
  }

  /// Whether the result is the plain sum of a dense column: no square, weight, mask or origin.
  [[nodiscard]] static bool is_plain(const Args& args) {
    const reduction::SumTerm term = args.terms.term[0];
    const bool column = (term.a == 0 && term.b == -1) || (term.a == -1 && term.b == 0);
    return column && !args.weights.given() && !args.mask.given() && !args.origin.given() &&
           (args.values.extents[0] <= 1 || args.values.strides[0] == 1);
  }

  tessera::gpu::Space space_;
  TreeSum<Step, reduction::SumOf<Storage>> sum_;
  AnyTerm<Storage> any_term_;
};

}  // namespace ladder
