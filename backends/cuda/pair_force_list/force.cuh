#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_FORCE_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_FORCE_CUH

#include "backends/cuda/execution/space.hpp"
#include "backends/cuda/pair_common/coordinates.cuh"
#include "backends/cuda/pair_common/pack_atoms.cuh"
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

using namespace pair_common;

/// Input and output of a pair loop over a block of lists (ListBlock), the same for all threads.
template <class Coordinates, class Storage>
struct PairLoop {
  using Real = typename Coordinates::Real;

  const typename Coordinates::Atom* own;    ///< packed atoms of the block
  const typename Coordinates::Atom* atoms;  ///< all packed atoms, in cell order
  const Real* own_values;                   ///< values of the atoms of the block
  /// Values that the potential reads of all atoms (md::PackAtomData), in cell order; null: none.
  const Real* values;
  const std::int32_t* order;      ///< rows of the atoms of the block in the caller's arrays
  const std::int32_t* neighbors;  ///< arranged by `layout`
  const std::int32_t* counts;     ///< number of neighbors of each atom of the block
  std::int64_t count;             ///< atoms of the block
  ListLayout layout;
  Coordinates coordinates;
  const Real* table;    ///< types x types x table_stride()
  const Real* samples;  ///< used by forms that have any
  int types;
  Storage force_unit;  ///< unit of forces in the loop, in the caller's unit
  View<Storage, 2> forces;
  bool add;                ///< whether to add to the forces, else to overwrite them
  FixedScale<Real> fixed;  ///< used where sums are in fixed point
  StagedLists staged = {};
};

/// Destination of the torques of a pair loop.
template <class Storage>
struct TorqueOutput {
  View<Storage, 2> torques;
  Storage unit;  ///< unit of torques in the loop, in the caller's unit
};
/// Empty destination, for loops that compute no torques.
template <class Storage>
struct NoTorques {
  explicit NoTorques(const TorqueOutput<Storage>&) {}
};

/// One call of a pair loop.
template <class Coordinates, class Storage>
struct PairLaunch {
  Space space;
  PairLoop<Coordinates, Storage> loop;  ///< as for one block with all atoms
  ListBlocks lists;
  InTiltedBox<Coordinates> tilted_coordinates;  ///< used instead of the loop's where `tilted`
  bool tilted;
  const typename Coordinates::Real* host_table;
  int threads_per_atom;
  int block_size;
  md::Tally* tally;    ///< out: energy and virial, one per block of lists; null: not requested
  md::Tally* tallies;  ///< memory for one per block of threads
  md::StoreHalfTally store;  ///< stores the tally of a single block of lists; else does nothing
  Workspace workspace;
  const void* opaque;  ///< that of md::PairKernel
  /// Not null: do a fused step instead of computing forces. Requires a box without tilts and a
  /// single block of lists with the layout ListLayout::of_warp.
  const VerletMove<Coordinates, Storage>* move = nullptr;
  /// Not null, besides `move`: do a fused step with sums.
  const VerletRow<Coordinates>* row = nullptr;
  /// Not null: sums are in fixed point. Memory for one tally per block of threads and one more.
  md::FixedTally* fixed_tallies = nullptr;
  /// Number of groups for which the shared memory of a loop over staged lists has room.
  int groups = 0;
  TorqueOutput<Storage> torques = {};  ///< used by potentials that write torques
};

/// The function of a form in cuda.list (see md::PairKernels), which launches the kernels of a call.
template <class Coordinates, class Storage>
using PairKernelFunction = void(PairLaunch<Coordinates, Storage>&);

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_FORCE_CUH
