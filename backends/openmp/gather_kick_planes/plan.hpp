#ifndef TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_PLAN_HPP
#define TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_PLAN_HPP

#include "backends/openmp/execution/space.hpp"
#include "backends/openmp/gather_kick_planes/kick_kernels.hpp"
#include "backends/openmp/particle_planes/plane_bins.hpp"
#include "backends/openmp/particle_planes/plane_policy.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/implementation.hpp"
#include "physics/pic/gather_kick/gather_kick_portable.hpp"

#include <algorithm>
#include <memory>

/// \file
/// The plan of openmp.planes: the contract of pic/gather_kick, implemented with the vector code.

namespace tessera::openmp::gather_planes {

using planes::PlaneLayout;
using planes::PlaneRing;
using planes::PlaneShare;

template <class P>
class PlanesPlan : public Plan<pic::GatherKick, P> {
 public:
  using Parameters = planes::Parameters;
  using Args = typename Plan<pic::GatherKick, P>::Args;
  using Storage = typename P::Storage;
  static constexpr PlanTraits<pic::GatherKick> traits{
      .determinism = Determinism::any_order,
      .description =
          "particles by planes of the grid, components of the field as lanes of a vector",
      .features = {.shape_orders = pic::most_shape_order}};

  static Refusal can_run(const pic::GatherKickProblem&, const Context&, const Parameters&) {
    return {};
  }

  PlanesPlan(const pic::GatherKickProblem& problem, const Context& context,
             const Parameters& parameters)
      : order_(problem.shape_order),
        nodes_(problem.nodes[0] * problem.nodes[1] * problem.nodes[2]),
        parameters_(parameters),
        space_(Space(0, {})),
        fields_(space_),
        portable_(
            make_portable_plan<pic::GatherKick, P>(problem, TESSERA_PLUGIN_BACKEND, context)) {
    pic::Grid grid;
    std::copy_n(problem.nodes, 3, grid.nodes);
    std::copy_n(problem.periodic, 3, grid.periodic);
    const pic::GridAxes axes = pic::grid_axes(grid, order_);
    const bool vectors = kernels_.split != nullptr;
    if (!vectors || !pays(problem.particles) ||
        !planes::fits_records(axes, order_, parameters.bins))
      return;
    const std::int64_t threads = context.device->properties().concurrency;
    nodes_per_thread_ = components * planes::most_touched_nodes(axes, order_, parameters.bins);
    fields_.require(threads * nodes_per_thread_);
    bins_ = std::make_unique<planes::PlaneBins<Storage, HostSpace>>(
        space_, threads, std::min(problem.particles, parameters.batch()), parameters.bins, false,
        true);
  }

  void execute(const Args& args) override {
    const std::int64_t particles = args.positions.extent(0);
    if (bins_ == nullptr || !pays(particles)) return portable_->execute(args);
    planes::Split<Storage> split;
    split.positions = args.positions;
    split.alive = args.alive;
    split.axes = pic::grid_axes(args.grid, order_);
    split.layout =
        planes::plane_layout(split.axes, args.field[0].strides, order_, parameters_.bins);
    std::int64_t outside = 0;
    for (split.first = 0; split.first < particles; split.first = split.end) {
      split.end = std::min(particles, split.first + parameters_.batch());
      outside += bins_->split(kernels_.split, split);
      space_.for_each("planes gather", bins_->threads(), Gather{this, &args});
      space_.for_each("planes kick", bins_->threads(), Kick{this, &args, split.first});
    }
    args.outside(0) = outside;
  }

 private:
  struct Gather {
    PlanesPlan* plan;
    const Args* args;
    void operator()(std::int64_t thread) const { plan->gather(thread, *args); }
  };
  struct Kick {
    PlanesPlan* plan;
    const Args* args;
    std::int64_t first;
    void operator()(std::int64_t thread) const { plan->kick(thread, *args, first); }
  };

  /// Whether planes are faster than the portable body. Copies of all planes and four parallel loops
  /// pay off only with enough particles. README.md has the measurements behind the limits.
  [[nodiscard]] bool pays(std::int64_t particles) const {
    constexpr std::int64_t fewest_particles = 32768;
    constexpr std::int64_t most_nodes_per_particle = 16;
    return parameters_.algorithm == planes::Algorithm::planes ||
           (particles >= fewest_particles && particles >= nodes_ / most_nodes_per_particle);
  }

  /// Replaces the records of the bins of a thread by kicks.
  void gather(std::int64_t thread, const Args& args) {
    const PlaneLayout& layout = bins_->layout();
    const PlaneShare& share = bins_->share(thread);
    PlaneRing<components> ring(fields_.data() + thread * nodes_per_thread_, layout);
    std::int64_t copied = 0;  // planes below this one are copied, or no longer needed
    for (int bin = share.first_bin; bin < share.end_bin; ++bin) {
      const std::int64_t first = std::int64_t{bin} << layout.shift;
      ring.move_to(first);
      for (std::int64_t plane = std::max(first, copied); plane < first + layout.touched(); ++plane)
        copy_plane(args, plane, ring.at_plane(plane));
      copied = first + layout.touched();
      for (std::int64_t of = 0; of < bins_->threads(); ++of) {
        const std::int64_t begin = bins_->begin(of, bin);
        kernels_.kick[order_ - 1](
            {bins_->records() + begin, bins_->end(of, bin) - begin, ring, args.factor});
      }
    }
  }

  void copy_plane(const Args& args, std::int64_t plane, double* copy) const {
    const PlaneLayout& layout = bins_->layout();
    const int across = layout.direction[0];
    if (plane >= layout.planes) {
      if (!args.grid.periodic[across]) return;  // planes past the last one are not read
      plane %= layout.planes;
    }
    FieldPlane<Storage> task;
    for (int c = 0; c < 3; ++c) {
      const auto& field = args.field[c];
      task.field[c] = field.data + plane * field.strides[across];
      task.row_stride[c] = field.strides[layout.direction[1]];
      task.node_stride[c] = field.strides[layout.direction[2]];
    }
    task.rows = args.grid.nodes[layout.direction[1]];
    task.row_nodes = args.grid.nodes[layout.direction[2]];
    task.layout = layout;
    task.copy = copy;
    kernels_.copy_plane(task);
  }

  /// Adds the kicks to the momenta; the records of each bin are in the order of the particles.
  void kick(std::int64_t thread, const Args& args, std::int64_t first) {
    const double* next[planes::most_bins];
    for (int bin = 0; bin < bins_->layout().bins; ++bin)
      next[bin] = reinterpret_cast<const double*>(bins_->records() + bins_->begin(thread, bin));
    const std::uint8_t* const bin_of = bins_->bins();
    const std::int64_t row = args.momenta.strides[0];
    const std::int64_t column = args.momenta.strides[1];
    Storage* const momenta = args.momenta.data + first * row;
    constexpr std::int64_t ahead = 8;  // prefetch distance in records; a cache line holds two
    const std::int64_t end = bins_->particle(thread + 1);
    for (std::int64_t p = bins_->particle(thread); p < end; ++p) {
      const std::uint8_t bin = bin_of[p];
      if (bin == planes::no_bin) continue;
      const double* const kick = next[bin];
      next[bin] = kick + components;
      __builtin_prefetch(kick + ahead * components);
      Storage* const momentum = momenta + p * row;
      for (int a = 0; a < 3; ++a)
        momentum[a * column] =
            static_cast<Storage>(static_cast<double>(momentum[a * column]) + kick[a]);
    }
  }

  int order_;
  std::int64_t nodes_;
  Parameters parameters_;
  HostSpace space_;
  Kernels<Storage> kernels_ = kernels<Storage>();
  Buffer<double, HostSpace> fields_;
  std::int64_t nodes_per_thread_ = 0;  ///< elements of a thread in fields_
  std::unique_ptr<planes::PlaneBins<Storage, HostSpace>> bins_;
  std::unique_ptr<Plan<pic::GatherKick, P>> portable_;  ///< runs calls with few particles
};

}  // namespace tessera::openmp::gather_planes

#endif  // TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_PLAN_HPP
