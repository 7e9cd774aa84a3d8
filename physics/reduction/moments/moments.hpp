#ifndef TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_HPP
#define TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/reduction/row_weights_check.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// reduction/moments: for rows i with weights w(i), without the rows that the mask excludes,
///
///     W = sum w(i),  m_a = sum w(i) v(i, a) / W,
///     c_ab = sum w(i) (v(i, a) - m_a) (v(i, b) - m_b) / W,
///
/// the covariances of a population: c_aa is the square of the standard deviation.
///
/// All sums are in double, and no digits are lost if the mean is large compared to the deviation: a
/// value near the mean, the pivot, is subtracted from the numbers and corrected for at the end (T.
/// F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for Computing the Sample Variance", The
/// American Statistician 37, 242 (1983)). The pivot is the mean of a sample of the rows. If it is
/// more than four deviations from the mean, a second pass over the rows subtracts the mean itself.
/// With any_order the pivot is always the mean.
///
/// With weights that are not negative no c_aa is negative: a column with the same number in all
/// rows has c_aa = 0 and not a rounding error.
///
/// Without any weight (no rows, or none that counts) means and second moments are NaN.

namespace tessera::reduction {

inline constexpr int most_moment_columns = 6;

template <class Storage>
struct MomentsArgs {
  View<const Storage, 2> values;  ///< rows x columns
  View<const double, 1> weights;  ///< by row, or by class with weight_class; not given: 1
  View<const std::int32_t, 1> weight_class;  ///< by row: index into weights; not given: the row
  View<const std::uint8_t, 1> mask;  ///< by row: 0 excludes the row; not given: all rows count
  View<double, 1> weight;            ///< 1 element: W
  View<double, 1> means;             ///< columns
  View<double, 2> seconds;           ///< columns x columns, symmetric; optional
};

struct MomentsProblem {
  std::int64_t rows = 0;
  int columns = 0;  ///< 1 to most_moment_columns
  bool seconds = true;
  /// Least determinism that an implementation must guarantee, as for sums.
  Determinism determinism = Determinism::none;
};

[[nodiscard]] inline ProblemKey problem_key(const MomentsProblem& problem) {
  return {problem.rows,
          {{"columns", std::to_string(problem.columns)},
           {"determinism", std::string(name(problem.determinism))},
           {"seconds", problem.seconds ? "yes" : "no"}},
          {}};
}

/// Argument check of reduction/moments.
class MomentsCheck {
 public:
  explicit MomentsCheck(const MomentsProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t columns = problem_.columns;
    visit.array("values", args.values, {problem_.rows, columns});
    for_each_row_weight(visit, args, problem_.rows);
    visit.at_least("weight", args.weight, 1);
    visit.at_least("means", args.means, columns);
    if (problem_.seconds) visit.array("seconds", args.seconds, {columns, columns});
    const auto apart_from_inputs = [&](const char* name, auto& view) {
      visit.no_overlap(name, view, "values", args.values);
      visit.no_overlap(name, view, "weights", args.weights);
      visit.no_overlap(name, view, "weight_class", args.weight_class);
      visit.no_overlap(name, view, "mask", args.mask);
    };
    apart_from_inputs("weight", args.weight);
    apart_from_inputs("means", args.means);
    apart_from_inputs("seconds", args.seconds);
    visit.no_overlap("weight", args.weight, "means", args.means);
    visit.no_overlap("weight", args.weight, "seconds", args.seconds);
    visit.no_overlap("means", args.means, "seconds", args.seconds);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const MomentsArgs<Storage>& args) const;

 private:
  MomentsProblem problem_;
};

struct Moments
    : PlainOperation<MomentsArgs, MomentsProblem, OperationTraits{.selects_determinism = true}> {
  static constexpr std::string_view name = "reduction/moments";
  using Check = MomentsCheck;
};

/// The problem with the shapes of `args`.
/// \throws ArgumentError if these do not fit together.
template <class Storage>
[[nodiscard]] MomentsProblem moments_problem(const MomentsArgs<Storage>& args,
                                             Determinism determinism = Determinism::none);

/// One call on the caller's arrays, with the implementation that selection chooses.
template <class P = Double>
void moments(const Context& context, const MomentsArgs<typename P::Storage>& args,
             Determinism determinism = Determinism::none) {
  run_once<Moments, P>(moments_problem(args, determinism), context, args);
}

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_HPP
