#pragma once

#include <tessera/md/langevin/langevin.hpp>

namespace tessera::md {

/// The oracle of md/langevin, in double whatever the arrays hold; it shares the noise with the
/// rest.
template <class Storage>
void langevin_reference(const IntegrateProblem& problem, const LangevinArgs<Storage>& args);

}  // namespace tessera::md
