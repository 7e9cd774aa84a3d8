#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/backends/cuda/execution/rows_ahead.cuh>
#include <tessera/backends/cuda/field_records/field_records.cuh>
#include <tessera/backends/cuda/field_records/policy.hpp>

/// \file
/// Particles through records: the kernel, and the work of a plan. What is done with a particle that
/// has met the field is a `Kick`:
///
///     Real, arrays               the type of the numbers; 1: places and momenta in one array
///     args                       of the operation, with the grid and the field
///     particles(), source()      their number, and where they are: three places, then momenta
///     outside(), impossible()    where those are counted that are off the grid or cannot be
///                                kicked; null where all can
///     operator()(p, field, momenta)    kicks; false where it cannot

namespace tessera::cuda::field_records {

template <class Kick, int Ahead>
using Rows = RowsAhead<typename Kick::Real, 6, Ahead, Kick::arrays>;

/// A block takes particles that lie together, `rows` a thread. \tparam Periodic whether the grid
/// may be so in a direction.
template <class Kick, int Order, int Ahead, bool Periodic>
__global__ void __launch_bounds__(512)
    kick_particles(const Kick kick, const pic::GridAxes of_grid,
                   const View<const Record<typename Kick::Real>, 3> field, const int rows) {
  using Real = typename Kick::Real;
  const pic::GridAxes axes = Periodic ? of_grid : of_grid.open();
  __shared__ unsigned shared[2];
  const BlockCount outside(shared[0]);
  const BlockCount impossible(shared[1]);
  __syncthreads();
  const std::int64_t of_block = std::int64_t{blockDim.x} * rows;
  const std::int64_t first = blockIdx.x * of_block;
  const std::int64_t particles = kick.particles();
  const std::int64_t end = first + of_block < particles ? first + of_block : particles;
  unsigned off_grid = 0;
  unsigned not_kicked = 0;
  const auto source = kick.source();
  Rows<Kick, Ahead>(source, dynamic_shared())
      .for_each(first + threadIdx.x, blockDim.x, end,
                [&](std::int64_t p, const Real(&values)[6], bool counts) {
                  if (!counts) return;
                  std::int32_t low[3] = {0, 0, 0};
                  double fraction[3] = {0, 0, 0};
                  bool inside = true;
                  for (int a = 0; a < 3; ++a)
                    inside = inside && axes.axis[a].locate(static_cast<double>(values[a]), low[a],
                                                           fraction[a]);
                  if (!inside) {
                    ++off_grid;
                    return;
                  }
                  const FieldOfParticle<Real> here =
                      gather(pic::SharedParticle<Order, Real>(low, fraction), axes, field);
                  Real momenta[3] = {values[3], values[4], values[5]};
                  if (!kick(p, here, momenta)) ++not_kicked;
                });
  outside.add(off_grid);
  impossible.add(not_kicked);
  __syncthreads();
  outside.store(kick.outside());
  impossible.store(kick.impossible());
}

template <class Kick>
[[nodiscard]] std::size_t shared_bytes(const Policy& policy) {
  std::size_t bytes = 0;
  Ahead::with(policy.ahead,
              [&]<int Count>() { bytes = Rows<Kick, Count>::shared_bytes(policy.block_size); });
  return bytes;
}

/// Why a device cannot have so many particles on their way.
template <class Kick>
[[nodiscard]] Refusal refuse(const Policy& policy, const DeviceProperties& device) {
  // Counters beside the rows, as aligned as these.
  const std::size_t bytes = shared_bytes<Kick>(policy) + 32;
  if (device.scratch_bytes < static_cast<std::int64_t>(bytes))
    return "ahead=" + std::to_string(policy.ahead) +
           " with block_size=" + std::to_string(policy.block_size) + " takes " +
           std::to_string(bytes) + " bytes of shared memory, the device has " +
           std::to_string(device.scratch_bytes) + "; take a smaller one of them";
  return {};
}

template <class Kick>
class KickWork {
 public:
  using Real = typename Kick::Real;

  template <class Problem>
  KickWork(const char* name, const Problem& problem, const Context& context, const Policy& policy)
      : name_(name),
        shape_order_(problem.shape_order),
        policy_(policy),
        bytes_(shared_bytes<Kick>(policy)),
        threads_of_device_(context.device->properties().compute_units * threads_of_unit),
        space_(space_of<Space>(context)),
        records_(space_, problem.nodes) {
    const CurrentDevice current(space_.ordinal());
    for (const bool periodic : {false, true})
      with_kernel(periodic, [&]<int Order>(auto kernel) { allow_shared(name_, kernel, bytes_); });
  }

  void execute(const Kick& kick) {
    const CurrentDevice current(space_.ordinal());
    space_.fill(kick.outside(), 0, sizeof(std::int64_t));
    if (kick.impossible() != nullptr) space_.fill(kick.impossible(), 0, sizeof(std::int64_t));
    const std::int64_t particles = kick.particles();
    if (particles == 0) return;
    const View<const Record<Real>, 3> field = records_.of(kick.args.field);
    const int threads = policy_.block_size;
    const int rows = policy_.rows > 0 ? policy_.rows : rows_of(particles);
    const bool* const periodic = kick.args.grid.periodic;
    with_kernel(periodic[0] || periodic[1] || periodic[2], [&]<int Order>(auto kernel) {
      launch(name_, kernel, blocks_for(particles, std::int64_t{threads} * rows),
             static_cast<unsigned>(threads), bytes_,
             space_.stream())(kick, pic::grid_axes(kick.args.grid, Order), field, rows);
    });
  }

 private:
  /// Calls `use.operator()<Order>(kernel)` with that of the problem and of the knobs.
  template <class Use>
  void with_kernel(bool periodic, const Use& use) const {
    Ahead::with(policy_.ahead, [&]<int Count>() {
      pic::with_shape_order(shape_order_, [&]<int Order>() {
        if (periodic)
          use.template operator()<Order>(kick_particles<Kick, Order, Count, true>);
        else
          use.template operator()<Order>(kick_particles<Kick, Order, Count, false>);
      });
    });
  }
  /// Some waves of blocks, of threads that take four or more: they pay for the way to the first.
  [[nodiscard]] int rows_of(std::int64_t particles) const {
    return static_cast<int>(
        std::clamp<std::int64_t>(particles / threads_of_device_, 4, usual_rows));
  }
  static constexpr std::int64_t threads_of_unit = 2048;

  const char* name_;
  int shape_order_;
  Policy policy_;
  std::size_t bytes_;  ///< of shared memory
  std::int64_t threads_of_device_;
  Space space_;
  FieldRecords<Real> records_;
};

}  // namespace tessera::cuda::field_records
