#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_FORCE_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_FORCE_CUH

#include "backends/cuda/execution/space.hpp"
#include "backends/cuda/pair_force_list/fixed_row.cuh"
#include "backends/cuda/pair_force_list/search.cuh"
#include "backends/cuda/pair_force_list/staged_lists.cuh"
#include "backends/cuda/pair_force_list/verlet_move.cuh"
#include "core/memory/view.hpp"
#include "physics/md/pair_force/pair_force_portable.hpp"

#include <cstdint>

/// \file
/// Declarations that the plan of cuda.list and its pair loops (potential_loop.cuh) share.

namespace tessera::cuda::pair_force_list {

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

/// Input and output of every thread of a pair loop over a block of atoms.
template <class Coordinates, class Storage>
struct PairLoop {
  using Real = typename Coordinates::Real;

  const typename Coordinates::Atom* own;  ///< those of the block
  const typename Coordinates::Atom* atoms;
  const Real* own_charges;
  const Real* charges;            ///< in cell order; null where the form reads none
  const std::int32_t* order;      ///< of those of the block
  const std::int32_t* neighbors;  ///< by the layout
  const std::int32_t* counts;
  std::int64_t count;
  ListLayout layout;
  Coordinates coordinates;
  const Real* table;    ///< types x types x table_stride()
  const Real* samples;  ///< of forms that read any
  int types;
  Storage force_unit;  ///< of the pair terms, in the caller's
  View<Storage, 2> forces;
  bool add;
  FixedScale<Real> fixed;  ///< read where sums are in fixed point
  StagedLists staged = {};
};

/// One call of a pair loop.
template <class Coordinates, class Storage>
struct PairLaunch {
  Space space;
  PairLoop<Coordinates, Storage> loop;  ///< as for a block of all atoms
  ListBlocks lists;
  InTiltedBox<Coordinates> tilted_coordinates;  ///< instead of the loop's where the box is tilted
  bool tilted;
  const typename Coordinates::Real* host_table;
  int threads_per_atom;
  int block_size;
  md::Tally* tally;          ///< not null: energy and virial are asked for, one for each block
  md::Tally* tallies;        ///< room for one of each thread block
  md::StoreHalfTally store;  ///< of the only block; of several nothing
  Workspace workspace;
  const void* opaque;  ///< of the row
  /// Not null: fused steps instead of forces. In boxes without tilts, lists by warps in one block.
  const VerletMove<Coordinates, Storage>* move = nullptr;
  /// Not null besides: one with sums, on either of the packed arrays.
  const VerletRow<Coordinates>* row = nullptr;
  /// Not null: sums are in fixed point; room for one of each thread block and one more.
  md::FixedTally* fixed_tallies = nullptr;
  /// Groups of a block that loops over staged lists have room for.
  int groups = 0;
};

/// A row of cuda.list.
template <class Coordinates, class Storage>
using PairKernelFunction = void(PairLaunch<Coordinates, Storage>&);

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_FORCE_CUH
