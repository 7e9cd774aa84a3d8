#pragma once

#include <tessera/reduction/sum/sum.hpp>

namespace tessera::reduction {

/// The oracle of reduction/sum: one loop over the rows for each term, compensated.
template <class Storage>
void sum_reference(const SumProblem& problem, const SumArgs<Storage>& args);

}  // namespace tessera::reduction
