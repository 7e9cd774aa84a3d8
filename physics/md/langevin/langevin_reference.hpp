#ifndef TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_REFERENCE_HPP

#include "physics/md/langevin/langevin.hpp"

namespace tessera::md {

/// The oracle of md/langevin. It computes in double for any Storage and shares only the random
/// numbers with the other implementations.
template <class Storage>
void langevin_reference(const IntegrateProblem& problem, const LangevinArgs<Storage>& args);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_REFERENCE_HPP
