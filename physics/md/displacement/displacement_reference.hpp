#pragma once

#include <tessera/md/displacement/displacement.hpp>

namespace tessera::md {

/// The oracle of md/displacement.
template <class Storage>
void displacement_reference(const DisplacementProblem& problem,
                            const DisplacementArgs<Storage>& args);

}  // namespace tessera::md
