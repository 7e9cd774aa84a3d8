#pragma once

#include <tessera/core/operations/registry.hpp>

/// \file
/// Registration, apart from what only nvcc compiles.

namespace ladder {

/// The seven for one type of numbers.
template <class P>
void add_steps(tessera::Registry& registry);

}  // namespace ladder
