#include "physics/reduction/sum/sum.hpp"

#include "core/base/error.hpp"
#include "core/memory/copy_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::reduction {

namespace {

/// Searches for the cause if a sum is not finite and the caller requires finite numbers.
/// \throws NotFiniteError for the lowest row with a number that is not finite; OverflowError if all
/// numbers are finite and a sum is not.
template <class Storage>
void find_not_finite(const Context& context, const SumArgs<Storage>& args) {
  if (args.terms.count == 0) return;
  View<const double, 1> written = args.result;  // without the elements beyond the last term
  written.extents[0] = args.terms.count;
  const std::vector<double> sums = to_host(context, written);
  const auto infinite =
      std::find_if(sums.begin(), sums.end(), [](double sum) { return !std::isfinite(sum); });
  if (infinite == sums.end()) return;

  const std::string name(Sum::name);
  std::int64_t row = -1;
  std::int64_t column = -1;
  const auto found = [&](std::int64_t in_row, std::int64_t of_column) {
    if (in_row < 0 || (row >= 0 && in_row >= row)) return;
    row = in_row;
    column = of_column;
  };
  if (args.weights.given()) {
    const bool by_class = args.weight_class.given();
    const std::int64_t at =
        first_row(context, args.weights, by_class ? View<const std::uint8_t, 1>{} : args.mask,
                  Search::not_finite);
    if (at >= 0 && by_class)
      throw NotFiniteError(-1, -1,
                           name + ": the weight of class " + std::to_string(at) + " is not finite");
    found(at, -1);
  }
  for (int t = 0; t < args.terms.count; ++t)
    for (const int c : {args.terms.term[t].a, args.terms.term[t].b})
      if (c >= 0)
        found(first_row(context,
                        View<const Storage, 1>{args.values.data + c * args.values.strides[1],
                                               {args.values.extents[0]},
                                               {args.values.strides[0]}},
                        args.mask, Search::not_finite),
              c);
  if (row < 0)
    throw OverflowError(name + ": term " + std::to_string(infinite - sums.begin()) +
                        " is beyond what a double holds, of numbers that are finite");
  throw NotFiniteError(
      row, column,
      name + ": " +
          (column < 0 ? "the weight of row " + std::to_string(row)
                      : "row " + std::to_string(row) + " of column " + std::to_string(column)) +
          " is not finite");
}

}  // namespace

SumCheck::SumCheck(const SumProblem& problem) : problem_(problem) {
  require_count(Sum::name, "rows", problem.rows);
  require_count(Sum::name, "columns", problem.columns);
  require_count(Sum::name, "terms", problem.terms, 0, max_terms);
}

template <class Storage>
void SumCheck::operator()(ArgumentCheck& check, const SumArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_row_weights(check, args, problem_.rows);
  check.require(args.terms.count == problem_.terms, "terms", [&] {
    return std::to_string(args.terms.count) + ", expected " + std::to_string(problem_.terms);
  });
  for (int t = 0; t < args.terms.count; ++t)
    for (const int column : {args.terms.term[t].a, args.terms.term[t].b})
      check.require(column >= -1 && column < problem_.columns, "terms", [&] {
        return "term " + std::to_string(t) + " names column " + std::to_string(column) + " of " +
               std::to_string(problem_.columns);
      });
  if constexpr (std::is_integral_v<Storage>) {
    check.require(!args.weights.given() && !args.weight_class.given(), "weights",
                  "given for a sum of integers");
    check.require(!args.origin.given(), "origin", "given for a sum of integers");
  } else {
    check.require(!args.overflow.given(), "overflow", "given for a sum that has none");
  }
}

template void SumCheck::operator()(ArgumentCheck&, const SumArgs<double>&) const;
template void SumCheck::operator()(ArgumentCheck&, const SumArgs<float>&) const;
template void SumCheck::operator()(ArgumentCheck&, const SumArgs<std::int32_t>&) const;
template void SumCheck::operator()(ArgumentCheck&, const SumArgs<std::int64_t>&) const;

template <class Storage>
void SumCheck::after(const Context& context, const SumArgs<Storage>& args) const {
  if constexpr (std::is_floating_point_v<Storage>) {
    if (problem_.not_finite == NotFinite::find) find_not_finite(context, args);
  }
}

template void SumCheck::after(const Context&, const SumArgs<double>&) const;
template void SumCheck::after(const Context&, const SumArgs<float>&) const;
template void SumCheck::after(const Context&, const SumArgs<std::int32_t>&) const;
template void SumCheck::after(const Context&, const SumArgs<std::int64_t>&) const;

template <class Storage>
SumProblem sum_problem(const SumArgs<Storage>& args, Determinism determinism,
                       NotFinite not_finite) {
  const ArgumentCheck check(Sum::name);
  const std::int64_t columns = args.values.extent(1);
  check.require(columns >= 0 && columns <= std::numeric_limits<int>::max(), "values",
                [&] { return std::to_string(columns) + " columns, expected 0 to 2^31 - 1"; });
  const SumProblem problem{check.rows("values", args.values), static_cast<int>(columns),
                           args.terms.count, determinism, not_finite};
  check_arguments<Sum>(problem, args);
  return problem;
}

template SumProblem sum_problem<double>(const SumArgs<double>&, Determinism, NotFinite);
template SumProblem sum_problem<float>(const SumArgs<float>&, Determinism, NotFinite);
template SumProblem sum_problem<std::int32_t>(const SumArgs<std::int32_t>&, Determinism, NotFinite);
template SumProblem sum_problem<std::int64_t>(const SumArgs<std::int64_t>&, Determinism, NotFinite);

}  // namespace tessera::reduction
