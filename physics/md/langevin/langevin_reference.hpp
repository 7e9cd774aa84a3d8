#ifndef TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_REFERENCE_HPP

#include "physics/md/langevin/langevin.hpp"

namespace tessera::md {

/// The oracle of md/langevin, in double whatever the arrays hold; it shares the noise with the
/// rest.
template <class Storage>
void langevin_reference(const IntegrateProblem& problem, const LangevinArgs<Storage>& args);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LANGEVIN_LANGEVIN_REFERENCE_HPP
