#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_ATOMS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_ATOMS_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_force_list/search.cuh"
#include "backends/gpu/pair_force_list/verlet_move.cuh"
#include "core/execution/buffer.hpp"
#include "physics/md/neighbor/atom_layers.hpp"
#include "physics/md/neighbor/cell_grid.hpp"
#include "physics/md/step/fused_steps.hpp"
#include "physics/md/wrap/wrap_portable.hpp"

#include <climits>
#include <cstdint>

/// \file
/// The arrays of atoms in fused steps, in cell order, and all kernels on them except the steps.

namespace tessera::gpu::pair_force_list {

inline constexpr int atoms_block = 256;

/// Arrays of atoms in cell order; of vectors all x components come first, then all y, then all z.
template <class Storage>
struct AtomArrays {
  Storage* positions;
  Storage* velocities;
  std::int32_t* images;
  std::int32_t* rows;  ///< rows of the atoms in the caller's arrays
  double* heat;        ///< from a bath; null without one

  __device__ void copy(const AtomArrays& from, std::int64_t j, std::int64_t k,
                       std::int64_t atoms) const {
    for (int d = 0; d < 3; ++d) {
      positions[d * atoms + j] = from.positions[d * atoms + k];
      velocities[d * atoms + j] = from.velocities[d * atoms + k];
      images[d * atoms + j] = from.images[d * atoms + k];
    }
    rows[j] = from.rows[k];
    if (heat != nullptr) heat[j] = from.heat[k];
  }
};

inline __global__ void start_steps(VerletStatus* status, long long steps, long long first_row,
                                   long long row_every, long long most_rebuilds,
                                   long long first_noise) {
  *status = {};
  status->last = steps;
  status->row_at = first_row < 0 ? LLONG_MAX : first_row;
  status->row_every = row_every;
  status->until = min(steps, status->row_at);
  status->stale_after = LLONG_MAX;
  status->most_rebuilds = most_rebuilds;
  status->first_noise = first_noise;
}

/// The properties of atoms that do not change as they move (type and mass class): the caller's
/// arrays, and the arrays in cell order that receive them.
template <class Coordinates, class Storage>
struct AtomKinds {
  View<const std::int32_t, 1> types;
  View<const std::int32_t, 1> mass_classes;
  std::int32_t* mass_class;  ///< null where all atoms have the same mass
  Coordinates coordinates;
  typename Coordinates::Atom* packed[2];
  View<const std::int64_t, 1> given_ids;
  std::int64_t* ids = nullptr;    ///< null without a bath
  std::int32_t* place = nullptr;  ///< place of each of the caller's rows in cell order; or null

  __device__ void write(std::int64_t k, std::int64_t row, double x, double y, double z) const {
    const auto atom = coordinates.pack(x, y, z, types(row));
    packed[0][k] = atom;
    packed[1][k] = atom;
    if (mass_class != nullptr) mass_class[k] = mass_classes(row);
    if (ids != nullptr) ids[k] = given_ids(row);
    if (place != nullptr) place[row] = static_cast<std::int32_t>(k);
  }
};

template <class Coordinates, class Storage>
__global__ void __launch_bounds__(atoms_block)
    load_atoms(std::int64_t atoms, md::FusedStepsArgs<Storage> args, const std::int32_t* order,
               AtomArrays<Storage> now, Storage* built, AtomKinds<Coordinates, Storage> kinds,
               View<const double, 1> heat, double allowed_sq, VerletStatus* status) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= atoms) return;
  const std::int64_t row = order[k];
  double off_sq = 0;
  for (int d = 0; d < 3; ++d) {
    const std::int64_t at = d * atoms + k;
    const Storage x = args.positions(row, d);
    const Storage from = args.built_positions(row, d);
    now.positions[at] = x;
    now.velocities[at] = args.velocities(row, d);
    now.images[at] = args.images(row, d);
    built[at] = from;
    const double off = static_cast<double>(x) - static_cast<double>(from);
    off_sq += off * off;
  }
  now.rows[k] = order[k];
  if (now.heat != nullptr) now.heat[k] = heat(row);
  kinds.write(k, row, static_cast<double>(now.positions[k]),
              static_cast<double>(now.positions[atoms + k]),
              static_cast<double>(now.positions[2 * atoms + k]));
  if (!(off_sq <= allowed_sq)) {
    status->stale_after = 0;
    status->wanted = needs_lists;
  }
}

template <class Storage>
__global__ void __launch_bounds__(atoms_block)
    store_atoms(std::int64_t atoms, md::FusedStepsArgs<Storage> args, AtomArrays<Storage> from,
                View<double, 1> heat) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= atoms) return;
  const std::int64_t row = from.rows[k];
  for (int d = 0; d < 3; ++d) {
    const std::int64_t at = d * atoms + k;
    args.positions(row, d) = from.positions[at];
    args.velocities(row, d) = from.velocities[at];
    args.images(row, d) = from.images[at];
  }
  if (from.heat != nullptr) heat(row) = from.heat[k];
}

/// Folds atoms into the box, and writes the cells of atoms as sort keys in the order of the
/// caller's rows. The stable sort by cell then leaves the atoms of a cell in the order of these
/// rows, independent of their previous order.
/// \tparam Fold md::WrapAtom, or md::WrapTiltedAtom in a tilted box.
template <class Fold>
struct FoldAndKey {
  Fold fold;
  const std::int32_t* rows;
  md::CellGrid grid;
  std::uint32_t* keys;
  std::int32_t* places;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    fold(k);
    const auto& positions = fold.args.positions;
    std::int32_t cell[3];
    grid.find_cell(
        grid.fold({static_cast<double>(positions(k, 0)), static_cast<double>(positions(k, 1)),
                   static_cast<double>(positions(k, 2))}),
        cell);
    keys[rows[k]] = static_cast<std::uint32_t>(grid.slot(cell[0], cell[1], cell[2]));
    places[rows[k]] = static_cast<std::int32_t>(k);
  }
};

/// Copies the atoms into the new cell order, to `kept`, the state from which the lists are made.
/// After a blow-up `kept` stays as it was. \param places for each atom in the new order its place
/// in the old one.
template <class Storage>
__global__ void __launch_bounds__(atoms_block)
    sort_atoms(std::int64_t atoms, const std::int32_t* places, AtomArrays<Storage> from,
               AtomArrays<Storage> kept, const VerletStatus* status) {
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j < atoms && status->blown == 0) kept.copy(from, j, places[j], atoms);
}

/// Derives from `kept` all arrays that steps and the search read, and clears the statistics of the
/// search.
template <class Coordinates, class Storage>
__global__ void __launch_bounds__(atoms_block)
    refresh_atoms(std::int64_t atoms, AtomArrays<Storage> kept, AtomArrays<Storage> now,
                  std::int32_t* order, AtomKinds<Coordinates, Storage> kinds, md::CellGrid grid,
                  md::AtomLayers layers, float4* offsets, SearchStatistics* statistics,
                  VerletStatus* status) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k == 0) *statistics = {};
  if (k >= atoms || status->blown != 0) return;
  now.copy(kept, k, k, atoms);
  const std::int32_t row = kept.rows[k];
  order[k] = row;
  const Vec3<double> r{static_cast<double>(kept.positions[k]),
                       static_cast<double>(kept.positions[atoms + k]),
                       static_cast<double>(kept.positions[2 * atoms + k])};
  kinds.write(k, row, r.x, r.y, r.z);
  offsets[k] = offset_in_cell(grid, r);
  const unsigned outermost = layers.outermost(r);
  if ((outermost & ~status->layers) != 0) atomicOr(&status->layers, outermost);
}

inline __global__ void end_rebuild(VerletStatus* status, const SearchStatistics* statistics,
                                   std::int32_t capacity, int groups, int rounds, unsigned layers,
                                   int parity) {
  const long long done = status->done[parity];
  const bool same_layers = status->layers == layers;
  status->wanted &= ~needs_lists;
  status->stale_after = LLONG_MAX;
  status->layers = 0;
  if (status->blown != 0) return;
  ++status->rebuilds;
  status->built_after = done;
  status->listed = statistics->total;
  const bool fits = statistics->longest <= capacity && statistics->groups <= groups &&
                    statistics->rounds <= rounds && statistics->coincident == 0 && same_layers;
  if (fits && status->rebuilds < status->most_rebuilds) return;
  if (!fits) status->unprepared = 1;
  status->last = done;
  status->until = done;
}

/// Number of atoms of a thread that sums noise.
inline constexpr int noise_per_thread = 8;

/// Sums the noise of a step in a balanced bath.
template <class Coordinates, class Storage>
__global__ void __launch_bounds__(atoms_block)
    sum_noise(VerletMove<Coordinates, Storage> move, BathOfSteps<Storage> bath) {
  if (move.gate().is_idle()) return;
  md::NoiseSum sum;
  const std::int64_t first =
      std::int64_t{blockIdx.x} * noise_per_thread * atoms_block + threadIdx.x;
  for (int t = 0; t < noise_per_thread; ++t) {
    const std::int64_t k = first + t * atoms_block;
    if (k >= move.atoms) break;
    const std::int32_t type = move.type_of_mass(k);
    const double share = bath.half_mass(type) * bath.noise(type) / bath.largest;
    const Normals random = move.noise(k, bath);
    sum.add(share, {random.value[0], random.value[1], random.value[2]});
  }
  md::NoiseSum& total = bath.sums[move.parity];
  for (int d = 0; d < 3; ++d) {
    for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2) {
      sum.whole[d] += gpu::shfl_xor(sum.whole[d], offset);
      sum.rest[d] += gpu::shfl_xor(sum.rest[d], offset);
    }
    if (gpu::lane() > 0) continue;
    atomicAdd(reinterpret_cast<unsigned long long*>(&total.whole[d]),
              static_cast<unsigned long long>(sum.whole[d]));
    atomicAdd(reinterpret_cast<unsigned long long*>(&total.rest[d]),
              static_cast<unsigned long long>(sum.rest[d]));
  }
}

/// Moves the atoms by forces in cell order, in a bath or without one.
template <Bath Kind, class Coordinates, class Storage>
__global__ void __launch_bounds__(atoms_block)
    move_atoms(VerletMove<Coordinates, Storage> move, Coordinates coordinates,
               const Storage* forces, BathOfSteps<Storage> bath) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool is_one = k < move.atoms;
  if (Kind == Bath::balanced && k == 0) bath.sums[1 - move.parity] = {};
  if (move.is_idle()) return;
  const auto before = move.template read<1>(k, 0, is_one);
  const auto force = [&](int d) { return forces[d * move.atoms + k]; };
  if constexpr (Kind != Bath::none) {
    const auto noise = move.template draw<1>(k, 0, is_one, bath);
    move.template step_in_bath<Kind, 1>(k, 0, is_one, before, noise, force, coordinates, bath);
  } else {
    move.template step<1, false>(k, 0, is_one, before, force, coordinates, [](int, auto) {});
  }
}

inline __global__ void number_atoms(std::int64_t atoms, std::int32_t* numbers) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < atoms) numbers[k] = static_cast<std::int32_t>(k);
}

inline constexpr int finish_block = 1024;

/// Ends a step with sums. The first block adds up the sums of all blocks of threads, and counts the
/// step, so that steps go on. The other blocks copy the newer packed array to the older one, so
/// that a step of either parity may come next. \param pair_unit unit of energies in the pair loop,
/// in the caller's unit.
template <class Atom>
__global__ void __launch_bounds__(finish_block)
    finish_row(std::int64_t atoms, VerletProgress* progress, Atom* packed_a, Atom* packed_b,
               const double* parts, std::int64_t blocks, double pair_unit) {
  const int made = progress->status.row_made;
  if (made == 0) return;
  if (blockIdx.x > 0) {
    const std::int64_t k = std::int64_t{blockIdx.x - 1} * blockDim.x + threadIdx.x;
    if (k >= atoms) return;
    if (made == 1)
      packed_a[k] = packed_b[k];
    else
      packed_b[k] = packed_a[k];
    return;
  }
  constexpr int thread_groups = finish_block / row_values;
  __shared__ double part[thread_groups][row_values];
  const int v = static_cast<int>(threadIdx.x) % row_values;
  const int thread_group = static_cast<int>(threadIdx.x) / row_values;
  double sum = 0;
#pragma unroll 8
  for (std::int64_t b = thread_group; b < blocks; b += thread_groups)
    sum += parts[b * row_values + v];
  part[thread_group][v] = sum;
  __syncthreads();
  VerletStatus& status = progress->status;
  VerletProgress::Row& row = progress->rows[status.rows % kept_rows];
  if (thread_group == 0) {
    for (int s = 1; s < thread_groups; ++s)
      sum += part[s][v];
    // Each pair was added for both of its atoms.
    constexpr int pair_values = 7;
    row.values[v] = v < pair_values ? 0.5 * pair_unit * sum : sum;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  const long long done = max(status.done[0], status.done[1]);
  row.steps = done;
  ++status.rows;
  status.done[0] = status.done[1] = done + 1;
  status.row_at += status.row_every;
  status.until = min(status.last, status.row_at);
  status.wanted &= ~needs_sums;
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_ATOMS_CUH
