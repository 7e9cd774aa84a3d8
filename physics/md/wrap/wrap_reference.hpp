#pragma once

#include <tessera/md/wrap/wrap.hpp>

namespace tessera::md {

/// The oracle of md/wrap, in double whatever the arrays hold.
template <class Storage>
void wrap_reference(const WrapProblem& problem, const WrapArgs<Storage>& args);

}  // namespace tessera::md
