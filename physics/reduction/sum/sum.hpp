#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tessera/core/base/precision.hpp>
#include <tessera/core/memory/view.hpp>
#include <tessera/core/operations/choices.hpp>
#include <tessera/core/operations/implementation.hpp>
#include <tessera/core/tuning/problem_key.hpp>

/// \file
/// reduction/sum: result[t] = sum over rows i of w(i) * v(i, a_t) * v(i, b_t).
///
/// One pass gives every first and second moment that a diagnostic needs: momentum and the kinetic
/// tensor in MD, means and covariances of a bunch in PIC. Sums are taken in double.

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

template <class Storage>
struct SumArgs {
  View<const Storage, 2> values;  ///< rows x columns
  View<const double, 1> weights;  ///< by row, or by class with weight_class; not given: 1
  /// row -> index into weights; not given: the row. Looked at when a plan meets it, and by
  /// prepare()
  View<const std::int32_t, 1> weight_class;
  SumTerms terms;
  View<double, 1> result;  ///< terms.count sums, in the memory of the context
};

struct SumProblem {
  std::int64_t rows = 0;
  int columns = 0;
  int terms = 0;
};

[[nodiscard]] inline ProblemKey problem_key(const SumProblem& problem) {
  return {problem.rows,
          {{"columns", std::to_string(problem.columns)}, {"terms", std::to_string(problem.terms)}},
          {}};
}

/// What a call needs.
class SumCheck {
 public:
  explicit SumCheck(const SumProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const SumArgs<Storage>& args) const;

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
[[nodiscard]] SumProblem sum_problem(const SumArgs<Storage>& args);

/// One call on the caller's arrays with whatever implementation is selected. Keep a plan instead
/// when the same sizes come again.
template <class P = Double>
void sum(const Context& context, const SumArgs<typename P::Storage>& args) {
  run_once<Sum, P>(sum_problem(args), context, args);
}

}  // namespace tessera::reduction
