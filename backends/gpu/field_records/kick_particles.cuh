#ifndef TESSERA_BACKENDS_GPU_FIELD_RECORDS_KICK_PARTICLES_CUH
#define TESSERA_BACKENDS_GPU_FIELD_RECORDS_KICK_PARTICLES_CUH

#include "backends/gpu/execution/count_threads.cuh"
#include "backends/gpu/execution/launch_bounds.cuh"
#include "backends/gpu/field_records/gather.cuh"
#include "backends/gpu/field_records/parameters.hpp"

#include <cstdint>
#include <limits>

/// \file
/// Kernel that kicks particles by a field of records, and the base of plans that launch it. The
/// action on a particle, given the field at it, is a `Kick`:
///
///     Real                  type of the numbers
///     arrays                2: positions and momenta are in separate arrays; 1: in the same array
///     particles             the arrays of the particles
///     adds_only             whether the kick needs almost no registers of its own
///     impossible()          counter of particles that cannot be kicked; null where all can
///     operator()(p, field, momenta)    changes the momenta of particle p; false where it cannot

namespace tessera::gpu::field_records {

/// Positions and momenta of particles, as columns of `Arrays` arrays.
template <class Real, int Arrays>
struct Particles {
  std::int64_t count;
  const Real* place[3];              ///< position of particle 0, by direction
  Real* momentum[3];                 ///< momentum of particle 0, by direction
  std::int64_t stride[Arrays];       ///< elements from one particle to the next; positions first
  View<const std::uint8_t, 1> mask;  ///< one per particle; 0: it is skipped. Optional
};

/// GridAxis::locate() in all directions. `low` and `fraction` give valid addresses even where the
/// result is false.
template <bool General>
[[nodiscard]] __device__ __forceinline__ bool locate(const pic::GridAxes& axes,
                                                     const double (&place)[3],
                                                     std::int32_t (&low)[3],
                                                     double (&fraction)[3]) {
  if constexpr (!General) {
    bool between = true;
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      const bool beyond_first = axes.axis[a].locate_onwards(place[a], low[a], fraction[a]);
      const bool before_last =
          static_cast<std::uint32_t>(low[a]) < static_cast<std::uint32_t>(axes.axis[a].cells);
      between = between && beyond_first && before_last;
    }
    if (between) return true;
    // Few particles get here: those off the grid, or at its upper end.
  }
  bool inside = true;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    const bool there = axes.axis[a].locate(place[a], low[a], fraction[a]);
    inside = inside && there;
  }
  return inside;
}

/// The field at the particle of each lane. Where nearly all particles of neighboring lanes are in
/// the same cell, a load touches few cache lines anyway, and each lane reads the nodes of its own
/// particle alone. The result has the same bits either way, so it does not depend on the order of
/// the particles.
template <int Order, int Lanes, bool General, class Real>
[[nodiscard]] __device__ __forceinline__ FieldOfParticle<Real> gather(
    const Nodes<Real, Order, Lanes, General>& nodes, const Place<Real, General>& here,
    const pic::GridAxes& axes, const RecordView<Real>& field) {
  if constexpr (Lanes > 1 && !General) {
    constexpr int most = gpu::warp_size - gpu::warp_size / 8;
    const bool alike = here.node[0] == gpu::shfl_xor(here.node[0], 1);
    if (gpu::popcount(gpu::ballot(alike)) >= most)
      return WarpGather<Real, Order, 1, General>(here).template gather<Lanes == 4>(
          Nodes<Real, Order, 1, General>(axes, field));
  }
  return WarpGather<Real, Order, Lanes, General>(here).gather(nodes);
}

/// Largest number of registers of a thread. The values are the lowest at which the kernel spills no
/// or few words: with fewer registers more particles are in flight. The compiler for AMD GPUs loads
/// more nodes before it uses them.
template <class Kick, int Order, int Lanes, bool General>
[[nodiscard]] constexpr int registers() {
  constexpr bool in_double = sizeof(typename Kick::Real) == 8;
#if defined(__HIP__)
  if (Order == 3 && Lanes == 1 && !in_double) return General ? 128 : 64;
#endif
  if (!General && (Order == 1 || !in_double))
    return Order == 1 && Lanes == 1 && Kick::adds_only ? 40 : 48;
  if (!General || !in_double || Order == 1) return 64;
  return Order == 2 ? 80 : 128;
}
template <class Kick, int Order, int Lanes, bool General>
inline constexpr int resident_blocks = 65536 /
                                       (most_block * registers<Kick, Order, Lanes, General>());

/// Kicks all particles, one thread per particle.
/// \param outside out: number of particles off the grid, without masked ones; 0 before the launch.
template <class Kick, int Order, int Lanes, bool General>
__global__ void TESSERA_RESIDENT(most_block, resident_blocks<Kick, Order, Lanes, General>)
    kick_particles(const Kick kick, const pic::GridAxes of_grid,
                   const RecordView<typename Kick::Real> field, std::int64_t* outside) {
  using Real = typename Kick::Real;
  constexpr int arrays = Kick::arrays;
  const pic::GridAxes axes = General ? of_grid : of_grid.open();
  const auto& particles = kick.particles;
  const std::int64_t of_block = std::int64_t{blockIdx.x} * blockDim.x;
  const std::int64_t left = particles.count - of_block;
  const auto last = static_cast<std::uint32_t>((left < blockDim.x ? left : blockDim.x) - 1);
  // All lanes have to take part in the common reading; lanes past the end use the last particle.
  const bool is_one = threadIdx.x <= last;
  const std::int64_t at = of_block + (is_one ? threadIdx.x : last);
  double place[3];
  Real momenta[3];
#pragma unroll
  for (int a = 0; a < 3; ++a)
    place[a] = static_cast<double>(particles.place[a][at * particles.stride[0]]);
  const bool counts =
      (!particles.mask.given() || particles.mask.data[at * particles.mask.strides[0]] != 0) &&
      is_one;
#pragma unroll
  for (int a = 0; a < 3; ++a)
    momenta[a] = is_one ? particles.momentum[a][at * particles.stride[arrays - 1]] : Real(0);
  // A barrier for the compiler: without it the loads of momenta move down to their use, after the
  // field has been read.
  gpu::syncwarp();

  std::int32_t low[3];
  double fraction[3];
  const bool inside = locate<General>(axes, place, low, fraction);
  const bool meets = counts && inside;
  bool cannot = false;
  const Nodes<Real, Order, Lanes, General> nodes(axes, field);
  const auto here = nodes.place(low, fraction);
  // This branch keeps the compiler from moving code across it, which saves registers.
  if (gpu::ballot(meets) != 0) {
    const FieldOfParticle<Real> gathered = gather<Order, Lanes, General>(nodes, here, axes, field);
    if (meets) {
      const std::int64_t mine = of_block + threadIdx.x;
      cannot = !kick(mine, gathered, momenta);
      if (!cannot) {
#pragma unroll
        for (int a = 0; a < 3; ++a)
          particles.momentum[a][mine * particles.stride[arrays - 1]] = momenta[a];
      }
    }
  }
  count_threads(counts && !meets, outside);
  if (kick.impossible() != nullptr) count_threads(cannot, kick.impossible());
}

template <class Kick>
class KickWork {
 public:
  using Real = typename Kick::Real;

  template <class Problem>
  KickWork(const char* name, const Problem& problem, const Context& context,
           const Parameters& parameters)
      : name_(name),
        shape_order_(problem.shape_order),
        parameters_(parameters),
        space_(space_of<Space>(context)),
        records_(space_, problem.nodes) {}

  /// \param args arguments of the operation.
  template <class Args>
  void execute(const Args& args, const Kick& kick) {
    const CurrentDevice current(space_.ordinal());
    space_.fill(&args.outside(0), 0, sizeof(std::int64_t));
    if (kick.impossible() != nullptr) space_.fill(kick.impossible(), 0, sizeof(std::int64_t));
    const std::int64_t particles = kick.particles.count;
    if (particles == 0) return;
    const RecordView<Real> field = records_.of(args.field);
    const int threads = parameters_.block_size;
    with_kernel(is_general(args.grid, field), [&]<int Order>(auto kernel) {
      launch(name_, kernel, blocks_for(particles, threads), static_cast<unsigned>(threads), 0,
             space_.stream())(kick, pic::grid_axes(args.grid, Order), field, args.outside.data);
    });
  }

 private:
  /// Whether a grid needs the kernels with `General` (see Place).
  [[nodiscard]] static bool is_general(const pic::Grid& grid, const RecordView<Real>& field) {
    const std::int64_t* const n = field.extents;
    const std::int64_t* const stride = field.strides;
    if (grid.periodic[0] || grid.periodic[1] || grid.periodic[2]) return true;
    if (stride[0] != 2 || stride[1] < 0 || stride[2] < 0) return true;
    return 2 * n[0] + (n[1] - 1) * stride[1] + (n[2] - 1) * stride[2] >
           std::numeric_limits<std::int32_t>::max();
  }

  /// Calls `use.operator()<Order>(kernel)` with the kernel for the problem and the parameters.
  template <class Use>
  void with_kernel(bool general, const Use& use) const {
    Lanes::with(parameters_.lanes, [&]<int Count>() {
      pic::with_shape_order(shape_order_, [&]<int Order>() {
        if (general)
          use.template operator()<Order>(kick_particles<Kick, Order, Count, true>);
        else
          use.template operator()<Order>(kick_particles<Kick, Order, Count, false>);
      });
    });
  }

  const char* name_;
  int shape_order_;
  Parameters parameters_;
  Space space_;
  FieldRecords<Real> records_;
};

}  // namespace tessera::gpu::field_records

#endif  // TESSERA_BACKENDS_GPU_FIELD_RECORDS_KICK_PARTICLES_CUH
