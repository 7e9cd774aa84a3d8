#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_PORTABLE_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/team_size.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/neighbor/exclusion_filter.hpp"
#include "physics/md/neighbor/neighbor_list.hpp"
#include "physics/md/pair_force/atom_data.hpp"
#include "physics/md/pair_force/fixed_point_pairs.hpp"
#include "physics/md/pair_force/largest_charge.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_force/skin_budget.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/tally.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

/// \file
/// The portable body of md/pair_force: a full neighbor matrix in cell order, one work item per
/// target, no atomics. Separations are computed in double from the caller's coordinates; in mixed
/// and single precision they are converted to float after that.
///
/// The plan does not depend on a pair potential: its pair kernel (pair_force_kernel.hpp) is
/// compiled separately for each.

namespace tessera::md {

template <ExecutionSpace Space>
struct PairForceParameters {
  double skin_over_cutoff = 0.16;  ///< skin over cutoff, unless the problem requests a skin
  int team_size = 0;  ///< atoms per GPU block in the pair loop; 0: the backend's default

  static constexpr auto tuning_parameters() {
    const std::tuple everywhere{
        TuningParameter{"skin_over_cutoff", &PairForceParameters::skin_over_cutoff,
                        std::array{0.06, 0.08, 0.1, 0.12, 0.16, 0.2, 0.24}}};
    constexpr ParameterRules<PairForceParameters> rules{.refusal = &PairForceParameters::refusal};
    if constexpr (Space::coalesced)
      return TuningParameters{
          std::tuple_cat(everywhere,
                         std::tuple{TuningParameter{"team_size", &PairForceParameters::team_size,
                                                    team_sizes_to_try}}),
          rules};
    else
      return TuningParameters{everywhere, rules};
  }
  [[nodiscard]] Refusal refusal() const {
    if (!(skin_over_cutoff >= 0)) return "a skin_over_cutoff of 0 or more";
    return refuse_team_size(team_size);
  }
};

/// Inputs and outputs of a pair loop over a block of atoms; kernels capture it by value.
template <class P, bool Coalesced>
struct PairLoop {
  using Storage = typename P::Storage;
  using Real = typename P::Compute;

  const PackedAtom<Storage>* own;  ///< targets of the block
  const PackedAtom<Storage>* atoms;
  const Real* own_values;
  /// Values that the potential reads of the atoms (PackAtomData), in cell order; null: none.
  const Real* values;
  const std::int32_t* order;  ///< rows of the block's atoms in the caller's arrays
  NeighborRows<Coalesced> rows;
  MinimumImage image;
  const Real* table;    ///< types x types x width
  const Real* samples;  ///< of potentials that read tabulated samples
  int types;
  int width;
  Real outside;  ///< squared distance at which pairs beyond the cutoff are evaluated, before their
                 ///< force is multiplied by 0
  Storage force_unit;  ///< force unit of the pair terms in the caller's units; atoms and image are
                       ///< in the length unit of the pair terms
  View<Storage, 2> forces;
  View<Storage, 2> torques;  ///< only of potentials that write torques
  Storage torque_unit;       ///< in the caller's units
  bool add;
  PairRange range;  ///< read only if sums are in fixed point
};

/// One call of a pair loop.
template <class P, ExecutionSpace Space>
struct PairLaunch {
  Space space;
  PairLoop<P, Space::coalesced> loop;  ///< as for a block of all atoms
  NeighborMatrix<Space::coalesced> matrix;
  const typename P::Compute* host_table;
  const PairPotential* potential;
  int value_stride;  ///< number of values for each atom
  int team_size;
  Tally* tally;  ///< not null: receives energy and virial, one tally per block
  Workspace workspace;
  StoreAtomTallies by_atom;   ///< if given, the tally is given too
  FixedTally* fixed_tallies;  ///< not null: sums are in fixed point; scratch, one per block

  [[nodiscard]] PairLoop<P, Space::coalesced> loop_over(int block) const {
    const std::int64_t first = matrix.blocks[block].first;
    PairLoop<P, Space::coalesced> part = loop;
    part.own += first;
    if (loop.own_values != nullptr) part.own_values += first * value_stride;
    part.order += first;
    part.rows = matrix.rows(block);
    return part;
  }
};

/// Pair kernel of the portable body.
template <class P, ExecutionSpace Space>
using PairRow = void(PairLaunch<P, Space>&);

template <class P, ExecutionSpace Space>
class PairForcePortable : public Plan<PairForce, P> {
 public:
  using Parameters = PairForceParameters<Space>;
  using Args = typename Plan<PairForce, P>::Args;
  using Storage = typename P::Storage;
  using Real = typename P::Compute;
  static constexpr PlanTraits<PairForce> traits{.determinism = Determinism::run_to_run,
                                                .determinism_on_request = Determinism::any_order,
                                                .features = {.by_atom = true}};
  static constexpr int lanes = Space::coalesced ? 1 : 8;

  [[nodiscard]] static std::string name() { return std::string(Space::backend) + ".portable"; }

  PairForcePortable(const PairForceProblem& problem, const Context& context,
                    const Parameters& parameters)
      : problem_(problem),
        potential_(pair_potentials().find(problem.potential)),
        row_(pair_kernels().find(name(), P::value, potential_).value()),
        skin_budget_(problem, parameters.skin_over_cutoff * problem.cutoff),
        skin_over_cutoff_(parameters.skin_over_cutoff),
        team_size_(parameters.team_size),
        space_(space_of<Space>(context)),
        census_(space_),
        list_(space_),
        excluded_(space_),
        values_(space_),
        target_values_(space_),
        largest_charge_(space_),
        table_(space_),
        tally_(space_, CutoffClasses::most),
        fixed_tally_(space_),
        workspace_(space_) {
    workspace_.require(Space::template reduce_bytes<Tally>(problem.atoms));
    if (any_order()) {
      fixed_tally_.require(CutoffClasses::most);
      workspace_.require(Space::template reduce_bytes<FixedTally>(problem.atoms));
    }
    if (row_.reads != 0) values_.require((problem.atoms + 1) * potentials::atom_stride(row_.reads));
  }

  static Refusal can_run(const PairForceProblem& problem, const Context&, const Parameters&) {
    if (auto refusal = refuse_potential(name(), P::value, problem.potential)) return refusal;
    return refuse_small_box(problem);
  }

  void prepare(const Args& args) override {
    double charge = 0;
    if (std::is_same_v<Real, float> || any_order())
      charge = largest_charge(space_, args, potential_, largest_charge_, workspace_.get());
    const PackedPairs packed = packed_pairs(P::value, potential_, args.coefficients, charge);
    units_ = packed.units;
    if (any_order()) range_ = pair_range(potential_, args.coefficients, charge, units_);
    host_table_.assign(packed.table.begin(), packed.table.end());
    outside_ = 0;
    for (std::size_t k = 0; k < host_table_.size();
         k += static_cast<std::size_t>(potential_.table_width()))
      outside_ = std::max(outside_, host_table_[k]);
    if (outside_ == 0) outside_ = 1;
    first_sample_ = std::ssize(host_table_);
    host_table_.insert(host_table_.end(), packed.samples.begin(), packed.samples.end());
    table_.upload(host_table_.data(), static_cast<std::int64_t>(host_table_.size()));
    const CutoffClasses classes = cutoff_classes(potential_, args.coefficients);
    skin_budget_.prefer_skin(skin_over_cutoff_ * census_.take(classes, args.types, args.targets()));
    skin_budget_.prepare(args.box);
    list_.build(args.positions, args.types, args.targets(), skin_budget_.reduced(), classes,
                census_, skin_budget_.skin());
    if (list_.targets().has_ghosts() && row_.reads != 0)
      target_values_.require((args.targets() + 1) * potentials::atom_stride(row_.reads));
    skin_budget_.set_images(list_.images(), {1, 1, 1});
    excluded_.apply(args, skin_budget_.reduced(), list_.cells(), list_.target_places(),
                    list_.matrix(), lanes, list_.coincident());
  }

  void execute(const Args& args) override {
    skin_budget_.require(args.box);
    list_.pack(args.positions, args.types, 1 / units_.length);
    // The kernel that selects at run time may read more than the selected potential.
    const unsigned reads = potential_.reads() == 0 ? 0 : row_.reads;
    const Real* values = nullptr;
    const Real* target_values = nullptr;
    if (reads != 0) {
      const AtomColumns<Storage> columns = atom_columns(reads, args).in_units(units_);
      space_.for_each("pack atom data", problem_.atoms,
                      PackAtomData<Storage, Real>{columns, list_.order(), values_.data()});
      values = target_values = values_.data();
      if (list_.targets().has_ghosts()) {
        space_.for_each(
            "pack data of targets", list_.target_places().count,
            PackAtomData<Storage, Real>{columns, list_.targets().order(), target_values_.data()});
        target_values = target_values_.data();
      }
    }
    const StoreAtomTallies atoms{args.energies, args.virials, units_.energy};
    const bool tally = args.energy.given() || args.virial.given() || atoms.given();
    const NeighborMatrix<Space::coalesced> matrix = list_.matrix();
    PairLaunch<P, Space> launch{space_,
                                {list_.target_atoms(),
                                 list_.atoms(),
                                 target_values,
                                 values,
                                 list_.targets().order(),
                                 {},
                                 MinimumImage(in_unit(args.box, units_.length)),
                                 table_.data(),
                                 table_.data() + first_sample_,
                                 problem_.types,
                                 potential_.table_width(),
                                 outside_,
                                 static_cast<Storage>(units_.force()),
                                 args.forces,
                                 args.torques,
                                 static_cast<Storage>(units_.energy),
                                 args.write == Write::add,
                                 range_},
                                matrix,
                                host_table_.data(),
                                &potential_,
                                potentials::atom_stride(reads),
                                team_size_,
                                tally ? tally_.data() : nullptr,
                                workspace_.get(),
                                atoms,
                                any_order() ? fixed_tally_.data() : nullptr};
    row_.template as<PairRow<P, Space>*>()(launch);
    if (tally && matrix.block_count > 1)
      space_.for_each("pair energy join", 1, JoinBlocks{tally_.data(), matrix.block_count});
    if (tally)
      space_.for_each(
          "pair energy store", 1,
          StoreHalfTally{tally_.data(), args.energy, args.virial, units_.energy, units_.energy});
  }

  [[nodiscard]] double allowed_displacement() const override {
    return skin_budget_.allowed_displacement();
  }
  [[nodiscard]] double allowed_displacement(const Box& box) const override {
    return skin_budget_.allowed_displacement(box);
  }
  [[nodiscard]] double neighbors_per_atom() const override { return list_.per_atom(); }

 private:
  [[nodiscard]] bool any_order() const { return problem_.determinism == Determinism::any_order; }

  PairForceProblem problem_;
  PairPotential potential_;
  PairKernel row_;
  SkinBudget skin_budget_;
  PairUnits units_;
  PairRange range_;
  double skin_over_cutoff_;
  int team_size_;
  Space space_;
  ClassCounter<Space> census_;
  NeighborList<Storage, Space, lanes> list_;
  ExclusionFilter<Space> excluded_;
  std::vector<Real> host_table_;
  std::int64_t first_sample_ = 0;  ///< index of the samples in the table, after the coefficients
  /// Square of the largest cutoff, a distance at which every potential is finite.
  Real outside_ = 1;
  Buffer<Real, Space> values_;
  Buffer<Real, Space> target_values_;  ///< if there are ghosts
  Buffer<double, Space> largest_charge_;
  Buffer<Real, Space> table_;
  Buffer<Tally, Space> tally_;
  Buffer<FixedTally, Space> fixed_tally_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_PORTABLE_HPP
