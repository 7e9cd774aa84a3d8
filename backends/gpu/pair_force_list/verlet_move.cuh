#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_MOVE_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_MOVE_CUH

#include "backends/gpu/execution/intrinsics.cuh"
#include "backends/gpu/execution/warp.cuh"
#include "backends/gpu/pair_force_list/step_gate.cuh"
#include "core/memory/view.hpp"
#include "physics/md/langevin/bath.hpp"

#include <cstdint>

/// \file
/// Use of the forces on an atom in fused steps: kicks, drift, and a check of the displacement of
/// the atom since lists were made.

namespace tessera::gpu::pair_force_list {

/// Progress of fused steps, in device memory. A kernel for a step does nothing (is idle) where all
/// steps are done, or where the lists have to be rebuilt first. The lists are checked once in a few
/// kernels; steps that idle kernels between two checks did not do are left to later kernels.
struct alignas(16) VerletStatus {
  /// Number of steps done. Kernels of one parity write their element and read the other, so that
  /// all blocks of a kernel read the same number.
  long long done[2];
  long long last;         ///< number of steps after which all kernels are idle
  long long until;        ///< min(last, row_at), after which kernels of steps without sums are idle
  long long row_at;       ///< number of steps before the next step with sums
  long long row_every;    ///< distance of steps with sums
  long long rows;         ///< number of steps with sums that were done
  long long stale_after;  ///< number of steps after which the lists do not hold
  unsigned long long blown;  ///< 0, or blown_key() of the atom that moved furthest in a blow-up
  std::int32_t wanted;       ///< work of the next check: needs_lists, needs_sums
  /// 1 where the host has to prepare, since lists outgrew their memory or the layers of the atoms
  /// (md::AtomLayers) are others.
  std::int32_t unprepared;
  long long rebuilds;         ///< number of rebuilds of the lists
  long long built_after;      ///< number of steps before the last rebuild
  unsigned long long listed;  ///< number of neighbors in all lists
  std::int32_t newest;        ///< index of the packed array that a step wrote last
  std::int32_t row_made;      ///< 0: the step with sums was idle; else 1 + `newest` before it
  long long most_rebuilds;    ///< number of rebuilds after which the steps end
  long long first_noise;      ///< number of the noise of the first step in a bath
  unsigned layers;            ///< outermost layers of the atoms in a rebuild
};

/// Bit of VerletStatus::wanted: the lists no longer hold. It is the lowest bit, because a check
/// runs the work of the lowest bit that is set (TaskRecorder::conditional_work), and sums need
/// lists.
inline constexpr std::int32_t needs_lists = 1;
/// Bit of VerletStatus::wanted: the next step is one with sums.
inline constexpr std::int32_t needs_sums = 2;

/// Largest number of rows (the sums of a step) that the host has not yet read.
inline constexpr int kept_rows = 16;

/// Number of values of a row: energy, virial (6), kinetic tensor (6), momentum (3).
inline constexpr int row_values = 16;

/// Status and rows that are copied to the host.
struct VerletProgress {
  struct Row {
    long long steps;
    double values[row_values];
  };

  VerletStatus status;
  Row rows[kept_rows];  ///< the latest rows; row number r is element r % kept_rows
};

/// Key that is largest for the largest speed, and among equal speeds for the smallest row.
/// \param row row of the atom in the caller's arrays.
[[nodiscard]] __device__ inline unsigned long long blown_key(double speed, std::int32_t row) {
  const float rounded = speed < 3e38 ? static_cast<float>(speed) : __int_as_float(0x7f800000);
  return static_cast<unsigned long long>(__float_as_uint(rounded)) << 32 |
         (0xffffffffu - static_cast<std::uint32_t>(row));
}

/// Whether a bath acts on the atoms of fused steps.
enum class Bath {
  none,
  free,      ///< each atom has noise of its own
  balanced,  ///< the noise of all atoms carries no momentum
};

/// The bath of fused steps, and the heat that it gives. Arrays by atom are in cell order.
template <class Storage>
struct BathOfSteps {
  const std::int64_t* ids = nullptr;  ///< null: there is no bath
  double* heat = nullptr;             ///< null: not needed
  View<const double, 1> noise;        ///< by mass class
  View<const double, 1> half_mass;    ///< by mass class
  Storage keep = 1;
  std::uint64_t seed = 0;
  int dimensions = 3;
  // The members below are those of a balanced bath.
  /// Sum of the noise for steps of either parity. The step of one parity clears the other sum.
  md::NoiseSum* sums = nullptr;
  double largest = 0;  ///< largest product of half_mass and noise
  double total_half_mass = 0;

  /// Opposite of the velocity that the noise gives to the center of mass, for an atom of a type.
  [[nodiscard]] __device__ double balance(int parity, std::int32_t type, int d) const {
    return half_mass(type) > 0 ? -sums[parity].mean(d, largest, total_half_mass) : 0;
  }
};

/// Arguments of the motion of atoms in a fused step. Arrays are in cell order and have all x
/// coordinates first, then all y, then all z.
template <class Coordinates, class Storage>
struct VerletMove {
  static constexpr bool with_others = false;  ///< see VerletMoveWithOthers

  Storage* positions;
  Storage* velocities;
  const Storage* built;  ///< positions from which the lists were made
  std::int64_t atoms;
  typename Coordinates::Atom* next;  ///< out: packed atoms for the next pair loop
  const std::int32_t* rows;          ///< rows of the atoms in the caller's arrays
  const std::int32_t* mass_class;    ///< null: half_kick is that of all atoms
  View<const double, 1> force_to_accel;
  double signed_time_step;
  Storage time_step;
  Storage half_kick;
  Storage fastest;    ///< speed from which on a step counts as a blow-up
  double allowed_sq;  ///< squared displacement that the lists allow
  VerletStatus* status;
  int parity;  ///< of a step without sums; a step with sums may follow kernels of either parity

  /// An atom before a step: the coordinates that one of the threads of the atom processes.
  template <int Threads>
  struct Before {
    static constexpr int most = Threads == 1 ? 3 : (Threads == 2 ? 2 : 1);
    Storage position[most];
    Storage velocity[most];
    Storage built[most];
  };

  /// The condition of is_idle(), for kernels that do not count the step.
  [[nodiscard]] TESSERA_INLINE StepGate gate() const {
    return {&status->done[1 - parity], &status->until, &status->stale_after};
  }
  /// Whether the kernel is idle; counts the step where it is not. It does not call gate(), with
  /// which the kernels of steps have more instructions.
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
  /// Whether a kernel of a step with sums is idle; finish_row() counts the step.
  [[nodiscard]] __device__ bool is_idle_row() const {
    const long long before = done<true>();
    const bool idle =
        before != status->row_at || before >= status->last || before >= status->stale_after;
    if (blockIdx.x == 0 && threadIdx.x == 0) status->row_made = idle ? 0 : 1 + status->newest;
    return idle;
  }

  /// Reads the coordinates of atom k that the thread processes. Kernels with enough registers call
  /// it before the forces are known, to hide the latency of memory. \param lane number of the
  /// thread among the `Threads` threads that share the atom. It processes
  ///   the directions lane, lane + Threads, ... below 3.
  /// \param is_one whether there is an atom k.
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

  /// Kicks atom k twice by half a time step, and moves it by a time step. Checks its speed, and its
  /// displacement since the lists were made. The threads of a warp call it together.
  /// \tparam WithSums whether the step is one with sums.
  /// \param force force(d) is component d of the force on the atom, in the caller's unit.
  /// \param see see(d, v) is called with component d of the velocity between the two half kicks.
  template <int Threads, bool WithSums, class Force, class See>
  __device__ __forceinline__ void step(std::int64_t k, int lane, bool is_one,
                                       const Before<Threads>& before, const Force& force,
                                       const Coordinates& coordinates, const See& see) const {
    double off_sq = 0;
    Storage moved[Before<Threads>::most] = {};
    if (is_one) {
      const Storage kick = half_kick_of(k);
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
        moved[t] = before.position[t] + time_step * v;
        store<WithSums>(k, d, at, v, moved[t], before.built[t], coordinates, off_sq);
      }
    }
    pack_moved<Threads>(k, lane, is_one, moved, coordinates);
    for (int offset = Threads / 2; offset > 0; offset /= 2)
      off_sq += gpu::shfl_xor(off_sq, offset);
    if (is_one && lane == 0) check_lists<WithSums>(off_sq);
  }

  /// The step of a kernel without sums in two parts, as VerletMoveWithOthers has it too: start() is
  /// called before the forces are known, and finish() takes its result.
  template <int Threads>
  struct Early {};
  template <int Threads>
  [[nodiscard]] __device__ __forceinline__ Early<Threads> start(std::int64_t, int, bool) const {
    return {};
  }
  template <int Threads, class Force>
  __device__ __forceinline__ void finish(std::int64_t k, int lane, bool is_one,
                                         const Before<Threads>& before, const Early<Threads>&,
                                         const Force& force, const Coordinates& coordinates) const {
    step<Threads, false>(k, lane, is_one, before, force, coordinates, [](int, auto) {});
  }

  /// The random numbers of atom k in a bath.
  [[nodiscard]] __device__ __forceinline__ Normals noise(std::int64_t k,
                                                         const BathOfSteps<Storage>& bath) const {
    return normals(bath.seed, id(k, bath), noise_number());
  }
  /// Random numbers of the coordinates that a thread processes, as in Before.
  template <int Threads>
  struct NoiseBefore {
    double of[Threads > 2 ? 1 : Before<Threads>::most];
  };
  template <int Threads>
  [[nodiscard]] __device__ __forceinline__ NoiseBefore<Threads> draw(
      std::int64_t k, int lane, bool is_one, const BathOfSteps<Storage>& bath) const {
    NoiseBefore<Threads> noise_before{};
    if (!is_one || lane >= 3) return noise_before;
    if constexpr (Threads > 2) {
      noise_before.of[0] = normal(bath.seed, id(k, bath), noise_number(), lane);
    } else {
      const Normals all = noise(k, bath);
#pragma unroll
      for (int t = 0; t < Before<Threads>::most; ++t)
        noise_before.of[t] = all.value[lane + t * Threads];
    }
    return noise_before;
  }

  /// The same as step() in a bath: md/langevin, phase close_and_open.
  template <Bath Kind, int Threads, class Force>
  __device__ __forceinline__ void step_in_bath(std::int64_t k, int lane, bool is_one,
                                               const Before<Threads>& before,
                                               const NoiseBefore<Threads>& random,
                                               const Force& force, const Coordinates& coordinates,
                                               const BathOfSteps<Storage>& bath) const {
    double off_sq = 0;
    Storage moved[Before<Threads>::most] = {};
    // Velocities before and after friction and noise.
    Storage entering[Before<Threads>::most] = {};
    Storage leaving[Before<Threads>::most] = {};
    if (is_one && lane < 3) {
      const std::int32_t type = type_of_mass(k);
      const Storage kick = half_kick_of(k);
      const auto half_step = static_cast<Storage>(0.5 * signed_time_step);
#pragma unroll
      for (int t = 0; t < Before<Threads>::most; ++t) {
        const int d = lane + t * Threads;
        if (d >= 3) continue;
        const Storage change = kick * force(d);
        Storage v = before.velocity[t] + change;
        v += change;
        moved[t] = before.position[t];
        double balance = 0;
        if constexpr (Kind == Bath::balanced) balance = bath.balance(parity, type, d);
        double push = md::noise_kick(bath.noise(type), random.of[t], balance);
        if (d >= bath.dimensions) push = 0;
        entering[t] = v;
        md::drift_through_bath(bath.keep, push, half_step, v, moved[t]);
        leaving[t] = v;
        store<false>(k, d, d * atoms + k, v, moved[t], before.built[t], coordinates, off_sq);
      }
    }
    pack_moved<Threads>(k, lane, is_one, moved, coordinates);
    for (int offset = Threads / 2; offset > 0; offset /= 2)
      off_sq += gpu::shfl_xor(off_sq, offset);
    if (is_one && lane == 0) check_lists<false>(off_sq);
    if (bath.heat == nullptr) return;
    double gained = 0;
#pragma unroll
    for (int d = 0; d < 3; ++d)
      gained +=
          md::increase_of_square(static_cast<double>(of_direction<Threads>(entering, lane, d)),
                                 static_cast<double>(of_direction<Threads>(leaving, lane, d)));
    if (is_one && lane == 0) bath.heat[k] += bath.half_mass(type_of_mass(k)) * gained;
  }

  /// Index of atom k into arrays by mass class.
  [[nodiscard]] __device__ __forceinline__ std::int32_t type_of_mass(std::int64_t k) const {
    return mass_class == nullptr ? 0 : mass_class[k];
  }

 private:
  [[nodiscard]] static __device__ std::uint64_t id(std::int64_t k,
                                                   const BathOfSteps<Storage>& bath) {
    return static_cast<std::uint64_t>(bath.ids[k]);
  }
  /// Number of the noise of this step.
  [[nodiscard]] __device__ std::uint64_t noise_number() const {
    return static_cast<std::uint64_t>(status->first_noise + done<false>());
  }
  /// Change of the velocity of atom k by half a time step for a unit of force.
  [[nodiscard]] __device__ __forceinline__ Storage half_kick_of(std::int64_t k) const {
    return mass_class == nullptr
               ? half_kick
               : static_cast<Storage>(0.5 * signed_time_step * force_to_accel(mass_class[k]));
  }
  /// Stores velocity and position of atom k along direction d, adds the square of its displacement
  /// from `from` to `off_sq`, and checks its speed.
  /// \param at index of this component in the arrays.
  template <bool WithSums>
  __device__ __forceinline__ void store(std::int64_t k, int d, std::int64_t at, Storage v,
                                        Storage x, Storage from, const Coordinates& coordinates,
                                        double& off_sq) const {
    velocities[at] = v;
    positions[at] = x;
    if constexpr (Coordinates::by_component) coordinates.store(next + k, d, static_cast<double>(x));
    const double off = static_cast<double>(x) - static_cast<double>(from);
    off_sq += off * off;
    if (!(fabs(v) < fastest)) blow_up<WithSums>(k, v);
  }
  /// Element of direction d of values that the threads of an atom have as in Before. The threads of
  /// a warp call it together.
  template <int Threads, class T, int Most>
  [[nodiscard]] static __device__ __forceinline__ T of_direction(const T (&values)[Most], int lane,
                                                                 int d) {
    if constexpr (Threads == 1)
      return values[d];
    else
      return gpu::shfl(values[d / Threads], gpu::lane() - lane + d % Threads);
  }
  /// Packs atom k at its new position, where store() cannot do so for each component.
  template <int Threads, int Most>
  __device__ __forceinline__ void pack_moved(std::int64_t k, int lane, bool is_one,
                                             const Storage (&moved)[Most],
                                             const Coordinates& coordinates) const {
    if constexpr (!Coordinates::by_component) {
      const auto x = static_cast<double>(of_direction<Threads>(moved, lane, 0));
      const auto y = static_cast<double>(of_direction<Threads>(moved, lane, 1));
      const auto z = static_cast<double>(of_direction<Threads>(moved, lane, 2));
      if (is_one && lane == 0) next[k] = coordinates.pack(x, y, z, Coordinates::type(next[k]));
    }
  }
  /// Requests lists where an atom has moved further than the present ones allow.
  template <bool WithSums>
  __device__ __forceinline__ void check_lists(double off_sq) const {
    if (!(off_sq <= allowed_sq)) {
      status->stale_after = done<WithSums>() + 1;
      atomicOr(&status->wanted, needs_lists);
    }
  }
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

/// The motion of atoms on which other forces than those of the pairs, or a bath, may act.
template <class Coordinates, class Storage>
struct VerletMoveWithOthers : VerletMove<Coordinates, Storage> {
  using Base = VerletMove<Coordinates, Storage>;
  template <int Threads>
  using Before = typename Base::template Before<Threads>;
  static constexpr bool with_others = true;

  const Storage* added;  ///< the other forces, as positions; null: none
  BathOfSteps<Storage> bath;

  /// Starts the sum of the noise of the next step too.
  [[nodiscard]] __device__ bool is_idle() const {
    if (is_balanced() && blockIdx.x == 0 && threadIdx.x == 0) bath.sums[1 - this->parity] = {};
    return Base::is_idle();
  }

  /// The noise is drawn before the forces are known, while loads are under way.
  template <int Threads>
  using Early = typename Base::template NoiseBefore<Threads>;
  template <int Threads>
  [[nodiscard]] __device__ __forceinline__ Early<Threads> start(std::int64_t k, int lane,
                                                                bool is_one) const {
    if (bath.ids == nullptr) return {};
    return this->template draw<Threads>(k, lane, is_one, bath);
  }
  template <int Threads, class Force>
  __device__ __forceinline__ void finish(std::int64_t k, int lane, bool is_one,
                                         const Before<Threads>& before, const Early<Threads>& noise,
                                         const Force& of_pairs,
                                         const Coordinates& coordinates) const {
    // A step that starts early has read nothing so far that the kernel before it writes.
    if (added != nullptr) gpu::grid_dependency_wait();
    const auto force = [&](int d) {
      const Storage f = of_pairs(d);
      return added == nullptr ? f : added[d * this->atoms + k] + f;
    };
    if (bath.ids == nullptr)
      Base::template step<Threads, false>(k, lane, is_one, before, force, coordinates,
                                          [](int, auto) {});
    else if (is_balanced())
      this->template step_in_bath<Bath::balanced, Threads>(k, lane, is_one, before, noise, force,
                                                           coordinates, bath);
    else
      this->template step_in_bath<Bath::free, Threads>(k, lane, is_one, before, noise, force,
                                                       coordinates, bath);
  }

 private:
  [[nodiscard]] __device__ bool is_balanced() const { return bath.total_half_mass != 0; }
};

/// Additional arguments of a step with sums.
template <class Coordinates>
struct VerletRow {
  typename Coordinates::Atom* packed[2];  ///< the two arrays that steps read and write in turn
  View<const double, 1> masses;
  double* parts;  ///< row_values sums of each block of threads
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_MOVE_CUH
