#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_STATES_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_STATES_HPP

#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "physics/reduction/sum/sum_passes.hpp"

/// \file
/// State of a plan of fixed-point sums between calls: for each pass a guess of its scales.

namespace tessera::reduction {

template <ExecutionSpace Space>
class SumStates {
 public:
  SumStates(Space space, bool needed) : states_(space, needed ? max_terms : 0) {
    // Any initial guess is valid, because wrong ones are detected.
    if (needed) space.fill(states_.data(), 0, max_terms * sizeof(FixedState));
  }

  [[nodiscard]] FixedState* of(int pass) const { return states_.data() + pass; }

 private:
  Buffer<FixedState, Space> states_;
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_STATES_HPP
