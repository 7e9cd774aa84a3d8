#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_POSITIONS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_POSITIONS_CUH

#include "backends/gpu/execution/warp.cuh"

#include <cstdint>

/// \file
/// Two representations of atoms (Kept) from which a warp computes separations.

namespace tessera::gpu::pair_force_cluster {

/// Replaces the type of an atom by the offset of its row or column in the table.
__device__ inline void replace_type(int4& atom, std::int32_t number) {
  atom.w = number;
}
template <class Atom>
__device__ inline void replace_type(Atom& atom, std::int32_t number) {
  atom.type = number;
}
[[nodiscard]] __device__ inline std::int32_t type_of(const int4& atom) {
  return atom.w;
}
template <class Atom>
[[nodiscard]] __device__ inline std::int32_t type_of(const Atom& atom) {
  return atom.type;
}

/// Atoms as they are stored; the nearest image is found for each pair.
template <class Coordinates>
struct StoredPositions {
  using Atom = typename Coordinates::Atom;
  using Kept = Atom;

  Coordinates coordinates;

  [[nodiscard]] __device__ const Kept& keep(const Atom& atom, const Atom&) const { return atom; }
  template <class Real>
  __device__ void separation(const Kept& from, const Kept& to, Real& dx, Real& dy, Real& dz) const {
    coordinates.separation(from, to, dx, dy, dz);
  }
};

/// Positions relative to an atom of the super-cluster, so that the nearest image is found once per
/// atom and not once per pair. Requires that all atoms in the list of a super-cluster are within
/// half a period of its atoms.
template <class Coordinates>
struct RelativePositions {
  using Atom = typename Coordinates::Atom;
  using Kept = typename Coordinates::Relative;

  Coordinates coordinates;

  [[nodiscard]] __device__ Kept keep(const Atom& atom, const Atom& origin) const {
    return coordinates.relative(atom, origin);
  }
  __device__ void separation(const Kept& from, const Kept& to, float& dx, float& dy,
                             float& dz) const {
    dx = from.x - to.x;
    dy = from.y - to.y;
    dz = from.z - to.z;
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_POSITIONS_CUH
