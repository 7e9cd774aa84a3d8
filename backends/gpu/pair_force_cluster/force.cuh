#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_FORCE_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_FORCE_CUH

#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_common/coordinates.cuh"
#include "backends/gpu/pair_force_cluster/cluster_loop.cuh"
#include "backends/gpu/pair_force_cluster/inner.cuh"
#include "core/memory/view.hpp"
#include "physics/md/pair_force/atom_data.hpp"
#include "physics/md/tally.hpp"

#include <cstdint>
#include <functional>
#include <type_traits>

/// \file
/// One call of a pair loop, as the plan of cuda.cluster passes it to the launcher
/// (launch_loop.cuh), and the kernels that run before and after the loop.

namespace tessera::gpu::pair_force_cluster {

using namespace pair_common;

inline constexpr int atoms_block = 128;

/// One call of a pair loop.
template <class Coordinates, class Storage>
struct ClusterLaunch {
  Space space;
  ClusterLoop<Coordinates, Storage> loop;
  InTiltedBox<Coordinates> tilted_coordinates;  ///< used instead of the loop's where `tilted`
  bool tilted;
  const typename Coordinates::Real* table_on_host;
  std::uint64_t shared_numbers;  ///< NumberTable::shared()
  /// Whether all atoms in the list of a super-cluster are within half a period of its atoms.
  bool compact;
  unsigned block_size;
  md::Tally* tallies;  ///< out: energy and virial of each item; null: not requested
  /// Rebuilds the inner list where it is stale; called before loops that do not rebuild it. Empty:
  /// there is no inner list.
  const std::function<void()>& prune;
};

/// Packs the present positions and values of atoms in the order of clusters, clears their forces,
/// and checks the inner list.
template <class Coordinates, class Storage>
__global__ void __launch_bounds__(atoms_block)
    take_atoms(std::int64_t atoms, std::int64_t padded, View<const Storage, 2> positions,
               md::AtomColumns<Storage> values, const std::int32_t* __restrict__ order,
               const std::int32_t* __restrict__ types, Coordinates coordinates,
               typename Coordinates::Atom* __restrict__ packed,
               typename Coordinates::Real* __restrict__ packed_values,
               typename Coordinates::Real* __restrict__ forces,
               InnerListCheck<typename Coordinates::Atom, typename Coordinates::Real> inner) {
  using Real = typename Coordinates::Real;
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= padded) return;
  for (int d = 0; d < 3; ++d)
    forces[3 * k + d] = 0;
  if (k >= atoms) {
    packed[k] = {};
    for (int c = 0; c < values.stride; ++c)
      packed_values[k * values.stride + c] = 0;
    return;
  }
  const std::int64_t i = order[k];
  const auto atom =
      coordinates.pack(static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
                       static_cast<double>(positions(i, 2)), types[k]);
  packed[k] = atom;
  inner.look(k, atom, coordinates);
  md::PackAtomData<Storage, Real>{values, order, packed_values}(k);
}

/// Stores the forces in the caller's array.
/// \param unit unit of the sums in the caller's unit; used below double.
template <class Atom, class Real, class Storage>
__global__ void __launch_bounds__(atoms_block)
    give_forces(std::int64_t atoms, const std::int32_t* __restrict__ order,
                const Real* __restrict__ sums, Storage unit, View<Storage, 2> forces, bool add,
                const Atom* __restrict__ packed, InnerListCheck<Atom, Real> inner) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  inner.keep(k, k < atoms, packed);
  if (k >= atoms) return;
  const std::int64_t i = order[k];
  for (int d = 0; d < 3; ++d) {
    auto value = static_cast<Storage>(sums[3 * k + d]);
    if constexpr (std::is_same_v<Real, float>) value *= unit;
    forces(i, d) = add ? forces(i, d) + value : value;
  }
}

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_FORCE_CUH
