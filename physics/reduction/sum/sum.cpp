#include <limits>
#include <string>
#include <tessera/reduction/sum/sum.hpp>

namespace tessera::reduction {

SumCheck::SumCheck(const SumProblem& problem) : problem_(problem) {
  require_count(Sum::name, "rows", problem.rows);
  require_count(Sum::name, "columns", problem.columns);
  require_count(Sum::name, "terms", problem.terms, 0, max_terms);
}

template <class Storage>
void SumCheck::operator()(ArgumentCheck& check, const SumArgs<Storage>& args) const {
  const std::int64_t rows = problem_.rows;
  check.array("values", args.values, {rows, problem_.columns});
  const bool by_class = args.weight_class.given();
  check.optional("weight_class", args.weight_class, {rows});
  check.optional("weights", args.weights, {by_class || rows == 0 ? args.weights.extents[0] : rows});
  check.optional("mask", args.mask, {rows});
  const std::int64_t classes = check.rows("weights", args.weights);
  check.require(args.weights.given() || !by_class || rows == 0, "weight_class",
                "given without weights");
  check.indices("weight_class", args.weight_class, classes);
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
    check.require(!args.weights.given() && !by_class, "weights", "given for a sum of integers");
    check.optional_room("overflow", args.overflow, args.terms.count);
  } else {
    check.require(!args.overflow.given(), "overflow", "given for a sum that has none");
  }
  check.room("result", args.result, args.terms.count);
}

template void SumCheck::operator()(ArgumentCheck&, const SumArgs<double>&) const;
template void SumCheck::operator()(ArgumentCheck&, const SumArgs<float>&) const;
template void SumCheck::operator()(ArgumentCheck&, const SumArgs<std::int32_t>&) const;
template void SumCheck::operator()(ArgumentCheck&, const SumArgs<std::int64_t>&) const;

template <class Storage>
SumProblem sum_problem(const SumArgs<Storage>& args, Determinism determinism) {
  const ArgumentCheck check(Sum::name);
  const std::int64_t columns = args.values.extent(1);
  check.require(columns >= 0 && columns <= std::numeric_limits<int>::max(), "values",
                [&] { return std::to_string(columns) + " columns, expected 0 to 2^31 - 1"; });
  const SumProblem problem{check.rows("values", args.values), static_cast<int>(columns),
                           args.terms.count, determinism};
  check_arguments<Sum>(problem, args);
  return problem;
}

template SumProblem sum_problem<double>(const SumArgs<double>&, Determinism);
template SumProblem sum_problem<float>(const SumArgs<float>&, Determinism);
template SumProblem sum_problem<std::int32_t>(const SumArgs<std::int32_t>&, Determinism);
template SumProblem sum_problem<std::int64_t>(const SumArgs<std::int64_t>&, Determinism);

}  // namespace tessera::reduction
