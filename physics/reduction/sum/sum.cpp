#include <memory>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/reference.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <tessera/reduction/sum/sum_reference.hpp>
#include <tessera/reduction/sum/sum_trial.hpp>

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

template <class P>
void sum(const Context& context, const SumArgs<typename P::Storage>& args) {
  const auto plan = make_plan<Sum, P>(sum_problem(args), context);
  plan->prepare(args);
  plan->execute(args);
}

template SumProblem sum_problem<double>(const SumArgs<double>&);
template SumProblem sum_problem<float>(const SumArgs<float>&);
template void sum<Double>(const Context&, const SumArgs<double>&);
template void sum<Mixed>(const Context&, const SumArgs<double>&);
template void sum<Single>(const Context&, const SumArgs<float>&);

}  // namespace tessera::reduction

namespace tessera::generated {

void register_operation_reduction_sum(Registry& registry) {
  registry.add_operation(std::string(reduction::Sum::name),
                         "weighted sums of columns and products of columns",
                         [] { return reduction::make_sum_trials(); });
  registry.add(
      reference_implementation<reduction::Sum, Double, &reduction::sum_reference<double>>());
  registry.add(
      reference_implementation<reduction::Sum, Mixed, &reduction::sum_reference<double>>());
  registry.add(
      reference_implementation<reduction::Sum, Single, &reduction::sum_reference<float>>());
}

}  // namespace tessera::generated
