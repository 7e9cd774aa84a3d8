#pragma once

#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/core/operations/implementation.hpp>

/// \file
/// What the plan of a portable body without knobs is made of.

namespace tessera {

template <class Operation, class P, ExecutionSpace Space>
class PortablePlan : public Plan<Operation, P> {
 public:
  using Policy = NoPolicy;
  using Problem = typename Operation::Problem;
  using Args = typename Plan<Operation, P>::Args;

 protected:
  PortablePlan(const Problem& problem, const Context& context)
      : problem_(problem), space_(space_of<Space>(context)), workspace_(space_) {}

  Problem problem_;
  Space space_;
  WorkspaceBuffer<Space> workspace_;  ///< for the collectives; require() what they need
};

}  // namespace tessera
