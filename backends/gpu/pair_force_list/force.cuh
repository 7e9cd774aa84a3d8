#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FORCE_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FORCE_CUH

#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_common/coordinates.cuh"
#include "backends/gpu/pair_force_list/pair_loop.cuh"
#include "backends/gpu/pair_force_list/search.cuh"
#include "backends/gpu/pair_force_list/staged_layout.cuh"
#include "backends/gpu/pair_force_list/verlet_move.cuh"
#include "physics/md/pair_force/fixed_point_pairs.hpp"
#include "physics/md/tally.hpp"

#include <cstdint>

/// \file
/// One call of a pair loop, as the plan of cuda.list passes it to the launcher (launch_loop.cuh).

namespace tessera::gpu::pair_force_list {

using namespace pair_common;

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
  /// Not null: do a fused step instead of computing forces. Requires a single block of lists with
  /// the layout ListLayout::of_warp. A VerletMove, or, with `others` and always where `tilted`, a
  /// VerletMoveWithOthers, for the coordinates of the box.
  const void* move = nullptr;
  /// Not null, besides `move`: do a fused step with sums.
  const VerletRow<Coordinates>* row = nullptr;
  /// Not null: sums are in fixed point. Memory for one tally per block of threads and one more.
  md::FixedTally* fixed_tallies = nullptr;
  StagedLists staged = {};  ///< given: the loop uses staged lists
  /// Number of groups for which the shared memory of such a loop has room.
  int groups = 0;
  TorqueOutput<Storage> torques = {};  ///< used by potentials that write torques
  bool others = false;                 ///< whether `move` is a VerletMoveWithOthers
  bool early = false;  ///< whether the step starts while the kernel before it finishes
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FORCE_CUH
