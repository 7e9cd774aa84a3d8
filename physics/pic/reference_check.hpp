#ifndef TESSERA_PHYSICS_PIC_REFERENCE_CHECK_HPP
#define TESSERA_PHYSICS_PIC_REFERENCE_CHECK_HPP

#include "core/operations/argument_check.hpp"
#include "physics/pic/reference_particle.hpp"

namespace tessera::pic {

/// Checks the argument `reference` of an operation.
/// \throws ArgumentError where its momentum is not positive and finite.
void check_reference(const ArgumentCheck& check, const ReferenceParticle& reference);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_REFERENCE_CHECK_HPP
