#pragma once

#include <tessera/md/integrate/integrate.hpp>

namespace tessera::md {

/// The oracle of md/integrate, in double whatever the arrays hold.
template <class Storage>
void integrate_reference(const IntegrateProblem& problem, const IntegrateArgs<Storage>& args);

}  // namespace tessera::md
