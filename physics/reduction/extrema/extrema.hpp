#ifndef TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_HPP
#define TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_HPP

#include "core/operations/operation.hpp"
#include "physics/reduction/not_finite.hpp"

#include <limits>
#include <string>

/// \file
/// reduction/extrema: the smallest and the largest value of each column, and the rows that contain
/// them.
///
/// Among equal values the lowest row is reported; rows that the mask excludes do not count. The
/// problem selects the effect of NaNs. A column without a number (no rows, or none that counts) has
/// -1 as both rows, and values that any number would replace: infinity and -infinity, or for
/// integers the largest and the smallest one.

namespace tessera::reduction {

template <class Storage>
struct ExtremaArgs {
  View<const Storage, 2> values;     ///< rows x columns
  View<const std::uint8_t, 1> mask;  ///< by row: 0 excludes the row; not given: all rows count
  View<Storage, 2> extremes;         ///< columns x 2: the smallest, the largest
  View<std::int64_t, 2> rows;        ///< columns x 2: the rows of these values; optional
};

struct ExtremaProblem {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  NotANumber not_a_number = NotANumber::pass_over;
};

[[nodiscard]] inline ProblemKey problem_key(const ExtremaProblem& problem) {
  return {problem.rows, {{"columns", std::to_string(problem.columns)}}, {}};
}

struct ExtremaCheck {
  explicit ExtremaCheck(const ExtremaProblem& of);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    visit.array("values", args.values, {problem.rows, problem.columns});
    visit.optional("mask", args.mask, {problem.rows});
    visit.output("extremes", args.extremes, {problem.columns, 2});
    visit.optional("rows", args.rows, {problem.columns, 2});
    visit.no_overlap("extremes", args.extremes, "values", args.values);
    visit.no_overlap("extremes", args.extremes, "mask", args.mask);
    visit.no_overlap("rows", args.rows, "values", args.values);
    visit.no_overlap("rows", args.rows, "mask", args.mask);
    visit.no_overlap("extremes", args.extremes, "rows", args.rows);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const ExtremaArgs<Storage>& args) const {
    for_each_argument(check, args);
  }
  /// Searches for a NaN if the problem requests it. \throws NotFiniteError for the lowest row.
  template <class Storage>
  void after(const Context& context, const ExtremaArgs<Storage>& args) const;

  ExtremaProblem problem;
};

struct Extrema
    : PlainOperation<ExtremaArgs, ExtremaProblem, OperationTraits{.checks_output = true}> {
  static constexpr std::string_view name = "reduction/extrema";
  using Check = ExtremaCheck;
};

/// The extreme of a column without a number: the smallest value for `which` = 0, the largest for 1.
template <class T>
[[nodiscard]] constexpr T no_extreme(int which) {
  using Limits = std::numeric_limits<T>;
  const T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
  const T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  return which == 0 ? most : least;
}

/// The problem with the shapes of `args`.
/// \throws ArgumentError if these do not fit together.
template <class Storage>
[[nodiscard]] ExtremaProblem extrema_problem(const ExtremaArgs<Storage>& args,
                                             NotANumber not_a_number = NotANumber::pass_over) {
  const ArgumentCheck check(Extrema::name);
  check.require(args.values.extent(1) >= 0, "values", "a negative number of columns");
  const ExtremaProblem problem{check.rows("values", args.values), args.values.extent(1),
                               not_a_number};
  check_arguments<Extrema>(problem, args);
  return problem;
}

/// One call on the caller's arrays, with the implementation that selection chooses.
template <class P = Double>
void extrema(const Context& context, const ExtremaArgs<typename P::Storage>& args,
             NotANumber not_a_number = NotANumber::pass_over) {
  run_once<Extrema, P>(extrema_problem(args, not_a_number), context, args);
}

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_HPP
