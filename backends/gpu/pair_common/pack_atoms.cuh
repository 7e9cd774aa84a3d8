#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_PACK_ATOMS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_PACK_ATOMS_CUH

#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// The kernel that packs atoms in the order of a list.

namespace tessera::gpu::pair_common {

inline constexpr int pack_block = 256;

template <class Coordinates, class Storage>
__global__ void __launch_bounds__(pack_block)
    pack_atoms(std::int64_t atoms, View<const Storage, 2> positions,
               View<const std::int32_t, 1> types, const std::int32_t* __restrict__ order,
               Coordinates coordinates, typename Coordinates::Atom* __restrict__ packed) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= atoms) return;
  const std::int64_t i = order[k];
  packed[k] =
      coordinates.pack(static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
                       static_cast<double>(positions(i, 2)), types(i));
}

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_PACK_ATOMS_CUH
