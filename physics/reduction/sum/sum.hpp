#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/implementation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/reduction/not_finite.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

/// \file
/// reduction/sum: result[t] = sum over rows i, without those that the mask leaves out, of
/// w(i) * v(i, a_t) * v(i, b_t), or of numbers v(i, a) - o(a) about an origin.
///
/// One pass gives every first and second moment that a diagnostic needs: momentum and the kinetic
/// tensor in MD, means and covariances of a bunch in PIC. Floating-point numbers are added up in
/// double; how the bits of a sum may depend on threads and order is asked for in the problem
/// (fixed_point.hpp has what any_order costs in accuracy: less than it gains). Integers are added
/// up exactly, and a sum that does not fit in 64 bits is told, never wrapped. A sum over no rows is
/// zero.

namespace tessera::reduction {

/// A product of up to two columns; -1 stands for one.
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

/// What a sum of such numbers is.
template <class Storage>
using SumOf = std::conditional_t<std::is_integral_v<Storage>, std::int64_t, double>;

template <class Storage>
struct SumArgs {
  View<const Storage, 2> values;  ///< rows x columns
  /// By row, or by class with weight_class; not given: 1. Integers have none.
  View<const double, 1> weights;
  /// row -> index into weights; not given: the row. Looked at when a plan meets it, and by
  /// prepare()
  View<const std::int32_t, 1> weight_class;
  View<const std::uint8_t, 1> mask;  ///< by row: 0 leaves it out; not given: all count
  /// By column, taken off its numbers first: sums about an origin, as centred moments need them.
  /// Not given: nothing is; integers have none.
  View<const double, 1> origin;
  SumTerms terms;
  View<SumOf<Storage>, 1> result;  ///< terms.count sums, in the memory of the context
  /// By term: 1 where a sum of integers does not fit in 64 bits and its result is worth nothing,
  /// else 0. Not given: execute() of integers waits for the device and throws OverflowError.
  View<std::int32_t, 1> overflow;
};

struct SumProblem {
  std::int64_t rows = 0;
  int columns = 0;
  int terms = 0;
  /// The least that an implementation has to give. With any_order a sum is the same for any order
  /// of the rows, number of threads, backend and device; it is NaN where a number in it is not
  /// finite. Sums of integers are so without being asked.
  Determinism determinism = Determinism::none;
  /// With find, a sum of finite numbers that is beyond what a double holds is an OverflowError.
  NotFinite not_finite = NotFinite::propagate;
};

[[nodiscard]] inline ProblemKey problem_key(const SumProblem& problem) {
  return {problem.rows,
          {{"columns", std::to_string(problem.columns)},
           {"determinism", std::string(name(problem.determinism))},
           {"terms", std::to_string(problem.terms)}},
          {}};
}

/// What a call needs.
class SumCheck {
 public:
  explicit SumCheck(const SumProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const SumArgs<Storage>& args) const;
  /// Looks for numbers that are not finite, where the problem asks for that.
  template <class Storage>
  void after(const Context& context, const SumArgs<Storage>& args) const;

 private:
  SumProblem problem_;
};

struct Sum {
  static constexpr std::string_view name = "reduction/sum";
  template <class P>
  using Args = SumArgs<typename P::Storage>;
  using Problem = SumProblem;
  using PlanInterface = NoPlanInterface;
  using Check = SumCheck;
  static constexpr Prepare prepare = Prepare::none;
};

/// The problem that `args` pose.
/// \throws ArgumentError when shapes do not fit together.
template <class Storage>
[[nodiscard]] SumProblem sum_problem(const SumArgs<Storage>& args,
                                     Determinism determinism = Determinism::none,
                                     NotFinite not_finite = NotFinite::propagate);

/// One call on the caller's arrays with whatever implementation is selected. Keep a plan instead
/// when the same sizes come again.
template <class P = Double>
void sum(const Context& context, const SumArgs<typename P::Storage>& args,
         Determinism determinism = Determinism::none, NotFinite not_finite = NotFinite::propagate) {
  run_once<Sum, P>(sum_problem(args, determinism, not_finite), context, args);
}

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_HPP
