#ifndef TESSERA_BACKENDS_GPU_FIELD_RECORDS_GATHER_CUH
#define TESSERA_BACKENDS_GPU_FIELD_RECORDS_GATHER_CUH

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "backends/gpu/field_records/field_records.cuh"
#include "physics/pic/particle_shape.hpp"

#include <cstdint>

/// \file
/// The field at a particle from records, read by several lanes together. The latency of a load
/// depends on the number of cache lines that the lanes of the warp touch with it, because the
/// first-level cache processes them one after the other: 32 where each lane reads a record of its
/// own, 16 where two lanes read the halves of one record (first that of the one lane's particle,
/// then that of the other's), 8 where four lanes read two adjacent records. Each lane then has
/// partial sums of all particles of the group, which the lanes exchange.

namespace tessera::gpu::field_records {

template <class Real>
struct FieldOfParticle {
  Real x = 0, y = 0, z = 0;
};

/// Position of a particle on the grid, which lanes exchange. It gives valid addresses even for a
/// particle that is off the grid.
/// \tparam General true: any grid; false: a grid without periodic directions whose records have no
///   gaps along x and whose offsets, in pairs, fit into 31 bits.
template <class Real, bool General>
struct Place {
  /// General: first node of the particle, by direction; else offset of its record in pairs.
  std::int32_t node[General ? 3 : 1];
  Real fraction[3];

  /// The position of the particle of another lane.
  /// \param from function that returns the other lane's value of a number.
  template <class From>
  [[nodiscard]] __device__ __forceinline__ Place of_lane(const From& from) const {
    Place other;
#pragma unroll
    for (int w = 0; w < (General ? 3 : 1); ++w)
      other.node[w] = from(node[w]);
#pragma unroll
    for (int a = 0; a < 3; ++a)
      other.fraction[a] = from(fraction[a]);
    return other;
  }
  [[nodiscard]] static __device__ __forceinline__ Place choose(bool first, const Place& one,
                                                               const Place& other) {
    Place chosen;
#pragma unroll
    for (int w = 0; w < (General ? 3 : 1); ++w)
      chosen.node[w] = first ? one.node[w] : other.node[w];
#pragma unroll
    for (int a = 0; a < 3; ++a)
      chosen.fraction[a] = first ? one.fraction[a] : other.fraction[a];
    return chosen;
  }
};

/// The part of a node's record, or of sums over nodes, that a lane holds: three numbers, or half a
/// record.
template <class Real, int Lanes>
struct Part {
  static constexpr int count = Lanes == 1 ? 3 : 2;
  Real number[count] = {};

  [[nodiscard]] static __device__ __forceinline__ Part load(const Pair<Real>* at) {
    if constexpr (Lanes > 1) {
      const Pair<Real> half = *at;
      return {{half.first, half.second}};
    } else if constexpr (sizeof(Record<Real>) == 16) {
      const float4 record = *reinterpret_cast<const float4*>(at);
      return {{record.x, record.y, record.z}};
    } else {
      const Pair<Real> xy = at[0];
      return {{xy.first, xy.second, at[1].first}};
    }
  }
  __device__ __forceinline__ void add(Real weight, const Part& other) {
#pragma unroll
    for (int c = 0; c < count; ++c)
      number[c] += weight * other.number[c];
  }
  /// Addition without contraction to a fused multiply-add: both operands are rounded first.
  __device__ __forceinline__ void add_rounded(const Part& other) {
#pragma unroll
    for (int c = 0; c < count; ++c)
      if constexpr (sizeof(Real) == sizeof(double))
        number[c] = __dadd_rn(number[c], other.number[c]);
      else
        number[c] = __fadd_rn(number[c], other.number[c]);
  }
  [[nodiscard]] static __device__ __forceinline__ Part choose(bool first, const Part& one,
                                                              const Part& other) {
    return {{first ? one.number[0] : other.number[0], first ? one.number[1] : other.number[1]}};
  }
  [[nodiscard]] __device__ __forceinline__ Part shfl_xor_parts(int mask) const {
    return {{gpu::shfl_xor(number[0], mask), gpu::shfl_xor(number[1], mask)}};
  }
};

/// The records of a grid as a lane reads them.
template <class Real, int Order, int Lanes, bool General>
class Nodes {
 public:
  using PartOfLane = Part<Real, Lanes>;

  __device__ __forceinline__ Nodes(const pic::GridAxes& axes, const RecordView<Real>& field)
      : axes_(axes),
        field_(field),
        upper_(Lanes == 4 && (gpu::lane() & 2) != 0),
        part_(Lanes == 1 ? 0 : static_cast<std::uint32_t>(gpu::lane() & (Lanes - 1))) {
    // Two adjacent records along x are four halves. On a general grid, neighbors along x need not
    // be adjacent in memory.
    if (Lanes == 4 && General) part_ &= 1;
  }

  /// \param low, fraction results of pic::GridAxis::locate().
  [[nodiscard]] __device__ __forceinline__ Place<Real, General> place(
      const std::int32_t (&low)[3], const double (&fraction)[3]) const {
    Place<Real, General> place;
    if constexpr (General) {
#pragma unroll
      for (int a = 0; a < 3; ++a)
        place.node[a] = low[a];
    } else {
      place.node[0] = 2 * low[0] + low[1] * static_cast<std::int32_t>(field_.strides[1]) +
                      low[2] * static_cast<std::int32_t>(field_.strides[2]);
    }
#pragma unroll
    for (int a = 0; a < 3; ++a)
      place.fraction[a] = static_cast<Real>(fraction[a]);
    return place;
  }

  /// The lane's part of the weighted sum over all nodes of the particle: over all columns of nodes,
  /// or, for groups of four lanes, over every other column, from column 1 in the upper two lanes.
  /// \tparam AsFour sum over all columns in one lane, in the order in which four lanes add.
  template <bool AsFour = false>
  [[nodiscard]] __device__ __forceinline__ PartOfLane sum(const Place<Real, General>& place) const {
    static_assert(!AsFour || Lanes == 1);
    Real of_x[Order + 1], of_y[Order + 1], of_z[Order + 1];
    pic::ParticleShape<Order, Real>(place.fraction[1]).split(Real(1), of_y);
    pic::ParticleShape<Order, Real>(place.fraction[2]).split(Real(1), of_z);
    PartOfLane of_column[columns];
    with_rows(place, [&](const auto& row, const auto& column) {
#pragma unroll
      for (int k = 0; k <= Order; ++k)
#pragma unroll
        for (int j = 0; j <= Order; ++j) {
          const Real weight = of_y[j] * of_z[k];
          const Pair<Real>* const at = row(j, k);
#pragma unroll
          for (int c = 0; c < columns; ++c)
            of_column[c].add(weight, PartOfLane::load(at + column(c)));
        }
    });
    pic::ParticleShape<Order, Real>(place.fraction[0]).split(Real(1), of_x);
    PartOfLane sum;
    if constexpr (AsFour) {
      PartOfLane of_upper;
#pragma unroll
      for (int c = 0; 2 * c <= Order; ++c) {
        sum.add(of_x[2 * c], of_column[2 * c]);
        of_upper.add(2 * c + 1 <= Order ? of_x[upper_column(c)] : Real(0),
                     of_column[upper_column(c)]);
      }
      sum.add_rounded(of_upper);
    } else {
#pragma unroll
      for (int c = 0; c < columns; ++c)
        sum.add(weight_of(c, of_x), of_column[c]);
    }
    return sum;
  }

 private:
  static constexpr bool by_columns = Lanes == 4;
  static constexpr int columns = by_columns ? Order / 2 + 1 : Order + 1;

  /// Index of the c-th column of nodes that a lower or upper lane reads. For an even order the
  /// upper lanes have one column less. Instead they read the last column, which the lower lanes
  /// read at the same time, with weight 0, so that the load touches no further cache line.
  [[nodiscard]] static constexpr int lower_column(int c) {
    return by_columns ? 2 * c : c;
  }
  [[nodiscard]] static constexpr int upper_column(int c) {
    return 2 * c + 1 <= Order ? 2 * c + 1 : Order;
  }
  [[nodiscard]] __device__ __forceinline__ Real weight_of(int c,
                                                          const Real (&of_x)[Order + 1]) const {
    if constexpr (!by_columns) return of_x[c];
    const Real of_upper = 2 * c + 1 <= Order ? of_x[upper_column(c)] : Real(0);
    return upper_ ? of_upper : of_x[lower_column(c)];
  }

  /// Calls use(row, column): row(j, k) is the address of the lane's pair in a row of nodes along x,
  /// column(c) the offset of column c from it in pairs.
  template <class Use>
  __device__ __forceinline__ void with_rows(const Place<Real, General>& place,
                                            const Use& use) const {
    if constexpr (General) {
      const pic::NodeSteps<Order> x(axes_.axis[0], place.node[0], field_.strides[0]);
      const pic::NodeSteps<Order> y(axes_.axis[1], place.node[1], field_.strides[1]);
      const pic::NodeSteps<Order> z(axes_.axis[2], place.node[2], field_.strides[2]);
      const Pair<Real>* const node = &field_(place.node[0], place.node[1], place.node[2]) + part_;
      use([&](int j, int k) { return node + y.step[j] + z.step[k]; },
          [&](int c) {
            return by_columns && upper_ ? x.step[upper_column(c)] : x.step[lower_column(c)];
          });
    } else {
      // Offsets have 32 bits to save registers; each becomes an address only where it is used.
      const auto y = static_cast<std::uint32_t>(field_.strides[1]);
      const auto z = static_cast<std::uint32_t>(field_.strides[2]);
      std::uint32_t node = static_cast<std::uint32_t>(place.node[0]) + part_;
      // Without this barrier the compiler adds part_ again for each row.
      gpu::keep_in_register(node);
      use(
          [&](int j, int k) {
            return field_.data +
                   (node + static_cast<std::uint32_t>(j) * y + static_cast<std::uint32_t>(k) * z);
          },
          [&](int c) {
            // part_ of an upper lane already includes one column.
            const std::int64_t missing = lower_column(c) + 1 - upper_column(c);
            return 2 * (lower_column(c) - (by_columns && upper_ ? missing : 0));
          });
    }
  }

  const pic::GridAxes& axes_;
  const RecordView<Real>& field_;
  bool upper_;
  /// Index of the pair that the lane reads in a record, or in two adjacent records (0 to 3).
  std::uint32_t part_;
};

/// The particles that a group of lanes processes together. All lanes of the warp must construct it
/// and call gather().
template <class Real, int Order, int Lanes, bool General>
class WarpGather {
 public:
  using Here = Place<Real, General>;

  __device__ __forceinline__ explicit WarpGather(const Here& mine) {
    if constexpr (Lanes == 2) {
      const bool odd = (gpu::lane() & 1) != 0;
      const Here other = mine.of_lane([](auto number) { return gpu::shfl_xor(number, 1); });
      place_[0] = Here::choose(odd, other, mine);
      place_[1] = Here::choose(odd, mine, other);
    } else {
      place_[0] = mine;
    }
  }

  /// The field at the particle of the lane.
  /// \tparam AsFour gather with one lane, with the same bits as four lanes give.
  template <bool AsFour = false>
  [[nodiscard]] __device__ __forceinline__ FieldOfParticle<Real> gather(
      const Nodes<Real, Order, Lanes, General>& nodes) const {
    if constexpr (Lanes == 1) {
      const Sum all = nodes.template sum<AsFour>(place_[0]);
      return {all.number[0], all.number[1], all.number[2]};
    } else {
      // Sums of the half record that this lane reads, over the nodes of the particle of an even
      // lane, and of the particle of the adjacent odd lane.
      Sum of_even, of_odd;
      if constexpr (Lanes == 2) {
        of_even = nodes.sum(place_[0]);
        of_odd = nodes.sum(place_[1]);
      } else {
        const bool upper = (gpu::lane() & 2) != 0;
        const auto sum_of = [&](int t) {
          return nodes.sum(
              place_[0].of_lane([&](auto number) { return gpu::shfl_segment<4>(number, t); }));
        };
        // Completes the sum of `below` in lower lanes, and of `above` in upper lanes, with the
        // columns that the lane at distance 2 has read.
        const auto complete = [&](const Sum& below, const Sum& above) {
          Sum whole = Sum::choose(upper, above, below);
          whole.add_rounded(Sum::choose(upper, below, above).shfl_xor_parts(2));
          return whole;
        };
        const Sum of_first = sum_of(0);
        of_even = complete(of_first, sum_of(2));
        const Sum of_second = sum_of(1);
        of_odd = complete(of_second, sum_of(3));
      }
      // The padding of a record is the second number of odd lanes, and is discarded here.
      const bool odd = (gpu::lane() & 1) != 0;
      const Sum own = Sum::choose(odd, of_odd, of_even);
      const Sum got = Sum::choose(odd, of_even, of_odd).shfl_xor_parts(1);
      return {odd ? got.number[0] : own.number[0], odd ? got.number[1] : own.number[1],
              odd ? own.number[0] : got.number[0]};
    }
  }

 private:
  using Sum = Part<Real, Lanes>;
  Here place_[Lanes == 2 ? 2 : 1];
};

}  // namespace tessera::gpu::field_records

#endif  // TESSERA_BACKENDS_GPU_FIELD_RECORDS_GATHER_CUH
