#ifndef TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/team_size.hpp"
#include "physics/pic/charge_deposit/cell_charge.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/charge_deposit/fixed_point_deposit.hpp"
#include "physics/pic/particle_shape.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <tuple>

/// \file
/// Portable body of pic/charge_deposit. On coalesced spaces (a GPU) one thread per particle uses
/// atomic additions. On a host each thread deposits a range of particles on its own grid, and the
/// grids are added in order: no atomics, and the same bits in every run. For Determinism::any_order
/// see fixed_point_deposit.hpp.

namespace tessera::pic {

template <class Storage>
struct ZeroDensity {
  View<Storage, 3> density;
  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    density(i, j, k) = 0;
  }
};

struct ZeroOutside {
  std::int64_t* outside;
  TESSERA_FUNCTION void operator()(std::int64_t) const { *outside = 0; }
};

/// Deposits one particle; `add(address, share)` adds a share to a node.
template <class Storage, int Order>
struct DepositParticle {
  ChargeDepositArgs<Storage> args;
  GridAxes axes;
  Storage charge;  ///< charge of a particle of weight 1 per volume of a cell

  /// \returns false for a particle that is off the grid and not lost.
  template <class Add>
  TESSERA_INLINE bool operator()(std::int64_t p, const View<Storage, 3>& density,
                                 const Add& add) const {
    if (args.alive.given() && args.alive(p) == 0) return true;
    std::int32_t low[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    if (!locate_particle(axes, args.positions, p, low, fraction)) return false;
    const Storage q = args.weights.given() ? charge * args.weights(p) : charge;
    SharedParticle<Order, Storage>(low, fraction).deposit(axes, density, q, add);
    return true;
  }
};

template <class Storage, class Space>
struct AtomicAdd {
  TESSERA_INLINE void operator()(Storage* node, Storage value) const {
    Space::atomic_add(node, value);
  }
};

template <class Storage>
struct PlainAdd {
  TESSERA_INLINE void operator()(Storage* node, Storage value) const { *node += value; }
};

/// Deposit with one thread per particle.
template <class Storage, class Space, int Order>
struct DepositAtomically {
  DepositParticle<Storage, Order> particle;
  TESSERA_FUNCTION void operator()(std::int64_t p) const {
    if (!particle(p, particle.args.density, AtomicAdd<Storage, Space>{}))
      Space::atomic_add(particle.args.outside.data, std::int64_t{1});
  }
};

/// Deposit with one thread per range of particles: the first range adds directly to the density,
/// each other range to its own grid.
template <class Storage, class Space, int Order>
struct DepositRun {
  DepositParticle<Storage, Order> particle;
  std::int64_t particles;
  std::int64_t runs;
  std::int64_t nodes;
  Storage* grids;

  void operator()(std::int64_t run) const {
    const auto& density = particle.args.density;
    View<Storage, 3> target = density;
    if (run > 0) {
      Storage* const grid = grids + (run - 1) * nodes;
      std::fill(grid, grid + nodes, Storage{0});
      target = {grid, {density.extents[0], density.extents[1], density.extents[2]}};
    }
    std::int64_t outside = 0;
    const std::int64_t end = particles * (run + 1) / runs;
    for (std::int64_t p = particles * run / runs; p < end; ++p)
      if (!particle(p, target, PlainAdd<Storage>{})) ++outside;
    if (outside > 0) Space::atomic_add(particle.args.outside.data, outside);
  }
};

/// Adds the grids of the ranges to the density, in order.
template <class Storage>
struct JoinGrids {
  View<Storage, 3> density;
  const Storage* grids;
  std::int64_t count;
  std::int64_t nodes;

  void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const Storage* at = grids + (i * density.extents[1] + j) * density.extents[2] + k;
    Storage sum = density(i, j, k);
    for (std::int64_t g = 0; g < count; ++g)
      sum += at[g * nodes];
    density(i, j, k) = sum;
  }
};

/// Tuning parameter on a host: number of separate grids.
struct DepositGrids {
  /// Largest number of threads with separate grids; 0: all threads.
  int grids = 0;

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{"grids", &DepositGrids::grids, std::array{0, 1, 2, 4, 8, 16}}},
        ParameterRules<DepositGrids>{.refusal = &DepositGrids::refusal}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (grids >= 0) return {};
    return "0 grids (all that there are threads for) or more";
  }
};

/// Tuning parameter on a GPU, where all particles add to one grid.
struct DepositTeams {
  int team_size = 0;  ///< particles per block; 0: default of the backend

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{"team_size", &DepositTeams::team_size, team_sizes_to_try}},
        ParameterRules<DepositTeams>{.refusal = &DepositTeams::refusal}};
  }
  [[nodiscard]] Refusal refusal() const { return refuse_team_size(team_size); }
};

template <ExecutionSpace Space>
using ChargeDepositParameters = std::conditional_t<Space::coalesced, DepositTeams, DepositGrids>;

template <class P, ExecutionSpace Space>
class ChargeDepositPortable : public Plan<ChargeDeposit, P> {
 public:
  using Parameters = ChargeDepositParameters<Space>;
  using Args = typename Plan<ChargeDeposit, P>::Args;
  using Storage = typename P::Storage;
  static constexpr PlanTraits<ChargeDeposit> traits{
      .determinism = Space::coalesced ? Determinism::none : Determinism::run_to_run,
      .determinism_on_request = Determinism::any_order,
      .features = {.shape_orders = most_shape_order, .passes_over_lost = true}};

  ChargeDepositPortable(const ChargeDepositProblem& problem, const Context& context,
                        const Parameters& parameters)
      : nodes_(problem.nodes[0] * problem.nodes[1] * problem.nodes[2]),
        shape_order_(problem.shape_order),
        space_(space_of<Space>(context)),
        grids_(space_) {
    if (problem.determinism > traits.determinism) {
      fixed_point_ = std::make_unique<FixedPointDeposit<Storage, Space>>(problem, space_);
      return;
    }
    if constexpr (!Space::coalesced) {
      // For fewer particles than one per this number of nodes, separate grids cost more than they
      // save.
      constexpr std::int64_t nodes_per_particle = 4;
      runs_ = context.device->properties().concurrency;
      if (parameters.grids > 0) runs_ = std::min<std::int64_t>(runs_, parameters.grids);
      if (problem.particles < nodes_ / nodes_per_particle) runs_ = 1;
      grids_.require((runs_ - 1) * nodes_);
    }
    if constexpr (Space::coalesced) team_size_ = parameters.team_size;
  }

  static Refusal can_run(const ChargeDepositProblem&, const Context&, const Parameters&) {
    return {};
  }

  void execute(const Args& args) override {
    const Grid& grid = args.grid;
    space_.for_each("deposit zero", std::int64_t{1}, ZeroOutside{args.outside.data});
    if (fixed_point_ != nullptr) return (*fixed_point_)(args);
    if (args.mode == DepositMode::overwrite)
      space_.for_each("deposit zero", Extents3{grid.nodes[0], grid.nodes[1], grid.nodes[2]},
                      ZeroDensity<Storage>{args.density});
    with_shape_order(shape_order_, [&]<int Order>() { deposit<Order>(args); });
  }

 private:
  template <int Order>
  void deposit(const Args& args) {
    const Grid& grid = args.grid;
    const DepositParticle<Storage, Order> particle{args, grid_axes(grid, Order), cell_charge(args)};
    const std::int64_t particles = args.positions.extent(0);
    if constexpr (Space::coalesced) {
      space_.for_each("deposit", particles, DepositAtomically<Storage, Space, Order>{particle},
                      team_size_);
    } else {
      space_.for_each(
          "deposit", runs_,
          DepositRun<Storage, Space, Order>{particle, particles, runs_, nodes_, grids_.data()});
      if (runs_ > 1)
        space_.for_each("deposit join", Extents3{grid.nodes[0], grid.nodes[1], grid.nodes[2]},
                        JoinGrids<Storage>{args.density, grids_.data(), runs_ - 1, nodes_});
    }
  }

  std::int64_t nodes_;
  int shape_order_;
  Space space_;
  Buffer<Storage, Space> grids_;
  std::unique_ptr<FixedPointDeposit<Storage, Space>> fixed_point_;  ///< for Determinism::any_order
  std::int64_t runs_ = 1;
  int team_size_ = 0;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_PORTABLE_HPP
