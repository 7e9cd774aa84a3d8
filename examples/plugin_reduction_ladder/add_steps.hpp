#pragma once

#include <tessera/core/operations/registry.hpp>

/// \file
/// Declaration of the registration, for a source file that the host compiler compiles.

namespace ladder {

/// Registers the seven steps for the precision P.
template <class P>
void add_steps(tessera::Registry& registry);

}  // namespace ladder
