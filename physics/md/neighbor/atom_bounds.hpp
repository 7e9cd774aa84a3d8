#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_BOUNDS_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_BOUNDS_HPP

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
struct AtomBounds {
  double low[3] = {1e300, 1e300, 1e300};
  double high[3] = {-1e300, -1e300, -1e300};
};

struct JoinAtomBounds {
  TESSERA_FUNCTION void operator()(AtomBounds& into, const AtomBounds& from) const {
    for (int d = 0; d < 3; ++d) {
      if (from.low[d] < into.low[d]) into.low[d] = from.low[d];
      if (from.high[d] > into.high[d]) into.high[d] = from.high[d];
    }
  }
};

template <class Storage>
struct BoundAtom {
  View<const Storage, 2> positions;

  TESSERA_FUNCTION void operator()(std::int64_t i, AtomBounds& atom_bounds) const {
    for (int d = 0; d < 3; ++d) {
      const double x = static_cast<double>(positions(i, d));
      if (x < atom_bounds.low[d]) atom_bounds.low[d] = x;
      if (x > atom_bounds.high[d]) atom_bounds.high[d] = x;
    }
  }
};

/// Bounds: the box in periodic directions, the outermost atoms in the others. Waits for the device
/// only if a direction is not periodic.
template <class Storage, ExecutionSpace Space>
[[nodiscard]] AtomBounds find_atom_bounds(Space& space, View<const Storage, 2> positions,
                                          const Box& box, Buffer<AtomBounds, Space>& buffer,
                                          WorkspaceBuffer<Space>& workspace) {
  AtomBounds atom_bounds;
  const std::int64_t n = positions.extent(0);
  if (n > 0 && !(box.periodic[0] && box.periodic[1] && box.periodic[2])) {
    workspace.require(Space::template reduce_bytes<AtomBounds>(n));
    space.reduce("occupied", n, AtomBounds{}, BoundAtom<Storage>{positions}, JoinAtomBounds{},
                 buffer.data(), workspace.get());
    atom_bounds = buffer.read();
  }
  for (int d = 0; d < 3; ++d) {
    if (!box.periodic[d] && atom_bounds.low[d] <= atom_bounds.high[d]) continue;
    atom_bounds.low[d] = box.lower[d];
    atom_bounds.high[d] = box.lower[d] + box.length[d];
  }
  return atom_bounds;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_BOUNDS_HPP
