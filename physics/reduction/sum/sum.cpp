#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/reduction/sum/sum.hpp>

namespace tessera::reduction {

template <class Storage>
SumProblem sum_problem(const SumArgs<Storage>& args) {
  const SumProblem problem{args.values.extent(0), static_cast<int>(args.values.extent(1)),
                           args.terms.count};
  if (args.terms.count < 0 || args.terms.count > max_terms)
    throw ArgumentError("reduction/sum: " + std::to_string(args.terms.count) +
                        " terms, expected 0 to " + std::to_string(max_terms));
  for (int t = 0; t < args.terms.count; ++t) {
    const SumTerm term = args.terms.term[t];
    if (term.a >= problem.columns || term.b >= problem.columns)
      throw ArgumentError("reduction/sum: term " + std::to_string(t) +
                          " names a column that the values do not have");
  }
  if (args.result.extent(0) < args.terms.count)
    throw ArgumentError("reduction/sum: the result has " + std::to_string(args.result.extent(0)) +
                        " elements for " + std::to_string(args.terms.count) + " terms");
  if (args.weight_class.given() && args.weight_class.extent(0) != problem.rows)
    throw ArgumentError("reduction/sum: weight_class must have one element a row");
  if (args.weights.given() && !args.weight_class.given() && args.weights.extent(0) != problem.rows)
    throw ArgumentError("reduction/sum: weights must have one element a row");
  return problem;
}

template SumProblem sum_problem<double>(const SumArgs<double>&);
template SumProblem sum_problem<float>(const SumArgs<float>&);

}  // namespace tessera::reduction
