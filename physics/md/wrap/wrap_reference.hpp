#ifndef TESSERA_PHYSICS_MD_WRAP_WRAP_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_WRAP_WRAP_REFERENCE_HPP

#include "physics/md/wrap/wrap.hpp"

namespace tessera::md {

/// The oracle of md/wrap. It computes in double for any Storage.
template <class Storage>
void wrap_reference(const WrapProblem& problem, const WrapArgs<Storage>& args);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_WRAP_WRAP_REFERENCE_HPP
