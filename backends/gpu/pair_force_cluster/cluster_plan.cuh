#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_PLAN_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_PLAN_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_common/pair_plan.cuh"
#include "backends/gpu/pair_force_cluster/cluster_list.cuh"
#include "backends/gpu/pair_force_cluster/force.cuh"
#include "backends/gpu/pair_force_cluster/inner.cuh"
#include "backends/gpu/pair_force_cluster/launch_loop.cuh"
#include "backends/gpu/pair_force_cluster/parameters.hpp"
#include "core/execution/buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

/// \file
/// The plan of cuda.cluster.

namespace tessera::gpu::pair_force_cluster {

struct HalveTallies {
  md::Tally* tallies;

  TESSERA_FUNCTION void operator()(std::int64_t item) const {
    tallies[item].energy *= 0.5;
    for (double& component : tallies[item].virial)
      component *= 0.5;
  }
};

template <class P>
class ClusterPlan : public pair_common::PairPlan<P> {
 public:
  using Base = pair_common::PairPlan<P>;
  using Parameters = pair_force_cluster::Parameters;
  using typename Base::Args;
  using typename Base::Atom;
  using typename Base::Coordinates;
  using typename Base::Real;
  using typename Base::Storage;
  static constexpr PlanTraits<md::PairForce> traits{
      .determinism = Determinism::none,
      .description = "clusters of eight, half a list of them by super-clusters, forces by atomics"};

  ClusterPlan(const md::PairForceProblem& problem, const Context& context,
              const Parameters& parameters)
      : Base(TESSERA_PLUGIN_NAME, problem, context),
        parameters_(parameters),
        skin_over_cutoff_(parameters.usual_skin(row_.reads != 0)),
        concurrency_(context.device->properties().concurrency),
        list_(space_, problem.atoms, parameters, concurrency_),
        forces_(space_, 3 * list_.padded_atoms() + 1),
        inner_mark_(space_, 1),
        inner_atoms_(space_),
        inner_items_(space_),
        inner_entries_(space_) {
    this->set_first_skin(skin_over_cutoff_);
    this->require_places(list_.padded_atoms() + 1);
  }

  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    return Base::refuse(TESSERA_PLUGIN_NAME, problem);
  }

  void prepare(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    const auto [classes, box, bounds, layers] =
        this->take_input(args, [&](const md::CutoffClasses&) { return skin_over_cutoff_; });
    if (problem_.atoms == 0) return;
    list_.build(args, box, layers.widen(bounds), skin_budget_.list_radius(), classes);
    skin_budget_.set_images(list_.images(), {1, 1, 1});
    prepare_inner();
    this->require_tallies(list_.item_count());
  }

  [[nodiscard]] double neighbors_per_atom() const override {
    return problem_.atoms > 0
               ? 2 * static_cast<double>(list_.pairs()) / static_cast<double>(problem_.atoms)
               : 0;
  }

 private:
  using Base::fixed_point;
  using Base::packed_;
  using Base::problem_;
  using Base::row_;
  using Base::skin_budget_;
  using Base::space_;
  using Base::table_;
  using Base::tallies_;
  using Base::units_;
  using Base::values_;

  void execute_in(const md::Box& box, const Args& args) override {
    const std::int64_t n = problem_.atoms;
    const auto coordinates = this->coordinates_in(box);
    const auto tilted = this->template coordinates_in<InTiltedBox<Coordinates>>(box);
    const auto inner = watch(box);
    const bool compact = is_compact(coordinates, box);
    if (box.tilted())
      take(args, tilted, inner);
    else
      take(args, coordinates, inner);
    const bool tally = Base::wants_tally(args);
    const std::function<void()> prune = pruning(coordinates, tilted, compact, box.tilted());
    const ClusterLaunch<Coordinates, Storage> call{
        space_,
        {packed_.data(), values_.data(), list_.list(), inner_list(), list_.item_count(),
         coordinates, table_.numbers(), table_.samples(), problem_.types, forces_.data()},
        tilted,
        box.tilted(),
        table_.on_host(),
        table_.shared(),
        compact,
        static_cast<unsigned>(parameters_.block_size),
        tally ? tallies_.data() : nullptr,
        prune};
    LoopLauncher<Coordinates, Storage>(row_.template table<LoopTable>(), call).run();
    launch("give forces", give_forces<Atom, Real, Storage>, blocks_for(n, atoms_block), atoms_block,
           0, space_.stream())(n, list_.order(), forces_.data(),
                               static_cast<Storage>(units_.force()), args.forces,
                               args.write == md::Write::add, packed_.data(), inner);
    if (!tally) return;
    const std::int64_t with_ghosts = list_.first_item_with_ghosts();
    if (with_ghosts < list_.item_count())
      space_.for_each("halve pairs with ghosts", list_.item_count() - with_ghosts,
                      HalveTallies{tallies_.data() + with_ghosts});
    // Twice the unit, because each pair counts once here and StoreHalfTally halves.
    this->store_tallies(list_.item_count(), args, 2 * units_.energy);
  }

  /// Whether all atoms in the list of a super-cluster are within half a period of each of its
  /// atoms, so that positions relative to one of these determine the nearest image.
  [[nodiscard]] bool is_compact(const Coordinates& coordinates, const md::Box& box) const {
    if constexpr (fixed_point) {
      if (box.tilted()) return false;
      // Listed atoms were within the cutoff and the skin, and each of a pair may have moved by half
      // the skin since. 0.49 instead of 0.5 is a margin for rounding to float.
      for (int d = 0; d < 3; ++d)
        if (!(list_.super_extent(d) + this->reach() < 0.49 * coordinates.period(d))) return false;
      return true;
    }
    return false;
  }

  template <class AnyCoordinates>
  void take(const Args& args, const AnyCoordinates& coordinates,
            const InnerListCheck<Atom, Real>& inner) {
    launch("take atoms", take_atoms<AnyCoordinates, Storage>,
           blocks_for(list_.padded_atoms(), atoms_block), atoms_block, 0, space_.stream())(
        problem_.atoms, list_.padded_atoms(), args.positions,
        md::atom_columns(row_.reads, args).in_units(units_), list_.order(), list_.types(),
        coordinates, packed_.data(), values_.data(), forces_.data(), inner);
  }

  /// The function that rebuilds a stale inner list before a pair loop; empty where there is none.
  [[nodiscard]] std::function<void()> pruning(const Coordinates& coordinates,
                                              const InTiltedBox<Coordinates>& tilted, bool compact,
                                              bool is_tilted) {
    if (!has_inner_) return {};
    return [=, this] {
      if constexpr (fixed_point) {
        if (compact) return prune(RelativePositions<Coordinates>{coordinates});
      }
      if (is_tilted)
        prune(StoredPositions<InTiltedBox<Coordinates>>{tilted});
      else
        prune(StoredPositions<Coordinates>{coordinates});
    };
  }

  template <class Positions>
  void prune(const Positions& places) {
    const std::int64_t blocks =
        std::min<std::int64_t>(blocks_for(list_.item_count(), prune_block / gpu::warp_size),
                               std::max<std::int64_t>(concurrency_ / prune_block, 1));
    launch("prune entries", prune_entries<Positions, Real>, static_cast<unsigned>(blocks),
           prune_block, 0,
           space_.stream())(list_.list(), list_.item_count(), packed_.data(), places, inner_list());
  }

  [[nodiscard]] InnerList<Real> inner_list() {
    if (!has_inner_) return {};
    // Allowance for rounding to float.
    constexpr double wider = 1 + 1e-5;
    const double reach = (problem_.cutoff + inner_skin()) * wider / units_.length;
    return {inner_mark_.data(), inner_items_.data(), inner_entries_.data(),
            static_cast<Real>(reach * reach)};
  }

  [[nodiscard]] double inner_skin() const {
    return parameters_.inner_skin_over_cutoff * problem_.cutoff;
  }

  /// Smallest ratio of the skin to the inner skin for which an inner list saves more than it costs.
  static constexpr double least_share = 3;

  /// Allocates the inner list and marks it as stale, so that the first execute makes it.
  void prepare_inner() {
    has_inner_ = inner_skin() > 0 && least_share * inner_skin() < skin_budget_.skin();
    if (!has_inner_) return;
    inner_atoms_.require(list_.padded_atoms());
    inner_atoms_.zero(list_.padded_atoms());
    inner_items_.require(list_.item_count());
    inner_entries_.require(list_.item_count() * list_.list().item_capacity);
    space_.fill(inner_mark_.data(), 0, sizeof(InnerListState));
    space_.fill(&inner_mark_.data()->stale, 0xff, sizeof(InnerListState::stale));
  }

  [[nodiscard]] InnerListCheck<Atom, Real> watch(const md::Box& box) const {
    if (!has_inner_) return {};
    const double allowed = 0.5 * inner_skin() / units_.length;
    return {inner_mark_.data(), inner_atoms_.data(), BoxNumbers(box),
            static_cast<Real>(allowed * allowed)};
  }

  Parameters parameters_;
  double skin_over_cutoff_;
  std::int64_t concurrency_;  ///< number of threads that the device can run at once
  ClusterList<Storage> list_;
  Buffer<Real, Space> forces_;  ///< three components of each atom, in the order of clusters
  bool has_inner_ = false;
  Buffer<InnerListState, Space> inner_mark_;
  Buffer<Atom, Space> inner_atoms_;  ///< atoms at the last rebuild of the inner list
  Buffer<Item, Space> inner_items_;
  Buffer<Entry, Space> inner_entries_;
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_PLAN_CUH
