#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_FORCES_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_FORCES_CUH

#include "backends/gpu/execution/intrinsics.cuh"
#include "backends/gpu/execution/shared_memory.cuh"
#include "backends/gpu/execution/warp.cuh"
#include "backends/gpu/pair_common/pair_numbers.cuh"
#include "backends/gpu/pair_common/pair_values.cuh"
#include "backends/gpu/pair_force_cluster/cluster_entries.hpp"
#include "backends/gpu/pair_force_cluster/cluster_loop.cuh"
#include "backends/gpu/pair_force_cluster/own_numbers.cuh"
#include "backends/gpu/pair_force_cluster/positions.cuh"
#include "physics/md/tally_sums.hpp"

#include <cstdint>

/// \file
/// The kernel of the pair loop over clusters. Include it after the header of the form.

namespace tessera::gpu::pair_force_cluster {

/// Energy and virial of the pairs of a lane.
template <class Real>
struct LaneTally {
  Real energy = 0;
  Real virial[6] = {};
};

/// Table of the numbers of pairs of types, with a row for the type of the own atom and a column for
/// that of the other. In shared memory the position of a row is a 32-bit address, to which the
/// offset of the column is added.
template <bool InShared>
class Table {
 public:
  explicit __device__ Table(const unsigned char* begin)
      : begin_(begin), first_(InShared ? gpu::shared_address(begin) : 0) {}

  /// Position of a row, which own atoms store in place of their type.
  /// \param bytes size of the rows before it.
  [[nodiscard]] __device__ std::int32_t row(std::int32_t bytes) const {
    return static_cast<std::int32_t>(first_) + bytes;
  }
  [[nodiscard]] __device__ const void* numbers(std::int32_t row, std::uint32_t column) const {
    if constexpr (InShared) return gpu::in_shared(static_cast<std::uint32_t>(row) + column);
    return begin_ + row + column;
  }

 private:
  const unsigned char* begin_;
  std::uint32_t first_;
};

/// The loop of one form, the first argument of its kernels. The launcher, which does not know the
/// form, writes the members one after the other (launch_loop.cuh).
template <class PotentialType, class Positions, class Numbers, class Coordinates, class Storage>
struct PotentialLoop {
  using Potential = PotentialType;
  using Real = typename Coordinates::Real;
  using Atom = typename Coordinates::Atom;
  using Kept = typename Positions::Kept;
  static constexpr int width =
      static_cast<int>(pair_common::table_stride<Real>(1 + Potential::traits.width));
  static constexpr int stride = static_cast<int>(pair_common::table_stride<Real>(Numbers::kept));
  /// Whether the loop's table has all numbers of the table in device memory.
  static constexpr bool whole_rows = Numbers::kept == 1 + Potential::traits.width;

  /// Bytes from one column of the table to the next.
  static constexpr int column_bytes = stride * static_cast<int>(sizeof(Real));

  using Values = ValuesOf<Potential, Real>;

  ClusterLoop<Coordinates, Storage> all;
  Positions places;
  Numbers numbers;

  [[nodiscard]] TESSERA_INLINE int row_bytes() const { return all.types * column_bytes; }
  [[nodiscard]] TESSERA_INLINE std::size_t table_bytes() const {
    return static_cast<std::size_t>(all.types) * static_cast<std::size_t>(row_bytes());
  }

  /// Copies the table to shared memory. All threads of the block must call it.
  __device__ void copy_table(unsigned char* here) const {
    if constexpr (whole_rows) {
      const auto* const from = reinterpret_cast<const int4*>(all.table);
      const auto count = static_cast<unsigned>(table_bytes() / sizeof(int4));
      for (unsigned t = threadIdx.x; t < count; t += blockDim.x)
        reinterpret_cast<int4*>(here)[t] = from[t];
    } else {
      const auto count = static_cast<unsigned>(table_bytes() / sizeof(Real));
      for (unsigned t = threadIdx.x; t < count; t += blockDim.x) {
        const unsigned w = t % stride;
        reinterpret_cast<Real*>(here)[t] =
            w < Numbers::kept ? all.table[t / stride * width + Numbers::first + w] : Real(0);
      }
    }
  }

  /// Adds a pair.
  /// \param me own atom, with the position of its row of the table in place of its type.
  /// \param others result of Numbers::prepare() for the other atom.
  /// \param column offset in bytes of the column of the other atom's type.
  /// \returns the squared distance.
  template <bool Tallied, class TableType>
  __device__ __forceinline__ Real add_pair(bool listed, const Kept& me, const Values& mine,
                                           const Kept& other, const Values& others,
                                           const TableType& table, std::uint32_t column,
                                           Real (&on_me)[3], Real (&on_other)[3],
                                           LaneTally<Real>& tally) const {
    Real dx;
    Real dy;
    Real dz;
    places.separation(me, other, dx, dy, dz);
    const Real r_sq = dx * dx + dy * dy + dz * dz;
    Real c[stride];
    pair_common::load_numbers(static_cast<const Real*>(table.numbers(type_of(me), column)), c);
    const PairValue<Real> pair = numbers.at(listed, r_sq, c, others, mine);
    on_me[0] += pair.force * dx;
    on_me[1] += pair.force * dy;
    on_me[2] += pair.force * dz;
    on_other[0] -= pair.force * dx;
    on_other[1] -= pair.force * dy;
    on_other[2] -= pair.force * dz;
    if constexpr (Tallied) {
      const Real fx = pair.force * dx;
      const Real fy = pair.force * dy;
      const Real fz = pair.force * dz;
      tally.energy += pair.energy;
      tally.virial[0] += fx * dx;
      tally.virial[1] += fy * dy;
      tally.virial[2] += fz * dz;
      tally.virial[3] += fx * dy;
      tally.virial[4] += fx * dz;
      tally.virial[5] += fy * dz;
    }
    return r_sq;
  }

  /// Bytes of shared memory for the own atoms of a warp.
  static constexpr std::size_t bytes_of_warp =
      super_atoms * (sizeof(Kept) + Potential::traits.stride() * sizeof(Real));
  [[nodiscard]] static constexpr std::size_t atom_bytes(unsigned block_size) {
    return block_size / gpu::warp_size * bytes_of_warp;
  }
};

/// The atoms of a super-cluster in the shared memory of a warp.
template <class Loop>
struct OwnAtoms {
  using Kept = typename Loop::Kept;
  using Real = typename Loop::Real;
  static constexpr int stride = Loop::Potential::traits.stride();

  Kept* atoms;
  Real* values;  ///< `stride` of each atom

  __device__ OwnAtoms() {
    auto* const first = reinterpret_cast<Kept*>(dynamic_shared());
    const int warps = static_cast<int>(blockDim.x) / gpu::warp_size;
    atoms = first + gpu::warp() * super_atoms;
    values =
        reinterpret_cast<Real*>(first + warps * super_atoms) + gpu::warp() * super_atoms * stride;
  }

  /// All lanes of the warp must call it.
  /// \param first place of the first atom.
  /// \param origin atom to which positions are relative (RelativePositions).
  template <class TableType>
  __device__ void load(const Loop& loop, const TableType& table, std::int64_t first,
                       const typename Loop::Atom& origin) const {
    for (int a = gpu::lane(); a < super_atoms; a += gpu::warp_size) {
      Kept atom = loop.places.keep(loop.all.atoms[first + a], origin);
      replace_type(atom, table.row(type_of(atom) * loop.row_bytes()));
      atoms[a] = atom;
      for (int c = 0; c < stride; ++c)
        values[a * stride + c] = loop.all.values[(first + a) * stride + c];
    }
    gpu::syncwarp();
  }
};

/// The own atoms of a lane, one of each cluster. Their addresses stay in registers.
template <class Loop>
class OwnOfLane {
 public:
  using Kept = typename Loop::Kept;
  using Real = typename Loop::Real;

  explicit __device__ OwnOfLane(const OwnAtoms<Loop>& own)
      : atoms_(gpu::shared_address(own.atoms + own_of(gpu::lane()))),
        values_(gpu::shared_address(own.values + own_of(gpu::lane()) * own.stride)) {
    gpu::keep_in_register(atoms_);
    gpu::keep_in_register(values_);
  }

  [[nodiscard]] __device__ __forceinline__ const Kept& atom(int cluster) const {
    return *static_cast<const Kept*>(gpu::in_shared(atoms_ + of_cluster<Kept>(cluster)));
  }
  [[nodiscard]] __device__ __forceinline__ typename Loop::Values values(int cluster) const {
    constexpr int stride = Loop::Potential::traits.stride();
    if constexpr (stride == 0)
      return {};
    else
      return load_values<typename Loop::Potential>(
          static_cast<const Real*>(gpu::in_shared(values_ + of_cluster<Real[stride]>(cluster))), 0);
  }

 private:
  template <class T>
  [[nodiscard]] static constexpr std::uint32_t of_cluster(int cluster) {
    return static_cast<std::uint32_t>(cluster * cluster_atoms) * sizeof(T);
  }

  std::uint32_t atoms_;
  std::uint32_t values_;
};

/// Data of a lane for an entry, prefetched while the lane processes the entry before.
template <class Loop>
struct OtherAtom {
  std::uint32_t bits;
  typename Loop::Atom atom;
  typename Loop::Values values;

  /// \param bits_of_item address of the lane's byte of slot 0 of the item.
  __device__ void load(const Loop& loop, const std::uint8_t* bits_of_item, const Entry& entry) {
    const std::int32_t k = entry.half * half_atoms + other_of(gpu::lane());
    bits = gpu::load_once(bits_of_item + entry.slot() * lanes_of_tile);
    atom = loop.all.atoms[k];
    values = load_values<typename Loop::Potential>(loop.all.values, k);
  }
};

/// Sums over the lanes whose numbers differ in the bits First and Second only (two powers of two):
/// of x in lanes with neither bit, of y in those with the first, of z in those with the second.
template <int First, int Second, class Real>
[[nodiscard]] __device__ __forceinline__ Real deal_sums(const Real (&value)[3], int lane) {
  const bool first = (lane & First) != 0;
  const bool second = (lane & Second) != 0;
  const Real x_or_y =
      (first ? value[1] : value[0]) + gpu::shfl_xor(first ? value[0] : value[1], First);
  const Real z = value[2] + gpu::shfl_xor(value[2], First);
  return (second ? z : x_or_y) + gpu::shfl_xor(second ? x_or_y : z, Second);
}

/// Address of the table for all warps of a block: in device memory, or with `InShared` in a copy
/// behind the own atoms in shared memory. All threads of the block must call it.
template <bool InShared, class Loop>
[[nodiscard]] __device__ const unsigned char* table_of(const Loop& loop) {
  if constexpr (!InShared) return reinterpret_cast<const unsigned char*>(loop.all.table);
  unsigned char* const here = dynamic_shared() + Loop::atom_bytes(blockDim.x);
  loop.copy_table(here);
  __syncthreads();
  return here;
}

/// Adds the forces of one item.
/// \tparam Pruning whether to process the item of the whole list, and write the item of the inner
/// list.
///   false: the item of the inner list where there is one, else that of the list.
template <bool Tallied, bool Pruning, class Loop, class TableType>
__device__ __forceinline__ void add_item(const Loop& loop, const TableType& table,
                                         std::int64_t number, md::Tally* __restrict__ tallies) {
  using Real = typename Loop::Real;
  const auto& all = loop.all;
  const bool whole = Pruning || all.inner.mark == nullptr;
  int lane = gpu::lane();
  gpu::keep_in_register(lane);
  const Item item = (whole ? all.list.items : all.inner.items)[number];
  const std::int64_t first_entry = number * all.list.item_capacity;
  const std::int64_t first_atom = std::int64_t{item.super} * super_atoms;
  const Entry* const entries = (whole ? all.list.entries : all.inner.entries) + first_entry;
  if (item.count == 0) {  // an item of the inner list of which all entries were pruned
    if constexpr (Tallied)
      if (lane == 0) tallies[number] = {};
    if constexpr (Pruning)
      if (lane == 0) all.inner.items[number] = item;
    return;
  }

  // Entries are loaded two ahead and their atoms one ahead, because an entry gives the address of
  // its atoms.
  Entry now = entries[0];
  Entry next = entries[item.count > 1 ? 1 : 0];
  const std::uint8_t* const bits = all.list.bits + first_entry * lanes_of_tile + lane;
  OtherAtom<Loop> other;
  other.load(loop, bits, now);
  const typename Loop::Atom origin = all.atoms[first_atom + super_atoms / 2];
  const OwnAtoms<Loop> own;
  own.load(loop, table, first_atom, origin);
  const OwnOfLane<Loop> mine(own);

  Real* on_others = all.forces + 3 * other_of(lane) + own_of(lane);
  gpu::keep_global_address(on_others);

  Real on_own[super_clusters][3] = {};
  LaneTally<Real> tally;
  std::int32_t kept = 0;
#pragma unroll 1
  for (std::int32_t e = 0; e < item.count; ++e) {
    OtherAtom<Loop> ahead;
    ahead.load(loop, bits, next);
    const Entry after = entries[e + 2 < item.count ? e + 2 : item.count - 1];

    const std::uint32_t mask = gpu::warp_uniform(now.mask());
    Real on_other[3] = {};
    auto column = static_cast<std::uint32_t>(type_of(other.atom) * Loop::column_bytes);
    gpu::keep_in_register(column);
    const typename Loop::Kept there = loop.places.keep(other.atom, origin);
    const typename Loop::Values others = loop.numbers.prepare(other.values);
    std::uint32_t near = 0;
#pragma unroll
    for (int c = 0; c < super_clusters; ++c) {
      if ((mask >> c & 1u) == 0) continue;  // for the whole warp
      std::uint32_t listed = other.bits & (1u << c);
      gpu::keep_in_register(listed);
      const Real r_sq =
          loop.template add_pair<Tallied>(listed != 0, mine.atom(c), mine.values(c), there, others,
                                          table, column, on_own[c], on_other, tally);
      // The sign of the difference gives the bit with one instruction less than a comparison.
      if constexpr (Pruning) near |= gpu::sign_everywhere(r_sq - all.inner.reach_sq) & (1u << c);
    }
    if constexpr (Pruning) {
      near = gpu::reduce_or(near & other.bits);
      if (near != 0) {
        if (lane == 0)
          all.inner.entries[first_entry + kept] = Entry::of(now.half, near, now.slot());
        ++kept;
      }
    }
    // Sums over the lanes with the same other atom; the first three of them get a component each.
    Real sum = deal_sums<1, 2>(on_other, lane);
    sum += gpu::shfl_xor(sum, 4);
    if (own_of(lane) < 3) atomicAdd(on_others + std::int64_t{now.half} * (3 * half_atoms), sum);
    now = next;
    next = after;
    other = ahead;
  }
  if constexpr (Pruning)
    if (lane == 0) all.inner.items[number] = {item.super, kept};

#pragma unroll
  for (int c = 0; c < super_clusters; ++c) {
    Real sum = deal_sums<cluster_atoms, 2 * cluster_atoms>(on_own[c], lane);
    if constexpr (cluster_halves == 1) sum += gpu::shfl_xor(sum, 4 * cluster_atoms);
    if (other_of(lane) < 3 && sum != 0)
      atomicAdd(all.forces + 3 * (first_atom + c * cluster_atoms + own_of(lane)) + other_of(lane),
                sum);
  }

  if constexpr (Tallied) {
    constexpr int values = 7;
#pragma unroll
    for (int v = 0; v < values; ++v) {
      auto sum = static_cast<double>(v == 0 ? tally.energy : tally.virial[v > 0 ? v - 1 : 0]);
      for (int distance = gpu::warp_size / 2; distance > 0; distance /= 2)
        sum += gpu::shfl_xor(sum, distance);
      if (lane == v)
        (v == 0 ? tallies[number].energy : tallies[number].virial[v > 0 ? v - 1 : 0]) = sum;
    }
  }
}

/// Adds the forces of all items, one warp per item.
/// \tparam Prunes whether this kernel rebuilds the inner list where it is stale.
template <bool InShared, bool Tallied, bool Prunes, class Loop>
__global__ void __launch_bounds__(most_block)
    cluster_forces(const Loop loop, md::Tally* __restrict__ tallies) {
  const Table<InShared> table(table_of<InShared>(loop));
  const std::int64_t warps = blockDim.x / gpu::warp_size;
  const std::int64_t number = std::int64_t{blockIdx.x} * warps + gpu::warp();
  if (number >= loop.all.item_count) return;
  if constexpr (Prunes) {
    if (loop.all.inner.is_stale()) {
      add_item<Tallied, true>(loop, table, number, tallies);
      return;
    }
  }
  add_item<Tallied, false>(loop, table, number, tallies);
}

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_FORCES_CUH
