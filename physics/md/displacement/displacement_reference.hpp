#ifndef TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_REFERENCE_HPP

#include "physics/md/displacement/displacement.hpp"

namespace tessera::md {

/// The oracle of md/displacement.
template <class Storage>
void displacement_reference(const DisplacementProblem& problem,
                            const DisplacementArgs<Storage>& args);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_REFERENCE_HPP
