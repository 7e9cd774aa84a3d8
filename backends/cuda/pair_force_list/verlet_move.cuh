#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_VERLET_MOVE_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_VERLET_MOVE_CUH

#include "backends/cuda/execution/gpu_runtime.hpp"

#include <cstdint>

/// \file
/// Use of the forces on an atom in fused steps: kicks, drift, and a check of the displacement of
/// the atom since lists were made.

namespace tessera::cuda::pair_force_list {

/// How far steps have come. A kernel that is put into the queue for a step does nothing where there
/// is nothing left to do, or where lists have to be made anew first: lists are looked after once in
/// a few steps, and those in between that cannot be made are made up for later.
struct alignas(16) VerletStatus {
  /// Steps done, as kernels of each parity leave it: the blocks of one read the other's.
  long long done[2];
  long long last;    ///< number of steps after which nothing more is done
  long long until;   ///< the same, or number of steps before one with sums, for which steps wait
  long long row_at;  ///< number of steps before the next one with sums
  long long row_every;
  long long rows;            ///< steps with sums that were made
  long long stale_after;     ///< number of steps after which lists do not hold
  unsigned long long blown;  ///< 0, or of the atom that moved furthest: see blown_key()
  std::int32_t wanted;       ///< bits of what the next look at the lists is to see to
  std::int32_t unprepared;   ///< lists are wanted that the host has to make
  long long rebuilds;
  long long built_after;
  unsigned long long listed;  ///< neighbors in all lists
  std::int32_t newest;        ///< which of the packed arrays a step wrote last
  std::int32_t row_made;      ///< 0, or 1 and `newest` as the step with sums found it
};

/// Lists no longer hold: comes first, for without them nothing else can be done.
inline constexpr std::int32_t needs_lists = 1;
/// The next step is one with sums.
inline constexpr std::int32_t needs_sums = 2;

/// Largest number of rows that the host has not yet read.
inline constexpr int kept_rows = 16;

/// Energy, virial, kinetic tensor, momentum.
inline constexpr int row_values = 16;

/// Status and rows that are copied to the host.
struct VerletProgress {
  struct Row {
    long long steps;
    double values[row_values];
  };

  VerletStatus status;
  Row rows[kept_rows];  ///< the latest, each at its number modulo their count
};

/// The largest speed first, then the first row.
[[nodiscard]] __device__ inline unsigned long long blown_key(double speed, std::int32_t row) {
  const float rounded = speed < 3e38 ? static_cast<float>(speed) : __int_as_float(0x7f800000);
  return static_cast<unsigned long long>(__float_as_uint(rounded)) << 32 |
         (0xffffffffu - static_cast<std::uint32_t>(row));
}

/// Atoms in cell order, a coordinate after the other.
template <class Coordinates, class Storage>
struct VerletMove {
  Storage* positions;
  Storage* velocities;
  const Storage* built;  ///< positions that lists were made of
  std::int64_t atoms;
  typename Coordinates::Atom* next;  ///< what the next pair loop reads
  const std::int32_t* rows;
  const std::int32_t* mass_class;  ///< null: all atoms take half_kick
  View<const double, 1> force_to_accel;
  double signed_time_step;
  Storage time_step;
  Storage half_kick;
  Storage fastest;
  double allowed_sq;  ///< displacement that lists allow
  VerletStatus* status;
  int parity;  ///< of a step without sums; one with them comes after kernels of either

  /// An atom before a step, or the coordinates of it that a thread takes.
  template <int Threads>
  struct Before {
    static constexpr int most = Threads == 1 ? 3 : (Threads == 2 ? 2 : 1);
    Storage position[most];
    Storage velocity[most];
    Storage built[most];
  };

  /// Whether there is nothing to do; counts the step.
  [[nodiscard]] __device__ bool is_idle() const {
    const long long before = status->done[1 - parity];
    const bool idle = before >= status->until || before >= status->stale_after;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      const long long now = before + (idle ? 0 : 1);
      status->done[parity] = now;
      if (!idle) status->newest = 1 - parity;
      if (now == status->row_at) atomicOr(&status->wanted, needs_sums);
    }
    return idle;
  }
  /// Whether the step with sums is not to be made now; it is counted later (finish_row).
  [[nodiscard]] __device__ bool is_idle_row() const {
    const long long before = done<true>();
    const bool idle =
        before != status->row_at || before >= status->last || before >= status->stale_after;
    if (blockIdx.x == 0 && threadIdx.x == 0) status->row_made = idle ? 0 : 1 + status->newest;
    return idle;
  }

  /// Read before the forces are known: memory is slow.
  /// \param lane of the threads that share atom k; coordinates are dealt out among them.
  template <int Threads>
  [[nodiscard]] __device__ __forceinline__ Before<Threads> read(std::int64_t k, int lane,
                                                                bool is_one) const {
    Before<Threads> before;
#pragma unroll
    for (int t = 0; t < Before<Threads>::most; ++t) {
      const int d = lane + t * Threads;
      const bool has = is_one && d < 3;
      const std::int64_t at = has ? d * atoms + k : 0;
      before.position[t] = positions[at];
      before.velocity[t] = velocities[at];
      before.built[t] = built[at];
    }
    return before;
  }

  /// \param force a component of the force on the atom, in the caller's unit.
  /// \tparam WithSums whether it is one with sums.
  /// \param see is called with the velocity along a coordinate between the half kicks.
  template <int Threads, bool WithSums, class Force, class See>
  __device__ __forceinline__ void step(std::int64_t k, int lane, bool is_one,
                                       const Before<Threads>& before, const Force& force,
                                       const Coordinates& coordinates, const See& see) const {
    double off_sq = 0;
    if (is_one) {
      const Storage kick =
          mass_class == nullptr
              ? half_kick
              : static_cast<Storage>(0.5 * signed_time_step * force_to_accel(mass_class[k]));
#pragma unroll
      for (int t = 0; t < Before<Threads>::most; ++t) {
        const int d = lane + t * Threads;
        if (d >= 3) continue;
        const Storage f = force(d);
        const std::int64_t at = d * atoms + k;
        const Storage change = kick * f;
        Storage v = before.velocity[t] + change;
        see(d, v);
        v += change;
        const Storage x = before.position[t] + time_step * v;
        velocities[at] = v;
        positions[at] = x;
        coordinates.store(next + k, d, static_cast<double>(x));
        const double off = static_cast<double>(x) - static_cast<double>(before.built[t]);
        off_sq += off * off;
        if (!(fabs(v) < fastest)) blow_up<WithSums>(k, v);
      }
    }
    for (int offset = Threads / 2; offset > 0; offset /= 2)
      off_sq += gpu::shfl_xor(off_sq, offset);
    if (is_one && lane == 0 && !(off_sq <= allowed_sq)) {
      status->stale_after = done<WithSums>() + 1;
      atomicOr(&status->wanted, needs_lists);
    }
  }

 private:
  /// Steps done before this one.
  template <bool WithSums>
  [[nodiscard]] __device__ long long done() const {
    if constexpr (WithSums) return max(status->done[0], status->done[1]);
    return status->done[1 - parity];
  }
  template <bool WithSums>
  __device__ void blow_up(std::int64_t k, Storage v) const {
    status->last = status->until = done<WithSums>() + 1;
    atomicMax(&status->blown, blown_key(fabs(static_cast<double>(v)), rows[k]));
  }
};

/// Additional arguments of a step with sums.
template <class Coordinates>
struct VerletRow {
  typename Coordinates::Atom* packed[2];
  View<const double, 1> masses;
  double* parts;  ///< row_values of each block of threads
};

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_VERLET_MOVE_CUH
