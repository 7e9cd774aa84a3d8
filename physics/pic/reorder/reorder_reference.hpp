#pragma once

#include <cstdint>
#include <tessera/pic/reorder/reorder.hpp>
#include <vector>

namespace tessera::pic {

/// The oracle of pic/reorder.
template <class Storage>
void reorder_reference(const ReorderProblem& problem, const ReorderArgs<Storage>& args);

/// Which particle comes first, second, ...; \param counts as in ReorderArgs.
template <class Storage>
[[nodiscard]] std::vector<std::int64_t> order_reference(const ReorderArgs<Storage>& args,
                                                        std::int64_t (&counts)[2]);

}  // namespace tessera::pic
