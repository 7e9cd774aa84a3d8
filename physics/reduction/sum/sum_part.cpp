#include "physics/reduction/sum/sum_part.hpp"

#include "core/operations/choices.hpp"

namespace tessera::reduction {

template <class P>
std::unique_ptr<Plan<Sum, P>> sum_part(const SumProblem& problem, const std::string& backend,
                                       const Context& context) {
  return select_part<Sum, P>(problem, backend, context).make_plan(problem, context);
}

template std::unique_ptr<Plan<Sum, Double>> sum_part(const SumProblem&, const std::string&,
                                                     const Context&);
template std::unique_ptr<Plan<Sum, Single>> sum_part(const SumProblem&, const std::string&,
                                                     const Context&);

}  // namespace tessera::reduction
