#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_CLUSTER_PLAN_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_CLUSTER_PLAN_CUH

#include "backends/cuda/execution/launch.hpp"
#include "backends/cuda/execution/space.hpp"
#include "backends/cuda/pair_force_cluster/cluster_list.cuh"
#include "backends/cuda/pair_force_cluster/force.cuh"
#include "backends/cuda/pair_force_cluster/inner.cuh"
#include "backends/cuda/pair_force_list/coordinates.cuh"
#include "backends/cuda/pair_force_patch/limits.hpp"
#include "core/execution/buffer.hpp"
#include "physics/md/neighbor/class_counter.hpp"
#include "physics/md/pair_force/pair_force_portable.hpp"
#include "physics/md/pair_force/skin_budget.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

/// \file
/// The plan of cuda.cluster.

namespace tessera::cuda::pair_force_cluster {

template <class P>
class ClusterPlan : public Plan<md::PairForce, P> {
 public:
  using Parameters = pair_force_cluster::Parameters;
  using Args = typename Plan<md::PairForce, P>::Args;
  using Storage = typename P::Storage;
  static constexpr bool fixed_point = !std::is_same_v<typename P::Compute, double>;
  using Coordinates = std::conditional_t<fixed_point, FixedPoint, DoublePosition>;
  using Atom = typename Coordinates::Atom;
  using Real = typename Coordinates::Real;
  static constexpr PlanTraits<md::PairForce> traits{
      .determinism = Determinism::none,
      .description = "clusters of eight, half a list of them by super-clusters, forces by atomics"};

  ClusterPlan(const md::PairForceProblem& problem, const Context& context,
              const Parameters& parameters)
      : problem_(problem),
        potential_(md::pair_potentials().find(problem.potential)),
        row_(md::pair_kernels().find(TESSERA_PLUGIN_NAME, P::value, potential_).value()),
        parameters_(parameters),
        skin_over_cutoff_(parameters.usual_skin(row_.reads != 0)),
        skin_budget_(problem, skin_over_cutoff_ * problem.cutoff),
        space_(space_of<Space>(context)),
        concurrency_(context.device->properties().concurrency),
        list_(space_, problem.atoms, parameters, concurrency_),
        packed_(space_, list_.padded_atoms() + 1),
        forces_(space_, 3 * list_.padded_atoms() + 1),
        classes_(space_),
        values_(space_),
        largest_charge_(space_),
        table_(space_),
        atom_bounds_(space_, 1),
        tally_(space_, 1),
        tallies_(space_),
        inner_mark_(space_, 1),
        inner_atoms_(space_),
        inner_items_(space_),
        inner_entries_(space_),
        workspace_(space_) {
    if (row_.reads != 0)
      values_.require((list_.padded_atoms() + 1) * md::potentials::atom_stride(row_.reads));
  }

  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    if (auto refusal = md::refuse_potential(TESSERA_PLUGIN_NAME, P::value, problem.potential))
      return refusal;
    if (auto refusal = md::refuse_small_box(problem)) return refusal;
    const pair_force_patch::Limits limits{fixed_point, problem.cutoff};
    if (auto refusal = limits.refuse_lengths(problem.cutoff, problem.shortest)) return refusal;
    return limits.refuse_box(md::reduced(problem.box, md::least_tilt(problem.box)));
  }

  void prepare(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    take_coefficients(args);
    const md::CutoffClasses classes = md::cutoff_classes(potential_, args.coefficients);
    skin_budget_.prefer_skin(skin_over_cutoff_ * classes_.take(classes, args.types));
    skin_budget_.prepare(args.box);
    const md::Box box = skin_budget_.reduced();
    require_box(box);
    const md::AtomBounds atom_bounds =
        md::find_atom_bounds(space_, args.positions, box, atom_bounds_, workspace_);
    limits().require_spread(atom_bounds);
    for (int d = 0; d < 3; ++d)
      lower_[d] = atom_bounds.low[d];
    if (problem_.atoms == 0) return;
    list_.build(args, box, atom_bounds, skin_budget_.list_radius(), classes);
    skin_budget_.set_images(list_.images(), {1, 1, 1});
    prepare_inner();
    tallies_.require(list_.item_count());
    workspace_.require(Space::template reduce_bytes<md::Tally>(list_.item_count()));
  }

  void execute(const Args& args) override {
    skin_budget_.require(args.box);
    const md::Box box = skin_budget_.reduced(args.box);
    require_box(box);
    if (problem_.atoms == 0)
      store_totals(args);
    else
      execute_in(box, args);
  }

  [[nodiscard]] double allowed_displacement() const override {
    return skin_budget_.allowed_displacement();
  }
  [[nodiscard]] double allowed_displacement(const md::Box& box) const override {
    const double allowed = skin_budget_.allowed_displacement(box);
    if (allowed >= 0 && limits().refuse_box(skin_budget_.reduced(box))) return -allowed - 1;
    return allowed;
  }
  [[nodiscard]] double neighbors_per_atom() const override {
    return problem_.atoms > 0
               ? 2 * static_cast<double>(list_.pairs()) / static_cast<double>(problem_.atoms)
               : 0;
  }

 private:
  [[nodiscard]] pair_force_patch::Limits limits() const { return {fixed_point, problem_.cutoff}; }
  void require_box(const md::Box& box) const {
    if (const auto reason = limits().refuse_box(box))
      throw md::BoxError("", "md/pair_force=" TESSERA_PLUGIN_NAME ": " + *reason);
  }

  void take_coefficients(const Args& args) {
    shortest_ = md::shortest_length(potential_, args.coefficients);
    if (const auto reason =
            limits().refuse_lengths(md::largest_cutoff(potential_, args.coefficients), shortest_))
      throw RefusalError("md/pair_force=" TESSERA_PLUGIN_NAME, *reason);
    double charge = 0;
    if (std::is_same_v<Real, float> && row_.reads != 0) {
      workspace_.require(Space::template reduce_bytes<double>(problem_.atoms));
      charge = md::largest_charge(space_, args, potential_, largest_charge_, workspace_.get());
    }
    const md::PackedPairs packed =
        md::packed_pairs(P::value, potential_, args.coefficients, charge);
    units_ = packed.units;
    table_.set(packed, potential_.table_width());
  }

  void execute_in(const md::Box& box, const Args& args) {
    const std::int64_t n = problem_.atoms;
    const CurrentDevice current(space_.ordinal());
    const double reach = problem_.cutoff + 2 * skin_budget_.skin();
    const Coordinates coordinates(box, lower_, reach, shortest_, units_.length);
    const InTiltedBox<Coordinates> tilted(box, lower_, reach, shortest_, units_.length);
    const auto inner = watch(box);
    const bool compact = is_compact(coordinates, box);
    if (box.tilted())
      take(args, tilted, inner);
    else
      take(args, coordinates, inner);
    const bool tally = args.energy.given() || args.virial.given();
    const std::function<void()> prune = pruning(coordinates, tilted, compact, box.tilted());
    ClusterLaunch<Coordinates, Storage> call{
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
        row_.opaque,
        prune};
    row_.template as<PairKernelFunction<Coordinates, Storage>*>()(call);
    launch("give forces", give_forces<Atom, Real, Storage>, blocks_for(n, atoms_block), atoms_block,
           0, space_.stream())(n, list_.order(), forces_.data(),
                               static_cast<Storage>(units_.force()), args.forces,
                               args.write == md::Write::add, packed_.data(), inner);
    // Twice the unit, because each pair counts once here and StoreHalfTally halves.
    if (tally)
      space_.reduce("pair energy", list_.item_count(), md::Tally{}, md::AddTally{tallies_.data()},
                    md::JoinTallies{}, tally_.data(), workspace_.get(),
                    md::StoreHalfTally{tally_.data(), args.energy, args.virial, 2 * units_.energy,
                                       2 * units_.energy});
  }

  /// Whether all atoms in the list of a super-cluster are within half a period of each of its
  /// atoms, so that positions relative to one of these determine the nearest image.
  [[nodiscard]] bool is_compact(const Coordinates& coordinates, const md::Box& box) const {
    if constexpr (fixed_point) {
      if (box.tilted()) return false;
      // Listed atoms were within the cutoff and the skin, and each of a pair may have moved by half
      // the skin since. 0.49 instead of 0.5 is a margin for rounding to float.
      const double reach = problem_.cutoff + 2 * skin_budget_.skin();
      for (int d = 0; d < 3; ++d)
        if (!(list_.super_extent(d) + reach < 0.49 * coordinates.period(d))) return false;
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
    return [this, coordinates, tilted, compact, is_tilted] {
      if constexpr (std::is_same_v<Coordinates, pair_force_list::FixedPoint>) {
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

  void store_totals(const Args& args) {
    if (!args.energy.given() && !args.virial.given()) return;
    space_.fill(tally_.data(), 0, sizeof(md::Tally));
    space_.for_each("pair energy store", 1,
                    md::StoreHalfTally{tally_.data(), args.energy, args.virial, 1, 1});
  }

  md::PairForceProblem problem_;
  md::PairPotential potential_;
  md::PairKernel row_;
  Parameters parameters_;
  double skin_over_cutoff_;
  md::SkinBudget skin_budget_;
  Space space_;
  std::int64_t concurrency_;  ///< number of threads that the device can run at once
  ClusterList<Storage> list_;
  Buffer<Atom, Space> packed_;
  Buffer<Real, Space> forces_;  ///< three components of each atom, in the order of clusters
  md::ClassCounter<Space> classes_;
  Buffer<Real, Space> values_;
  Buffer<double, Space> largest_charge_;
  pair_force_list::NumberTable<Real> table_;
  Buffer<md::AtomBounds, Space> atom_bounds_;
  Buffer<md::Tally, Space> tally_;
  Buffer<md::Tally, Space> tallies_;  ///< one per item
  bool has_inner_ = false;
  Buffer<InnerListState, Space> inner_mark_;
  Buffer<Atom, Space> inner_atoms_;  ///< atoms at the last rebuild of the inner list
  Buffer<Item, Space> inner_items_;
  Buffer<Entry, Space> inner_entries_;
  WorkspaceBuffer<Space> workspace_;
  md::PairUnits units_;
  double shortest_ = 0;  ///< shortest length of the coefficients (md::shortest_length)
  double lower_[3] = {};
};

}  // namespace tessera::cuda::pair_force_cluster

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_CLUSTER_PLAN_CUH
