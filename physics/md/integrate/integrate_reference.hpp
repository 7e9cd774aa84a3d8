#ifndef TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_REFERENCE_HPP

#include "physics/md/integrate/integrate.hpp"

namespace tessera::md {

/// The oracle of md/integrate. It computes in double for any Storage.
template <class Storage>
void integrate_reference(const IntegrateProblem& problem, const IntegrateArgs<Storage>& args);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_REFERENCE_HPP
