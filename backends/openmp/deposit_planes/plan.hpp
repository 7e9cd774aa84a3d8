#ifndef TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_PLAN_HPP
#define TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_PLAN_HPP

#include "backends/openmp/deposit_planes/deposit_kernels.hpp"
#include "backends/openmp/execution/space.hpp"
#include "backends/openmp/particle_planes/particle_order.hpp"
#include "backends/openmp/particle_planes/plane_bins.hpp"
#include "backends/openmp/particle_planes/plane_policy.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/implementation.hpp"
#include "physics/pic/charge_deposit/charge_deposit_portable.hpp"

#include <algorithm>
#include <memory>

/// \file
/// The plan of openmp.planes: the contract of pic/charge_deposit, implemented with the vector code.

namespace tessera::openmp::deposit_planes {

using planes::PlaneLayout;
using planes::PlaneRing;
using planes::PlaneShare;

template <class P>
class PlanesPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = planes::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  using Storage = typename P::Storage;
  static constexpr PlanTraits<pic::ChargeDeposit> traits{
      .determinism = Determinism::run_to_run,
      .description = "particles by planes of the grid, each plane by one thread in its cache",
      .features = {.shape_orders = pic::most_shape_order, .passes_over_lost = true}};

  static Refusal can_run(const pic::ChargeDepositProblem&, const Context&, const Parameters&) {
    return {};
  }

  PlanesPlan(const pic::ChargeDepositProblem& problem, const Context& context,
             const Parameters& parameters)
      : order_(problem.shape_order),
        nodes_(problem.nodes[0] * problem.nodes[1] * problem.nodes[2]),
        parameters_(parameters),
        space_(Space(0, {})),
        planes_(space_),
        portable_(
            make_portable_plan<pic::ChargeDeposit, P>(problem, TESSERA_PLUGIN_BACKEND, context)) {
    pic::Grid grid;
    std::copy_n(problem.nodes, 3, grid.nodes);
    std::copy_n(problem.periodic, 3, grid.periodic);
    const pic::GridAxes axes = pic::grid_axes(grid, order_);
    if (kernels_.split == nullptr || !pays(problem.particles) ||
        !planes::fits_records(axes, order_, parameters.bins))
      return;
    const std::int64_t threads = context.device->properties().concurrency;
    nodes_per_thread_ = planes::most_touched_nodes(axes, order_, parameters.bins);
    planes_.require(threads * nodes_per_thread_);
    bins_ = std::make_unique<planes::PlaneBins<Storage, HostSpace>>(
        space_, threads, std::min(problem.particles, parameters.batch()), parameters.bins,
        problem.weighted, false);
  }

  void execute(const Args& args) override {
    const std::int64_t particles = args.positions.extent(0);
    if (bins_ == nullptr || !pays(particles)) return portable_->execute(args);
    planes::Split<Storage> split;
    split.positions = args.positions;
    split.weights = args.weights;
    split.alive = args.alive;
    split.axes = pic::grid_axes(args.grid, order_);
    split.layout = planes::plane_layout(split.axes, args.density.strides, order_, parameters_.bins);
    // The portable body is faster if consecutive particles are close to each other, but not with
    // fewer particles than this, for which it uses one grid and so one thread.
    if (parameters_.algorithm == planes::Algorithm::by_size && particles >= nodes_ / 4 &&
        planes::follow_each_other(split))
      return portable_->execute(args);
    charge_ = pic::cell_charge(args);
    add_ = args.mode == pic::DepositMode::add;
    std::int64_t outside = 0;
    do {
      split.end = std::min(particles, split.first + parameters_.batch());
      outside += bins_->split(kernels_.split, split);
      space_.for_each("planes deposit", bins_->threads(), Deposit{this, &args});
      space_.for_each("planes seams", args.grid.nodes[split.layout.direction[1]],
                      Seams{this, &args});
      split.first = split.end;
      add_ = true;
    } while (split.first < particles);
    args.outside(0) = outside;
  }

 private:
  struct Deposit {
    PlanesPlan* plan;
    const Args* args;
    void operator()(std::int64_t thread) const { plan->deposit(thread, *args); }
  };
  struct Seams {
    PlanesPlan* plan;
    const Args* args;
    void operator()(std::int64_t row) const { plan->add_seams(row, *args); }
  };

  /// Whether planes are faster than the portable body. Grids that fit into the cache of a thread
  /// need no planes. README.md has the measurements behind the limits.
  [[nodiscard]] bool pays(std::int64_t particles) const {
    constexpr std::int64_t least_bytes = std::int64_t{1} << 23;
    constexpr std::int64_t most_nodes_per_particle = 16;
    return parameters_.algorithm == planes::Algorithm::planes ||
           (nodes_ * static_cast<std::int64_t>(sizeof(Storage)) >= least_bytes &&
            particles >= nodes_ / most_nodes_per_particle);
  }

  [[nodiscard]] PlaneRing<1> ring_of(std::int64_t thread) const {
    return {planes_.data() + thread * nodes_per_thread_, bins_->layout()};
  }
  /// One past the last plane at which stencils of bins before this one begin.
  [[nodiscard]] std::int64_t begins_before(int bin, const Args& args) const {
    const PlaneLayout& layout = bins_->layout();
    const int across = layout.direction[0];
    const std::int64_t begins =
        args.grid.periodic[across] ? layout.planes : layout.planes - layout.order;
    return std::min(std::int64_t{bin} << layout.shift, begins);
  }

  /// Deposits the bins of a thread, and stores its planes into the density as soon as they are
  /// complete. Its contributions to planes of other threads stay in the ring.
  void deposit(std::int64_t thread, const Args& args) {
    const PlaneLayout& layout = bins_->layout();
    const PlaneShare& share = bins_->share(thread);
    PlaneRing<1> ring = ring_of(thread);
    std::int64_t cleared = 0;
    std::int64_t stored = share.first_plane;
    for (int bin = share.first_bin; bin < share.end_bin; ++bin) {
      const std::int64_t first = std::int64_t{bin} << layout.shift;
      const std::int64_t touched = begins_before(bin + 1, args) + layout.order;
      ring.move_to(first);
      for (std::int64_t plane = std::max(first, cleared); plane < touched; ++plane)
        std::fill_n(ring.at_plane(plane), layout.plane_nodes(), 0.0);
      cleared = touched;
      for (std::int64_t of = 0; of < bins_->threads(); ++of) {
        const std::int64_t begin = bins_->begin(of, bin);
        kernels_.deposit[order_ - 1](
            {bins_->records() + begin,
             bins_->weights() == nullptr ? nullptr : bins_->weights() + begin,
             bins_->end(of, bin) - begin, ring});
      }
      const std::int64_t complete = bin + 1 < share.end_bin ? begins_before(bin + 1, args)
                                                            : std::min(touched, share.end_plane);
      for (; stored < complete; ++stored)
        store(ring.at_plane(stored), stored, args);
    }
    // Planes behind the last bin get no charge; they are cleared unless the call adds.
    for (; stored < share.end_plane && !add_; ++stored)
      store(nullptr, stored, args);
  }

  /// Stores a whole plane into the density; null: zeros.
  void store(const double* plane, std::int64_t number, const Args& args) const {
    for (std::int64_t row = 0; row < args.grid.nodes[bins_->layout().direction[1]]; ++row)
      put_row(plane, number, row, add_, args);
  }

  /// Stores a row of a plane of a ring, with its periodic images added; null: zeros.
  void put_row(const double* plane, std::int64_t number, std::int64_t row, bool add,
               const Args& args) const {
    const PlaneLayout& layout = bins_->layout();
    const auto& density = args.density;
    const std::int64_t stride = density.strides[layout.direction[2]];
    const std::int64_t nodes = args.grid.nodes[layout.direction[2]];
    const std::int64_t rows = args.grid.nodes[layout.direction[1]];
    Storage* const to = density.data + number * density.strides[layout.direction[0]] +
                        row * density.strides[layout.direction[1]];
    const auto charge = static_cast<double>(charge_);
    if (plane == nullptr) {
      for (std::int64_t k = 0; k < nodes; ++k)
        to[k * stride] = 0;
      return;
    }
    const double* const from = plane + row * layout.pitch;
    const bool wraps = layout.row_nodes > nodes || layout.rows > rows;
    if (!wraps && stride == 1) {
      for (std::int64_t k = 0; k < nodes; ++k)
        to[k] = static_cast<Storage>(charge * from[k] + (add ? static_cast<double>(to[k]) : 0.0));
      return;
    }
    for (std::int64_t k = 0; k < nodes; ++k) {
      double sum = 0;
      for (std::int64_t j = row; j < layout.rows; j += rows)
        for (std::int64_t i = k; i < layout.row_nodes; i += nodes)
          sum += plane[j * layout.pitch + i];
      Storage& node = to[k * stride];
      node = static_cast<Storage>(charge * sum + (add ? static_cast<double>(node) : 0.0));
    }
  }

  /// Adds, for one row of nodes, the contributions of threads to planes of other threads, one
  /// thread after the other.
  void add_seams(std::int64_t row, const Args& args) const {
    const PlaneLayout& layout = bins_->layout();
    for (std::int64_t thread = 0; thread < bins_->threads(); ++thread) {
      const PlaneShare& share = bins_->share(thread);
      if (share.first_bin == share.end_bin) continue;
      const PlaneRing<1> ring = ring_of(thread);
      const std::int64_t end = begins_before(share.end_bin, args) + layout.order;
      for (std::int64_t plane = share.end_plane; plane < end; ++plane)
        put_row(ring.at_plane(plane), plane % layout.planes, row, true, args);
    }
  }

  int order_;
  std::int64_t nodes_;
  Parameters parameters_;
  HostSpace space_;
  Kernels<Storage> kernels_ = kernels<Storage>();
  Buffer<double, HostSpace> planes_;
  std::int64_t nodes_per_thread_ = 0;  ///< elements of a thread in planes_
  std::unique_ptr<planes::PlaneBins<Storage, HostSpace>> bins_;
  std::unique_ptr<Plan<pic::ChargeDeposit, P>> portable_;
  Storage charge_ = 0;
  bool add_ = false;
};

}  // namespace tessera::openmp::deposit_planes

#endif  // TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_PLAN_HPP
