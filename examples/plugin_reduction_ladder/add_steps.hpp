#pragma once

#include <tessera/core/operations/registry.hpp>

/// \file
/// Registration, separate from code that only nvcc compiles.

namespace ladder {

/// Registers the seven steps for one type of numbers.
template <class P>
void add_steps(tessera::Registry& registry);

}  // namespace ladder
