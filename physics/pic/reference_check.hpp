#pragma once

#include <tessera/core/operations/argument_check.hpp>
#include <tessera/pic/reference_particle.hpp>

namespace tessera::pic {

/// What every operation needs of its argument `reference`.
/// \throws ArgumentError where its momentum is none.
void check_reference(const ArgumentCheck& check, const ReferenceParticle& reference);

}  // namespace tessera::pic
