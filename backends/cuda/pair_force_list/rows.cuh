#pragma once

#include <algorithm>
#include <cstdint>
#include <tessera/backends/cuda/execution/block_sums.cuh>
#include <tessera/backends/cuda/execution/launch.hpp>
#include <tessera/core/base/error.hpp>
#include <type_traits>

#include "coordinates.cuh"
#include "force.cuh"
#include "number_table.cuh"
#include "policy.hpp"

/// \file
/// The pair loop over a neighbor matrix in cell order, for one form: included behind the header of
/// the form by a row source (row.cu.in).

namespace tessera::cuda::pair_force_list {

/// 1 / x to about a unit in the last place, without the branches of a correctly rounded division.
[[nodiscard]] __device__ inline float reciprocal(float x) {
  return gpu::fast_reciprocal(x);
}
[[nodiscard]] __device__ inline double reciprocal(double x) {
  double y = static_cast<double>(gpu::fast_reciprocal(static_cast<float>(x)));
  y = fma(y, fma(-x, y, 1.0), y);  // Newton: each step doubles the 22 good bits
  return fma(y, fma(-x, y, 1.0), y);
}

[[nodiscard]] __device__ inline float inverse_root(float x) {
  return gpu::fast_inverse_root(x);
}
[[nodiscard]] __device__ inline double inverse_root(double x) {
  return rsqrt(x);
}

/// A distance, as a form asks for it.
template <class Real>
struct PairDistance {
  Real r_sq;
  Real inverse_sq;

  [[nodiscard]] __device__ Real squared() const { return r_sq; }
  [[nodiscard]] __device__ Real inverse_squared() const { return inverse_sq; }
  [[nodiscard]] __device__ Real inverse() const { return inverse_root(r_sq); }
  [[nodiscard]] __device__ Real length() const { return r_sq * inverse_root(r_sq); }
};

template <class Real>
struct PairAtom {
  Real charge;
};

/// A force in the caller's unit, which in double is that of the loop.
template <class Real, class Storage>
[[nodiscard]] __device__ __forceinline__ Storage in_unit(Storage force, Storage unit) {
  if constexpr (sizeof(Real) < sizeof(double)) force *= unit;
  return force;
}

template <class Real>
struct Row {
  Real fx = 0;
  Real fy = 0;
  Real fz = 0;
  Real energy = 0;
  Real virial[6] = {};

  template <bool Tallied>
  __device__ __forceinline__ void add(Real force, Real pair_energy, Real dx, Real dy, Real dz,
                                      const FixedScale<Real>&) {
    fx += force * dx;
    fy += force * dy;
    fz += force * dz;
    if constexpr (Tallied) {
      energy += pair_energy;
      virial[0] += force * dx * dx;
      virial[1] += force * dy * dy;
      virial[2] += force * dz * dz;
      virial[3] += force * dx * dy;
      virial[4] += force * dx * dz;
      virial[5] += force * dy * dz;
    }
  }

  /// Those of the threads that share an atom, in each of them.
  __device__ __forceinline__ void join_forces(int threads) {
    for (int offset = threads / 2; offset > 0; offset /= 2) {
      fx += gpu::from_lane_xor(fx, offset);
      fy += gpu::from_lane_xor(fy, offset);
      fz += gpu::from_lane_xor(fz, offset);
    }
  }

  /// In the caller's unit.
  template <class Storage>
  [[nodiscard]] __device__ __forceinline__ Storage component(int d, Storage unit,
                                                             const FixedScale<Real>&) const {
    return in_unit<Real>(static_cast<Storage>(d == 0 ? fx : (d == 1 ? fy : fz)), unit);
  }
};

/// The loop of one form; its numbers travel with the launch where types are one or two.
template <class Form, class CoordinatesType, class Storage>
struct FormLoop {
  using Coordinates = CoordinatesType;
  using Real = typename Coordinates::Real;
  using Atom = typename Coordinates::Atom;
  static constexpr bool reads_charge = Form::reads_charge;
  static constexpr int width = 1 + Form::width;
  static constexpr bool samples = md::forms::HasSamples<Form>::value;

  static constexpr int stride = static_cast<int>(table_stride<Real>(width));

  [[nodiscard]] static __device__ std::int32_t type(const Atom& atom) {
    return Coordinates::type(atom);
  }

  PairLoop<Coordinates, Storage> all;
  Real of_first[width];  ///< of two atoms of the first type
  Real of_both[width];   ///< of one of the first and one of the second
  Real of_second[width];

  FormLoop(const PairLoop<Coordinates, Storage>& loop, const Real* host_table) : all(loop) {
    const auto copy = [&](Real(&to)[width], int pair) {
      std::copy_n(host_table + pair * stride, width, to);
    };
    copy(of_first, 0);
    copy(of_both, all.types == 2 ? 1 : 0);
    copy(of_second, all.types == 2 ? 3 : 0);
  }

  /// Whether two types can do without a cutoff of each pair: a register of the pair loop.
  [[nodiscard]] bool has_one_cutoff() const {
    return of_first[0] == of_both[0] && of_first[0] == of_second[0];
  }

  /// Every `step`-th neighbor of the k-th atom, from slot `first` on. \tparam Together neighbors
  /// whose gathers are under way at a time. \tparam Sums Row, or FixedRow. \tparam Types how many
  /// there are: 1, 2 with one cutoff, or 0 for any.
  template <int Types, int Shift, bool Tallied, int Together, class Sums>
  __device__ Sums accumulate(std::int64_t k, int first, int step) const {
    return accumulate<Types, Shift, Tallied, Together, Sums>(k, all.own[k], all.counts[k], first,
                                                             step);
  }
  template <int Types, int Shift, bool Tallied, int Together, class Sums>
  __device__ __forceinline__ Sums accumulate(std::int64_t k, const Atom me, int neighbors,
                                             int first, int step) const {
    Sums row;
    PairAtom<Real> mine{Real(0)};
    if constexpr (Form::reads_charge) mine.charge = all.own_charges[k];
    Real alike[width];
    keep_alike<Types>(Coordinates::type(me), alike);
    const std::int32_t* list = all.neighbors + all.layout.template at<Shift>(k, 0);
    const int spacing = all.layout.template spacing<Shift>();
    const auto at = [&](int slot) { return list + std::int64_t{slot} * spacing; };
    if constexpr (Together == 1) {
      // The next index is read ahead of the gather, one neighbor a round: README.md has what else
      // was tried. An address made anew of the slot takes an instruction less than one carried
      // along.
      gpu::settle(list);
      std::int32_t next = first < neighbors ? gpu::load_once_of_rows(at(first)) : 0;
#pragma unroll 1
      for (int slot = first; slot < neighbors;) {
        const std::int32_t j = next;
        slot += step;
        gpu::settle(slot);
        if (slot < neighbors) next = gpu::load_once_of_rows(at(slot));
        add<Types, Tallied>(row, me, mine, alike, all.atoms[j], j);
      }
    } else {
      const int apart = spacing * step;
      const std::int32_t* slot_at = at(first);
      std::int32_t next[Together];
      const auto read = [&](int slot) {
#pragma unroll
        for (int t = 0; t < Together; ++t)
          next[t] = slot + t * step < neighbors ? gpu::load_once_of_rows(slot_at + t * apart) : 0;
      };
      read(first);
#pragma unroll 1
      for (int slot = first; slot < neighbors; slot += Together * step) {
        std::int32_t j[Together];
        Atom other[Together];
#pragma unroll
        for (int t = 0; t < Together; ++t) {
          j[t] = next[t];
          other[t] = all.atoms[j[t]];
        }
        slot_at += Together * apart;
        read(slot + Together * step);
#pragma unroll
        for (int t = 0; t < Together; ++t)
          if (slot + t * step < neighbors)
            add<Types, Tallied>(row, me, mine, alike, other[t], j[t]);
      }
    }
    return row;
  }

  /// All neighbors of the k-th atom, a thread each, out of shared memory. All threads of the block
  /// take part.
  template <int Types, bool Tallied, class Sums>
  __device__ __forceinline__ Sums accumulate_staged(std::int64_t k, bool is_one) const {
    static_assert(!Form::reads_charge && sizeof(Atom) == staged_bytes);
    auto* const staged = reinterpret_cast<Atom*>(dynamic_shared());
    const int neighbors = is_one ? all.counts[k] : 0;
    const uint2* list = all.staged.fours_of(k);
    uint2 next = neighbors > 0 ? load_four(list) : uint2{0, 0};
    const std::int32_t* const groups = all.staged.groups_of(blockIdx.x);
    const int seen = all.staged.group_counts[blockIdx.x] * group_atoms;
    for (int n = static_cast<int>(threadIdx.x); n < seen; n += staged_block)
      staged[n] = all.atoms[std::int64_t{groups[n / group_atoms]} * group_atoms + n % group_atoms];
    const Atom me = all.atoms[is_one ? k : 0];
    __syncthreads();

    Sums row;
    const PairAtom<Real> uncharged{Real(0)};
    Real alike[width];
    keep_alike<Types>(Coordinates::type(me), alike);
    std::uint32_t first = gpu::shared_address(staged);
    gpu::settle(first);
    const auto add = [&](std::uint32_t offset) {
      const Atom other = *static_cast<const Atom*>(gpu::in_shared(first + offset));
      Real dx;
      Real dy;
      Real dz;
      all.coordinates.separation(me, other, dx, dy, dz);
      add_pair<Types, Tallied>(row, Coordinates::type(me), uncharged, alike,
                               Coordinates::type(other), uncharged, dx, dy, dz);
    };
    int left = neighbors;
#pragma unroll 1
    for (; left >= 4; left -= 4) {
      const uint2 now = next;
      list += gpu::warp_size;
      if (left > 4) next = load_four(list);
      add(now.x & 0xffffu);
      add(now.x >> 16);
      add(now.y & 0xffffu);
      add(now.y >> 16);
    }
    if (left > 0) add(next.x & 0xffffu);
    if (left > 1) add(next.x >> 16);
    if (left > 2) add(next.y & 0xffffu);
    return row;
  }

  /// Of two types, an atom's own numbers.
  template <int Types>
  __device__ __forceinline__ void keep_alike(std::int32_t type, Real (&alike)[width]) const {
    if constexpr (Types == 2) {
#pragma unroll
      for (int w = 1; w < width; ++w) {
        alike[w] = type == 0 ? of_first[w] : of_second[w];
        gpu::settle(alike[w]);
      }
    }
  }

  template <int Types, bool Tallied, class Sums>
  __device__ __forceinline__ void add(Sums& row, const Atom& me, const PairAtom<Real>& mine,
                                      const Real (&alike)[width], const Atom& other,
                                      std::int32_t j) const {
    PairAtom<Real> others{Real(0)};
    if constexpr (Form::reads_charge) others.charge = all.charges[j];
    Real dx;
    Real dy;
    Real dz;
    all.coordinates.separation(me, other, dx, dy, dz);
    add_pair<Types, Tallied>(row, Coordinates::type(me), mine, alike, Coordinates::type(other),
                             others, dx, dy, dz);
  }

  template <int Types, bool Tallied, class Sums>
  __device__ __forceinline__ void add_pair(Sums& row, std::int32_t my_type,
                                           const PairAtom<Real>& mine, const Real (&alike)[width],
                                           std::int32_t other_type, const PairAtom<Real>& others,
                                           Real dx, Real dy, Real dz) const {
    const Real r_sq = dx * dx + dy * dy + dz * dz;
    const Real* c = of_first;
    Real numbers[stride];
    if constexpr (Types == 2) {
      const bool same = my_type == other_type;
      numbers[0] = of_first[0];
#pragma unroll
      for (int w = 1; w < width; ++w)
        numbers[w] = same ? alike[w] : of_both[w];
      c = numbers;
    } else if constexpr (Types == 0) {
      load_numbers(all.table + (my_type * all.types + other_type) * stride, numbers);
      c = numbers;
    }
    if (!(r_sq < c[0])) return;
    Real force;
    Real energy;
    Form{}.at(PairDistance<Real>{r_sq, reciprocal(r_sq)},
              md::forms::pair_numbers<samples>(c + 1, all.samples), mine, others, force, energy);
    row.template add<Tallied>(force, energy, dx, dy, dz, all.fixed);
  }

  template <class Sums>
  __device__ void store(std::int64_t k, const Sums& row) const {
    for (int d = 0; d < 3; ++d)
      put(k, d, row.component(d, all.force_unit, all.fixed));
  }
  /// A component of a force in the unit of the loop.
  __device__ void store(std::int64_t k, int d, double force) const {
    put(k, d, in_unit<Real>(static_cast<Storage>(force), all.force_unit));
  }
  __device__ void put(std::int64_t k, int d, Storage value) const {
    Storage& force = all.forces(all.order[k], d);
    force = all.add ? force + value : value;
  }
};

/// Many threads an atom are taken where atoms are few: then there are registers to spare, and
/// little but its own gathers for a thread to wait for.
template <int ThreadsPerAtom, class Real>
inline constexpr int gathers_together = ThreadsPerAtom < 4 ? 1
                                                           : (sizeof(Real) > sizeof(float) ? 2 : 4);

/// \tparam Shift of the layout of the lists.
template <int ThreadsPerAtom, int Types, int Shift, class Loop>
__global__ void __launch_bounds__(most_block) pair_forces(Loop loop) {
  using Real = typename Loop::Real;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / ThreadsPerAtom;
  const int lane = static_cast<int>(thread % ThreadsPerAtom);
  Row<Real> row;
  if (k < loop.all.count)
    row = loop.template accumulate<Types, Shift, false, gathers_together<ThreadsPerAtom, Real>,
                                   Row<Real>>(k, lane, ThreadsPerAtom);
  row.join_forces(ThreadsPerAtom);
  if (k < loop.all.count && lane == 0) loop.store(k, row);
}

/// Whether an atom is read before its forces are known. Few threads an atom in float have none to
/// spare: with more registers fewer of them hide each other's gathers.
template <int ThreadsPerAtom, class Real>
inline constexpr bool reads_atom_early = ThreadsPerAtom > 2 || sizeof(Real) > sizeof(float);

/// Blocks of the most threads that a multiprocessor is to hold in steps, 0: as it comes.
template <int ThreadsPerAtom, class Real>
inline constexpr int resident_with_step = reads_atom_early<ThreadsPerAtom, Real> ? 0 : 8;

/// The same with the step that follows from the forces.
template <int ThreadsPerAtom, int Types, class Sums, class Loop, class Move>
__global__ void __launch_bounds__(most_block,
                                  resident_with_step<ThreadsPerAtom, typename Loop::Real>)
    verlet_step(Loop loop, Move move) {
  using Real = typename Loop::Real;
  constexpr bool early = reads_atom_early<ThreadsPerAtom, Real>;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / ThreadsPerAtom;
  const int lane = static_cast<int>(thread % ThreadsPerAtom);
  const bool is_one = k < loop.all.count;
  constexpr int together = gathers_together<ThreadsPerAtom, Real>;
  typename Move::template Before<ThreadsPerAtom> before;
  Sums row;
  if constexpr (early) {
    // All on its way before it is known whether there is anything to do.
    const auto me = loop.all.own[is_one ? k : 0];
    const int neighbors = is_one ? loop.all.counts[k] : 0;
    before = move.template read<ThreadsPerAtom>(k, lane, is_one);
    if (move.is_idle()) return;
    row = loop.template accumulate<Types, ListLayout::of_warp, false, together, Sums>(
        is_one ? k : 0, me, neighbors, lane, ThreadsPerAtom);
  } else {
    if (move.is_idle()) return;
    if (is_one)
      row = loop.template accumulate<Types, ListLayout::of_warp, false, together, Sums>(
          k, lane, ThreadsPerAtom);
  }
  row.join_forces(ThreadsPerAtom);
  if constexpr (!early) before = move.template read<ThreadsPerAtom>(k, lane, is_one);
  const auto force = [&](int d) { return row.component(d, loop.all.force_unit, loop.all.fixed); };
  move.template step<ThreadsPerAtom, false>(k, lane, is_one, before, force, loop.all.coordinates,
                                            [](int, auto) {});
}

/// Energy and virial of the atoms of a block of threads, of which all take part.
template <int MostThreads, class Row>
__device__ __forceinline__ void leave_tally(const Row& row, md::Tally* tallies) {
  gpu::block_sums<7, MostThreads>(
      [&](int v) {
        return static_cast<double>(v == 0 ? row.energy : row.virial[v > 0 ? v - 1 : 0]);
      },
      [&](int v, double sum) {
        md::Tally& tally = tallies[blockIdx.x];
        (v == 0 ? tally.energy : tally.virial[v - 1]) = sum;
      });
}

/// Blocks over staged lists that a multiprocessor is to hold: as many as their atoms leave room
/// for.
inline constexpr int resident_staged = 6;

/// Whether a loop has staged lists at all.
template <class Loop>
inline constexpr bool can_stage =
    !Loop::reads_charge && std::is_same_v<typename Loop::Coordinates, FixedPoint>;

template <int Types, class Loop>
__global__ void __launch_bounds__(staged_block, resident_staged) staged_pair_forces(Loop loop) {
  using Real = typename Loop::Real;
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  const auto row = loop.template accumulate_staged<Types, false, Row<Real>>(k, is_one);
  if (is_one) loop.store(k, row);
}

template <int Types, class Loop, class Move>
__global__ void __launch_bounds__(staged_block, resident_staged)
    staged_verlet_step(Loop loop, Move move) {
  using Real = typename Loop::Real;
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  if (move.is_idle()) return;
  const auto row = loop.template accumulate_staged<Types, false, Row<Real>>(k, is_one);
  const auto before = move.template read<1>(k, 0, is_one);
  const auto force = [&](int d) { return row.component(d, loop.all.force_unit, loop.all.fixed); };
  move.template step<1, false>(k, 0, is_one, before, force, loop.all.coordinates, [](int, auto) {});
}

/// Blocks that a multiprocessor is to hold: gathers of many warps hide each other.
template <class Real>
inline constexpr int resident_with_energy = sizeof(Real) == 4 ? 8 : 4;

/// With energy and virial.
inline constexpr int resident_staged_with_energy = 4;

template <int Types, class Loop>
__global__ void __launch_bounds__(staged_block, resident_staged_with_energy)
    staged_pair_forces_with_energy(Loop loop, md::Tally* tallies) {
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  const auto row =
      loop.template accumulate_staged<Types, true, Row<typename Loop::Real>>(k, is_one);
  if (is_one) loop.store(k, row);
  leave_tally<staged_block>(row, tallies);
}

/// The same with energy and virial, of a block of threads each.
/// \tparam ThreadsPerAtom 0: known at run time.
template <int ThreadsPerAtom, int Types, int Shift, class Loop>
__global__ void __launch_bounds__(most_block, resident_with_energy<typename Loop::Real>)
    pair_forces_with_energy(Loop loop, int threads, md::Tally* tallies) {
  using Real = typename Loop::Real;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int threads_per_atom = ThreadsPerAtom > 0 ? ThreadsPerAtom : threads;
  const std::int64_t k = thread / threads_per_atom;
  const int lane = static_cast<int>(thread % threads_per_atom);
  const bool is_one = k < loop.all.count;
  Row<Real> row;
  if (is_one)
    row = loop.template accumulate<Types, Shift, true, 1, Row<Real>>(k, lane, threads_per_atom);
  row.join_forces(threads_per_atom);
  if (is_one && lane == 0) loop.store(k, row);
  leave_tally<most_block>(row, tallies);
}

inline constexpr int long_list_block = 1024;

/// The same for lists that are few and long: a block of threads an atom. \tparam Tallied whether
/// energy and virial are wanted, those of each atom.
template <bool Tallied, class Loop>
__global__ void __launch_bounds__(long_list_block)
    pair_forces_of_long_lists(Loop loop, md::Tally* tallies) {
  using Real = typename Loop::Real;
  constexpr int components = 3;
  constexpr int values = Tallied ? components + 7 : components;
  const std::int64_t k = blockIdx.x;
  const auto row = loop.template accumulate<0, ListLayout::any, Tallied, 4, Row<Real>>(
      k, static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
  gpu::block_sums<values, long_list_block>(
      [&](int v) {
        if (v < components)
          return static_cast<double>(v == 0 ? row.fx : (v == 1 ? row.fy : row.fz));
        return static_cast<double>(v == components ? row.energy : row.virial[v - components - 1]);
      },
      [&](int v, double sum) {
        if (v < components)
          loop.store(k, v, sum);
        else
          (v == components ? tallies[k].energy : tallies[k].virial[v - components - 1]) = sum;
      });
}

/// A step with the sums of thermo, of a block of threads each. Few steps have them, so the threads
/// of an atom leave all but its forces to the first of them. \tparam Staged one thread an atom.
template <int Types, bool Staged, class Loop, class Move, class VerletRow>
__global__ void __launch_bounds__(Staged ? staged_block : most_block)
    verlet_step_with_sums(Loop loop, Move move, VerletRow sums, int threads) {
  using Real = typename Loop::Real;
  if (move.is_idle_row()) return;
  const int newest = move.status->newest;
  loop.all.own = loop.all.atoms = sums.packed[newest];
  move.next = sums.packed[1 - newest];
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / threads;
  const int lane = static_cast<int>(thread % threads);
  Row<Real> row;
  if constexpr (Staged) {
    row = loop.template accumulate_staged<Types, true, Row<Real>>(k, k < loop.all.count);
  } else {
    if (k < loop.all.count)
      row = loop.template accumulate<Types, ListLayout::of_warp, true, 2, Row<Real>>(k, lane,
                                                                                     threads);
    row.join_forces(threads);
  }
  const bool moves = k < loop.all.count && lane == 0;
  double velocity[3] = {};
  const auto before = move.template read<1>(k, 0, moves);
  const auto force = [&](int d) { return row.component(d, loop.all.force_unit, loop.all.fixed); };
  move.template step<1, true>(k, 0, moves, before, force, loop.all.coordinates,
                              [&](int d, auto v) { velocity[d] = static_cast<double>(v); });
  const double mass = moves ? sums.masses(Loop::type(loop.all.own[k])) : 0;

  const auto value = [&](int v) {
    constexpr int pair_values = 7;
    constexpr int tensor = 6;
    constexpr int first[] = {0, 1, 2, 0, 0, 1};
    constexpr int other[] = {0, 1, 2, 1, 2, 2};
    if (v == 0) return static_cast<double>(row.energy);
    if (v < pair_values) return static_cast<double>(row.virial[v - 1]);
    const int c = v - pair_values;
    return c < tensor ? mass * velocity[first[c]] * velocity[other[c]]
                      : mass * velocity[c - tensor];
  };
  gpu::block_sums<row_values, most_block>(value, [&](int v, double sum) {
    sums.parts[std::int64_t{blockIdx.x} * row_values + v] = sum;
  });
}

/// Forces in fixed point, and of a block of threads energy and virial too: for any layout of the
/// lists, number of threads and number of types.
template <bool Tallied, class Loop>
__global__ void __launch_bounds__(most_block)
    fixed_pair_forces(Loop loop, int threads, md::FixedTally* tallies) {
  using reduction::fixed_point::Integer128;
  using Sums = FixedRowOf<typename Loop::Real>;
  using Number = typename FixedRowOfReal<typename Loop::Real>::Number;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / threads;
  const int lane = static_cast<int>(thread % threads);
  Sums row;
  if (k < loop.all.count)
    row = loop.template accumulate<0, ListLayout::any, Tallied, 1, Sums>(k, lane, threads);
  row.join_forces(threads);
  if (k < loop.all.count && lane == 0) loop.store(k, row);
  if constexpr (Tallied) {
    __shared__ md::FixedTally part[most_block / gpu::warp_size];
    const Integer128 energy = sum_of_warp(Number::total(row.energy));
    Integer128 virial[6];
    for (int c = 0; c < 6; ++c)
      virial[c] = sum_of_warp(Number::total(row.virial[c]));
    const Integer128 beyond = sum_of_warp(row.within && row.energy_within ? 0 : 1);
    if (gpu::lane() == 0) {
      md::FixedTally& own = part[gpu::warp()];
      own.energy = energy;
      for (int c = 0; c < 6; ++c)
        own.virial[c] = virial[c];
      own.beyond = static_cast<std::int64_t>(beyond);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    md::FixedTally sum = part[0];
    for (int w = 1; w < gpu::warps_for(static_cast<int>(blockDim.x)); ++w)
      md::JoinFixedTallies{}(sum, part[w]);
    tallies[blockIdx.x] = sum;
  }
}

/// A kernel over staged lists, waiting for its arguments.
template <class Loop, class Launch, class... Parameters>
[[nodiscard]] auto staged_launch(const char* name, void (*kernel)(Parameters...), const Loop& loop,
                                 const Launch& launch) {
  const std::size_t bytes = StagedLists::atom_bytes(launch.groups);
  allow_shared(name, kernel, bytes);
  return cuda::launch(name, kernel, blocks_for(loop.all.count, staged_block), staged_block, bytes,
                      launch.space.stream());
}

template <int ThreadsPerAtom, int Types, int Shift, class Loop, class Launch>
void launch_forces(const Loop& loop, const Launch& launch) {
  const std::int64_t threads = loop.all.count * ThreadsPerAtom;
  const auto size = static_cast<unsigned>(launch.block_size);
  cuda::launch("pair_forces", pair_forces<ThreadsPerAtom, Types, Shift, Loop>,
               blocks_for(threads, size), size, 0, launch.space.stream())(loop);
}

/// Those that the blocks of a loop left.
template <class Launch>
void join_tallies(Launch& launch, unsigned blocks, md::Tally* tally) {
  launch.space.reduce("pair energy", blocks, md::Tally{}, md::AddTally{launch.tallies},
                      md::JoinTallies{}, tally, launch.workspace, launch.store);
}

template <int Types, int Shift, class Loop, class Launch>
void launch_forces_with_energy(const Loop& loop, Launch& launch, md::Tally* tally) {
  if constexpr (can_stage<Loop> && Shift == ListLayout::of_warp)
    if (loop.all.staged.given()) {
      staged_launch("staged_pair_forces_with_energy", staged_pair_forces_with_energy<Types, Loop>,
                    loop, launch)(loop, launch.tallies);
      join_tallies(launch, blocks_for(loop.all.count, staged_block), tally);
      return;
    }
  const std::int64_t threads = loop.all.count * launch.threads_per_atom;
  const auto size = static_cast<unsigned>(launch.block_size);
  const unsigned blocks = blocks_for(threads, size);
  if (blocks > 0)
    cuda::launch("pair_forces_with_energy",
                 launch.threads_per_atom == 1 ? pair_forces_with_energy<1, Types, Shift, Loop>
                                              : pair_forces_with_energy<0, Types, Shift, Loop>,
                 blocks, size, 0,
                 launch.space.stream())(loop, launch.threads_per_atom, launch.tallies);
  join_tallies(launch, blocks, tally);
}

template <int Types, int Shift, class Loop, class Launch>
void run_row(const Loop& loop, Launch& launch, md::Tally* tally) {
  if (tally != nullptr) {
    launch_forces_with_energy<Types, Shift>(loop, launch, tally);
    return;
  }
  if constexpr (can_stage<Loop> && Shift == ListLayout::of_warp)
    if (loop.all.staged.given()) {
      staged_launch("staged_pair_forces", staged_pair_forces<Types, Loop>, loop, launch)(loop);
      return;
    }
  ThreadsPerAtom::with(launch.threads_per_atom,
                       [&]<int Threads>() { launch_forces<Threads, Types, Shift>(loop, launch); });
}

template <class Loop, class Launch>
void run_long_lists(const Loop& loop, Launch& launch, md::Tally* tally) {
  const auto blocks = static_cast<unsigned>(loop.all.count);
  cuda::launch("pair_forces_of_long_lists",
               tally != nullptr ? pair_forces_of_long_lists<true, Loop>
                                : pair_forces_of_long_lists<false, Loop>,
               blocks, long_list_block, 0, launch.space.stream())(loop, launch.tallies);
  if (tally != nullptr) join_tallies(launch, blocks, tally);
}

/// \param threads of an atom, of one warp.
template <class Loop, class Launch>
void run_fixed_row(const Loop& loop, Launch& launch, int threads, md::Tally* tally) {
  const auto size = static_cast<unsigned>(launch.block_size);
  const unsigned blocks = blocks_for(loop.all.count * threads, size);
  if (blocks > 0)
    cuda::launch("fixed_pair_forces",
                 tally != nullptr ? fixed_pair_forces<true, Loop> : fixed_pair_forces<false, Loop>,
                 blocks, size, 0, launch.space.stream())(loop, threads, launch.fixed_tallies);
  if (tally == nullptr) return;
  launch.space.reduce(
      "fixed pair energy", blocks, md::FixedTally{}, md::AddFixedTally{launch.fixed_tallies},
      md::JoinFixedTallies{}, launch.fixed_tallies + blocks, launch.workspace,
      md::StoreFixedTally{tally, loop.all.fixed.energy_unit, loop.all.fixed.virial_unit});
}

template <int Types, class Loop, class Launch>
void run_layout(bool by_warps, const Loop& loop, Launch& launch, md::Tally* tally) {
  if (by_warps)
    run_row<Types, ListLayout::of_warp>(loop, launch, tally);
  else
    run_row<Types, ListLayout::any>(loop, launch, tally);
}

/// Block by block: what would pick one in the loop costs registers there.
template <class Form, class Coordinates, class Storage, class Launch>
void run_form(PairLoop<Coordinates, Storage> all, Launch& launch) {
  const PairLoop<Coordinates, Storage> whole = all;
  for (int b = 0; b < launch.lists.count; ++b) {
    const ListBlock& block = launch.lists.block[b];
    md::Tally* const tally = launch.tally == nullptr ? nullptr : launch.tally + b;
    if (block.atoms == 0 && tally == nullptr) continue;
    all.own = whole.atoms + block.first;
    all.own_charges = whole.charges == nullptr ? nullptr : whole.charges + block.first;
    all.order = whole.order + block.first;
    all.counts = whole.counts + block.first;
    all.neighbors = block.neighbors;
    all.count = block.atoms;
    all.layout = block.layout;
    const FormLoop<Form, Coordinates, Storage> loop(all, launch.host_table);
    const bool by_warps = all.layout.shift == ListLayout::of_warp;
    if (launch.fixed_tallies != nullptr)
      run_fixed_row(loop, launch, block.long_lists ? gpu::warp_size : launch.threads_per_atom,
                    tally);
    else if (block.long_lists && block.atoms > 0)
      run_long_lists(loop, launch, tally);
    else if (all.types == 1)
      run_layout<1>(by_warps, loop, launch, tally);
    else
      run_layout<0>(by_warps, loop, launch, tally);
  }
}

template <int Types, class Sums, class Loop, class Launch>
void launch_step(const Loop& loop, const Launch& launch) {
  if constexpr (can_stage<Loop> && std::is_same_v<Sums, Row<typename Loop::Real>>)
    if (loop.all.staged.given()) {
      staged_launch("staged_verlet_step",
                    staged_verlet_step<Types, Loop, std::remove_cvref_t<decltype(*launch.move)>>,
                    loop, launch)(loop, *launch.move);
      return;
    }
  ThreadsPerAtom::with(launch.threads_per_atom, [&]<int Threads>() {
    const auto size = static_cast<unsigned>(launch.block_size);
    cuda::launch(
        "verlet_step",
        verlet_step<Threads, Types, Sums, Loop, std::remove_cvref_t<decltype(*launch.move)>>,
        blocks_for(loop.all.count * Threads, size), size, 0,
        launch.space.stream())(loop, *launch.move);
  });
}

template <int Types, class Loop, class Launch>
void launch_row(const Loop& loop, const Launch& launch) {
  using Move = std::remove_cvref_t<decltype(*launch.move)>;
  using Sums = std::remove_cvref_t<decltype(*launch.row)>;
  if constexpr (can_stage<Loop>)
    if (loop.all.staged.given()) {
      staged_launch("staged_verlet_step_with_sums",
                    verlet_step_with_sums<Types, true, Loop, Move, Sums>, loop,
                    launch)(loop, *launch.move, *launch.row, 1);
      return;
    }
  const auto size = static_cast<unsigned>(launch.block_size);
  cuda::launch("verlet_step_with_sums", verlet_step_with_sums<Types, false, Loop, Move, Sums>,
               blocks_for(loop.all.count * launch.threads_per_atom, size), size, 0,
               launch.space.stream())(loop, *launch.move, *launch.row, launch.threads_per_atom);
}

template <class Sums, class Loop, class Launch>
void launch_step_with(const Loop& loop, const Launch& launch) {
  if (loop.all.types == 1)
    launch_step<1, Sums>(loop, launch);
  else if (loop.all.types == 2 && loop.has_one_cutoff())
    launch_step<2, Sums>(loop, launch);
  else
    launch_step<0, Sums>(loop, launch);
}

template <class Form, class Coordinates, class Storage>
void run_step(PairLoop<Coordinates, Storage> all, const PairLaunch<Coordinates, Storage>& launch) {
  const ListBlock& block = launch.lists.block[0];
  all.neighbors = block.neighbors;
  all.layout = block.layout;
  const FormLoop<Form, Coordinates, Storage> loop(all, launch.host_table);
  if (launch.row != nullptr) {
    if (all.types == 1)
      launch_row<1>(loop, launch);
    else
      launch_row<0>(loop, launch);
  } else if (launch.fixed_tallies != nullptr)
    launch_step_with<FixedRowOf<typename Coordinates::Real>>(loop, launch);
  else
    launch_step_with<Row<typename Coordinates::Real>>(loop, launch);
}

template <class Form, class Coordinates, class Storage>
void pair_row(PairLaunch<Coordinates, Storage>& launch) {
  const PairLoop<Coordinates, Storage>& all = launch.loop;
  if (launch.move != nullptr) {
    run_step<Form>(all, launch);
    return;
  }
  if (!launch.tilted) {
    run_form<Form>(all, launch);
    return;
  }
  const PairLoop<InTiltedBox<Coordinates>, Storage> tilted{
      all.own,       all.atoms,   all.own_charges, all.charges,    all.order,
      all.neighbors, all.counts,  all.count,       all.layout,     launch.tilted_coordinates,
      all.table,     all.samples, all.types,       all.force_unit, all.forces,
      all.add,       all.fixed};
  run_form<Form>(tilted, launch);
}

}  // namespace tessera::cuda::pair_force_list
