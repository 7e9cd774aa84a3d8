#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_OCCUPIED_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_OCCUPIED_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/memory/view.hpp"
#include "physics/md/box.hpp"

#include <cstdint>

/// \file
/// Bounds of the atoms in directions that are not periodic, where atoms may lie outside the box.

namespace tessera::md {

/// Bounds of coordinates; NaNs are ignored.
struct Occupied {
  double low[3] = {1e300, 1e300, 1e300};
  double high[3] = {-1e300, -1e300, -1e300};
};

struct JoinOccupied {
  TESSERA_FUNCTION void operator()(Occupied& into, const Occupied& from) const {
    for (int d = 0; d < 3; ++d) {
      if (from.low[d] < into.low[d]) into.low[d] = from.low[d];
      if (from.high[d] > into.high[d]) into.high[d] = from.high[d];
    }
  }
};

template <class Storage>
struct AtomOccupies {
  View<const Storage, 2> positions;

  TESSERA_FUNCTION void operator()(std::int64_t i, Occupied& occupied) const {
    for (int d = 0; d < 3; ++d) {
      const double x = static_cast<double>(positions(i, d));
      if (x < occupied.low[d]) occupied.low[d] = x;
      if (x > occupied.high[d]) occupied.high[d] = x;
    }
  }
};

/// The box in periodic directions, the bounds of the atoms in the others. Waits for the device only
/// if a direction is not periodic.
template <class Storage, ExecutionSpace Space>
[[nodiscard]] Occupied find_occupied(Space& space, View<const Storage, 2> positions, const Box& box,
                                     Buffer<Occupied, Space>& buffer,
                                     WorkspaceBuffer<Space>& workspace) {
  Occupied occupied;
  const std::int64_t n = positions.extent(0);
  if (n > 0 && !(box.periodic[0] && box.periodic[1] && box.periodic[2])) {
    workspace.require(Space::template reduce_bytes<Occupied>(n));
    space.reduce("occupied", n, Occupied{}, AtomOccupies<Storage>{positions}, JoinOccupied{},
                 buffer.data(), workspace.get());
    occupied = buffer.read();
  }
  for (int d = 0; d < 3; ++d) {
    if (!box.periodic[d] && occupied.low[d] <= occupied.high[d]) continue;
    occupied.low[d] = box.lower[d];
    occupied.high[d] = box.lower[d] + box.length[d];
  }
  return occupied;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_OCCUPIED_HPP
