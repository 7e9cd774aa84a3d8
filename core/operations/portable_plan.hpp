#ifndef TESSERA_CORE_OPERATIONS_PORTABLE_PLAN_HPP
#define TESSERA_CORE_OPERATIONS_PORTABLE_PLAN_HPP

#include "core/execution/reduction.hpp"
#include "core/operations/implementation.hpp"

/// \file
/// Base class of the plans of portable bodies without tuning parameters.

namespace tessera {

/// Derived plans inherit the constructor. Their further members have initializers that use problem_
/// and space_.
template <class Operation, class P, ExecutionSpace Space>
class PortablePlan : public Plan<Operation, P> {
 public:
  using Parameters = NoParameters;
  using Problem = typename Operation::Problem;
  using Args = typename Plan<Operation, P>::Args;

  PortablePlan(const Problem& problem, const Context& context, const NoParameters&)
      : problem_(problem), space_(space_of<Space>(context)) {}

 protected:
  Problem problem_;
  Space space_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_PORTABLE_PLAN_HPP
