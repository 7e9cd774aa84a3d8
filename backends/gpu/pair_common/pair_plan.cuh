#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_PLAN_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_PLAN_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_common/coordinates_of_box.hpp"
#include "backends/gpu/pair_common/limits.hpp"
#include "backends/gpu/pair_common/number_table.cuh"
#include "backends/gpu/pair_common/pack_atoms.cuh"
#include "core/execution/buffer.hpp"
#include "physics/md/neighbor/atom_layers.hpp"
#include "physics/md/neighbor/class_counter.hpp"
#include "physics/md/pair_force/atom_data.hpp"
#include "physics/md/pair_force/largest_charge.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_force/skin_budget.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/tally.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

/// \file
/// The part of a plan of md/pair_force that cuda.list, cuda.cluster and cuda.patch share: the way
/// from coefficients and box to the table, the units, the skin and the coordinates of a pair loop.

namespace tessera::gpu::pair_common {

/// Stores the first rows of an array in another one.
template <class Storage>
struct GiveRows {
  View<Storage, 2> from;
  View<Storage, 2> to;
  bool add;

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    for (int d = 0; d < 3; ++d)
      to(i, d) = add ? to(i, d) + from(i, d) : from(i, d);
  }
};

template <class P>
class PairPlan : public Plan<md::PairForce, P> {
 public:
  using Args = typename Plan<md::PairForce, P>::Args;
  using Storage = typename P::Storage;
  static constexpr bool fixed_point = !std::is_same_v<typename P::Compute, double>;
  using Coordinates = std::conditional_t<fixed_point, FixedPoint, DoublePosition>;
  using Atom = typename Coordinates::Atom;
  using Real = typename Coordinates::Real;

  void execute(const Args& args) override {
    skin_budget_.require(args.box);
    const md::Box box = skin_budget_.reduced(args.box);
    limits().require_box(box);
    if (problem_.atoms == 0) {
      store_no_pairs(args);
      return;
    }
    const CurrentDevice current(space_.ordinal());
    if (!has_ghosts_) {
      execute_in(box, args);
      return;
    }
    // Pair loops write a row for each atom.
    Args all = args;
    all.write = md::Write::overwrite;
    all.forces = rows_of(all_forces_);
    if (args.torques.given()) all.torques = rows_of(all_torques_);
    execute_in(box, all);
    give_rows(all.forces, args.forces, args.write);
    if (args.torques.given()) give_rows(all.torques, args.torques, args.write);
  }

  [[nodiscard]] double allowed_displacement() const override {
    return skin_budget_.allowed_displacement();
  }
  [[nodiscard]] double allowed_displacement(const md::Box& box) const override {
    const double allowed = skin_budget_.allowed_displacement(box);
    if (allowed >= 0 && limits().refuse_box(skin_budget_.reduced(box))) return -allowed - 1;
    return allowed;
  }

 protected:
  /// \param name of the implementation.
  PairPlan(const char* name, const md::PairForceProblem& problem, const Context& context)
      : name_(name),
        problem_(problem),
        potential_(md::pair_potentials().find(problem.potential)),
        row_(md::pair_kernels().find(name, P::value, potential_).value()),
        space_(space_of<Space>(context)),
        skin_budget_(problem, 0),
        packed_(space_),
        values_(space_),
        table_(space_),
        tally_(space_, md::CutoffClasses::most),
        tallies_(space_),
        workspace_(space_, Space::template reduce_bytes<double>(problem.atoms)),
        classes_(space_),
        all_forces_(space_),
        all_torques_(space_),
        largest_charge_(space_),
        atom_bounds_(space_, 1) {}

  /// Reason why the implementation `name` cannot solve a problem.
  [[nodiscard]] static Refusal refuse(const char* name, const md::PairForceProblem& problem) {
    if (auto refusal = md::refuse_potential(name, P::value, problem.potential)) return refusal;
    if (auto refusal = md::refuse_small_box(problem)) return refusal;
    const Limits limits{name, fixed_point, problem.cutoff};
    if (auto refusal = limits.refuse_lengths(problem.cutoff, problem.shortest)) return refusal;
    return limits.refuse_box(md::reduced(problem.box, md::least_tilt(problem.box)));
  }

  /// Sets the skin that the plan has before it prepares.
  void set_first_skin(double skin_over_cutoff) {
    skin_budget_ = md::SkinBudget(problem_, skin_over_cutoff * problem_.cutoff);
  }
  /// Allocates the packed atoms and the values that the potential reads of them.
  /// \param places number of packed atoms, with padding.
  void require_places(std::int64_t places) {
    packed_.require(places);
    if (row_.reads != 0) values_.require(places * md::potentials::atom_stride(row_.reads));
  }

  /// The input of a search for neighbors.
  struct SearchInput {
    md::CutoffClasses classes;
    md::Box box;            ///< with reduced tilts
    md::AtomBounds bounds;  ///< of the atoms
    md::AtomLayers layers;  ///< layers between the outermost atoms
  };
  /// First part of prepare(): takes the coefficients and the box.
  /// \param skin_over_cutoff called with the cutoffs of the types.
  template <class SkinOverCutoff>
  [[nodiscard]] SearchInput take_input(const Args& args, const SkinOverCutoff& skin_over_cutoff) {
    take_coefficients(args);
    md::CutoffClasses classes = md::cutoff_classes(potential_, args.coefficients);
    skin_budget_.prefer_skin(skin_over_cutoff(std::as_const(classes)) *
                             classes_.take(classes, args.types));
    skin_budget_.prepare(args.box);
    const md::Box box = skin_budget_.reduced();
    limits().require_box(box);
    const md::AtomBounds bounds =
        md::find_atom_bounds(space_, args.positions, box, atom_bounds_, workspace_);
    md::AtomBounds of_whole = bounds;
    for (int d = 0; d < 3; ++d)
      of_whole.low[d] = std::min(bounds.low[d], args.lowest[d]);
    limits().require_spread(of_whole);
    set_origin(md::AtomLayers(of_whole, box, problem_.cutoff).widen(of_whole));
    has_ghosts_ = args.targets() < problem_.atoms;
    if (has_ghosts_) {
      all_forces_.require(3 * problem_.atoms);
      if (potential_.writes(md::AtomSum::torque)) all_torques_.require(3 * problem_.atoms);
    }
    return {std::move(classes), box, bounds, md::AtomLayers(bounds, box, problem_.cutoff)};
  }

  /// Sets the origin of coordinates in directions that are not periodic.
  void set_origin(const md::AtomBounds& bounds) { std::copy_n(bounds.low, 3, lower_); }

  [[nodiscard]] Limits limits() const { return {name_, fixed_point, problem_.cutoff}; }
  /// Whether some atoms of the last prepare() are no targets. Lists of ghosts must then be empty.
  [[nodiscard]] bool has_ghosts() const { return has_ghosts_; }
  [[nodiscard]] bool any_order() const { return problem_.determinism == Determinism::any_order; }
  [[nodiscard]] static bool wants_tally(const Args& args) {
    return args.energy.given() || args.virial.given();
  }
  /// Upper bound of the separations of listed pairs, as their atoms may have moved.
  [[nodiscard]] double reach() const { return problem_.cutoff + 2 * skin_budget_.skin(); }
  /// \param box with reduced tilts.
  template <class AnyCoordinates = Coordinates>
  [[nodiscard]] AnyCoordinates coordinates_in(const md::Box& box) const {
    return {box, lower_, reach(), shortest_, units_.length};
  }

  /// Packs the present positions of the atoms in the given order.
  void pack(const md::Box& box, const Args& args, const std::int32_t* order) {
    if (box.tilted())
      pack_in(coordinates_in<InTiltedBox<Coordinates>>(box), args, order);
    else
      pack_in(coordinates_in(box), args, order);
  }
  /// \param columns in the units of the caller.
  void pack_values(const md::AtomColumns<Storage>& columns, const std::int32_t* order) {
    if (columns.count == 0) return;
    space_.for_each(
        "pack atom data", problem_.atoms,
        md::PackAtomData<Storage, Real>{columns.in_units(units_), order, values_.data()});
  }

  /// The last step of a call: stores half of the sums.
  /// \param unit of the sums in the caller's unit.
  [[nodiscard]] md::StoreHalfTally store_half(const Args& args, double unit) const {
    return {tally_.data(), args.energy, args.virial, unit, unit};
  }
  /// Sums the tallies of `count` parts of the pairs and stores half of them.
  void store_tallies(std::int64_t count, const Args& args, double unit) {
    space_.reduce("pair energy", count, md::Tally{}, md::AddTally{tallies_.data()},
                  md::JoinTallies{}, tally_.data(), workspace_.get(), store_half(args, unit));
  }
  /// Allocates the tallies of `count` parts of the pairs.
  void require_tallies(std::int64_t count) {
    tallies_.require(count);
    workspace_.require(Space::template reduce_bytes<md::Tally>(count));
  }

 private:
  /// \param box with reduced tilts.
  virtual void execute_in(const md::Box& box, const Args& args) = 0;

  void take_coefficients(const Args& args) {
    shortest_ = md::shortest_length(potential_, args.coefficients);
    limits().require_lengths(md::largest_cutoff(potential_, args.coefficients), shortest_);
    charge_ = 0;
    if (std::is_same_v<Real, float> || any_order())
      charge_ = md::largest_charge(space_, args, potential_, largest_charge_, workspace_.get());
    const md::PackedPairs packed =
        md::packed_pairs(P::value, potential_, args.coefficients, charge_);
    units_ = packed.units;
    table_.set(packed, potential_.table_width());
  }

  template <class AnyCoordinates>
  void pack_in(const AnyCoordinates& coordinates, const Args& args, const std::int32_t* order) {
    launch("pack atoms", pack_atoms<AnyCoordinates, Storage>,
           blocks_for(problem_.atoms, pack_block), pack_block, 0, space_.stream())(
        problem_.atoms, args.positions, args.types, order, coordinates, packed_.data());
  }

  void store_no_pairs(const Args& args) {
    if (!wants_tally(args)) return;
    space_.fill(tally_.data(), 0, sizeof(md::Tally));
    space_.for_each("pair energy store", 1, store_half(args, 1));
  }

  [[nodiscard]] View<Storage, 2> rows_of(const Buffer<Storage, Space>& buffer) const {
    return {buffer.data(), {problem_.atoms, 3}};
  }
  /// Stores the rows of the targets.
  void give_rows(const View<Storage, 2>& all, const View<Storage, 2>& targets, md::Write write) {
    space_.for_each("give rows", targets.extent(0),
                    GiveRows<Storage>{all, targets, write == md::Write::add});
  }

  const char* name_;

 protected:
  md::PairForceProblem problem_;
  md::PairPotential potential_;
  md::PairKernel row_;
  Space space_;
  md::SkinBudget skin_budget_;
  Buffer<Atom, Space> packed_;
  Buffer<Real, Space> values_;
  NumberTable<Real> table_;
  Buffer<md::Tally, Space> tally_;
  Buffer<md::Tally, Space> tallies_;  ///< one for each part of the pairs
  WorkspaceBuffer<Space> workspace_;
  md::ClassCounter<Space> classes_;
  md::PairUnits units_;
  double charge_ = 0;  ///< largest magnitude of a charge; 0 where no kernel needs it

 private:
  bool has_ghosts_ = false;
  Buffer<Storage, Space> all_forces_;  ///< with ghosts: a row for each atom
  Buffer<Storage, Space> all_torques_;
  Buffer<double, Space> largest_charge_;
  Buffer<md::AtomBounds, Space> atom_bounds_;
  double shortest_ = 0;  ///< shortest length of the coefficients (md::shortest_length)
  /// Origin of coordinates in directions that are not periodic.
  double lower_[3] = {};
};

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_PLAN_CUH
