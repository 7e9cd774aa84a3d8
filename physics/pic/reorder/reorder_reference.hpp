#ifndef TESSERA_PHYSICS_PIC_REORDER_REORDER_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_REORDER_REORDER_REFERENCE_HPP

#include "physics/pic/reorder/reorder.hpp"

#include <cstdint>
#include <vector>

namespace tessera::pic {

/// Oracle of pic/reorder.
template <class Storage>
void reorder_reference(const ReorderProblem& problem, const ReorderArgs<Storage>& args);

/// For each row of the new order, the index of its particle in the old order.
/// \param counts as in ReorderArgs.
template <class Storage>
[[nodiscard]] std::vector<std::int64_t> order_reference(const ReorderArgs<Storage>& args,
                                                        std::int64_t (&counts)[2]);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_REORDER_REORDER_REFERENCE_HPP
