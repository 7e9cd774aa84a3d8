#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/reduction/not_finite.hpp"
#include "physics/reduction/row_weights_check.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

/// \file
/// reduction/sum: result[t] = sum over the rows i that the mask includes of w(i) * v(i, a_t) * v(i,
/// b_t), or of the same with v(i, a) - o(a) instead of v(i, a), for an origin o.
///
/// One pass computes all first and second moments of a diagnostic: momentum and the kinetic tensor
/// in MD, means and covariances of a bunch in PIC. Floating-point numbers are summed in double. The
/// problem states how the bits of a sum may depend on threads and order (fixed_point.hpp states the
/// error bound of any_order). Sums of integers are exact, and a sum that does not fit in 64 bits is
/// reported, never wrapped. A sum over no rows is zero.

namespace tessera::reduction {

/// A product of up to two columns; -1 stands for a factor of one.
struct SumTerm {
  std::int16_t a = -1;
  std::int16_t b = -1;
};

inline constexpr int max_terms = 32;

/// A list of terms that kernels capture.
struct SumTerms {
  SumTerm term[max_terms] = {};
  int count = 0;
};

/// Type of the sums of numbers of type Storage.
template <class Storage>
using SumOf = std::conditional_t<std::is_integral_v<Storage>, std::int64_t, double>;

template <class Storage>
struct SumArgs {
  View<const Storage, 2> values;  ///< rows x columns
  /// By row, or by class with weight_class; not given: 1. Must not be given for integers.
  View<const double, 1> weights;
  /// By row: index into weights; not given: the row. The values are checked when a plan first gets
  /// the array, and by prepare().
  View<const std::int32_t, 1> weight_class;
  View<const std::uint8_t, 1> mask;  ///< by row: 0 excludes the row; not given: all rows count
  /// By column: subtracted from its numbers, for central moments. Not given: 0. Must not be given
  /// for integers.
  View<const double, 1> origin;
  SumTerms terms;
  View<SumOf<Storage>, 1> result;  ///< terms.count sums, in the memory of the context
  /// By term: 1 if a sum of integers does not fit in 64 bits, so that its result is invalid, else
  /// 0. If it is not given for integers, execute() waits for the device and throws OverflowError
  /// instead.
  View<std::int32_t, 1> overflow;
};

struct SumProblem {
  std::int64_t rows = 0;
  int columns = 0;
  int terms = 0;
  /// Least determinism that an implementation must guarantee. With any_order a sum has the same
  /// bits for any order of the rows, number of threads, backend and device; it is NaN if one of its
  /// numbers is not finite. Sums of integers always have this property.
  Determinism determinism = Determinism::none;
  /// With `find`, a sum of finite numbers beyond the range of double throws OverflowError.
  NotFinite not_finite = NotFinite::propagate;
};

[[nodiscard]] inline ProblemKey problem_key(const SumProblem& problem) {
  return {problem.rows,
          {{"columns", std::to_string(problem.columns)},
           {"determinism", std::string(name(problem.determinism))},
           {"terms", std::to_string(problem.terms)}},
          {}};
}

/// Argument check of reduction/sum.
class SumCheck {
 public:
  explicit SumCheck(const SumProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    visit.array("values", args.values, {problem_.rows, problem_.columns});
    for_each_row_weight(visit, args, problem_.rows);
    visit.optional("origin", args.origin, {problem_.columns});
    visit.optional_at_least("overflow", args.overflow, problem_.terms);
    visit.at_least("result", args.result, problem_.terms);
    visit.no_overlap("result", args.result, "values", args.values);
    visit.no_overlap("result", args.result, "weights", args.weights);
    visit.no_overlap("result", args.result, "weight_class", args.weight_class);
    visit.no_overlap("result", args.result, "mask", args.mask);
    visit.no_overlap("result", args.result, "origin", args.origin);
    visit.no_overlap("result", args.result, "overflow", args.overflow);
    visit.no_overlap("overflow", args.overflow, "values", args.values);
    visit.no_overlap("overflow", args.overflow, "mask", args.mask);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const SumArgs<Storage>& args) const;
  /// Called after execute(): searches for numbers that are not finite if the problem requests it.
  template <class Storage>
  void after(const Context& context, const SumArgs<Storage>& args) const;

 private:
  SumProblem problem_;
};

struct Sum : PlainOperation<SumArgs, SumProblem,
                            OperationTraits{.selects_determinism = true, .checks_output = true}> {
  static constexpr std::string_view name = "reduction/sum";
  using Check = SumCheck;
};

/// The problem with the shapes of `args`.
/// \throws ArgumentError if these do not fit together.
template <class Storage>
[[nodiscard]] SumProblem sum_problem(const SumArgs<Storage>& args,
                                     Determinism determinism = Determinism::none,
                                     NotFinite not_finite = NotFinite::propagate);

/// One call on the caller's arrays, with the implementation that selection chooses. Keep a plan
/// instead for repeated calls with the same sizes.
template <class P = Double>
void sum(const Context& context, const SumArgs<typename P::Storage>& args,
         Determinism determinism = Determinism::none, NotFinite not_finite = NotFinite::propagate) {
  run_once<Sum, P>(sum_problem(args, determinism, not_finite), context, args);
}

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_HPP
