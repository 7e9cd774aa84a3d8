#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_PATCH_PLAN_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_PATCH_PLAN_CUH

#include "backends/cuda/execution/launch.hpp"
#include "backends/cuda/execution/space.hpp"
#include "backends/cuda/pair_force_list/coordinates.cuh"
#include "backends/cuda/pair_force_list/force.cuh"
#include "backends/cuda/pair_force_patch/force.cuh"
#include "backends/cuda/pair_force_patch/limits.hpp"
#include "backends/cuda/pair_force_patch/patch_list.cuh"
#include "core/execution/buffer.hpp"
#include "physics/md/pair_force/pair_force_portable.hpp"
#include "physics/md/pair_force/skin_budget.hpp"

#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>

/// \file
/// The plan of cuda.patch.

namespace tessera::cuda::pair_force_patch {

template <class P>
class PatchPlan : public Plan<md::PairForce, P> {
 public:
  using Parameters = pair_force_patch::Parameters;
  using Args = typename Plan<md::PairForce, P>::Args;
  using Storage = typename P::Storage;
  static constexpr bool fixed_point = !std::is_same_v<typename P::Compute, double>;
  using Coordinates = std::conditional_t<fixed_point, FixedPoint, DoublePosition>;
  using Real = typename Coordinates::Real;
  static constexpr PlanTraits<md::PairForce> traits{
      .determinism = Determinism::run_to_run,
      .description =
          "pairs of patches, one in registers and one in shared memory, with a pair list"};

  PatchPlan(const md::PairForceProblem& problem, const Context& context,
            const Parameters& parameters)
      : problem_(problem),
        potential_(md::pair_potentials().find(problem.potential)),
        row_(md::pair_kernels().find(TESSERA_PLUGIN_NAME, P::value, potential_).value()),
        parameters_(parameters),
        skin_budget_(problem, parameters.skin_over_cutoff * problem.cutoff),
        space_(space_of<Space>(context)),
        list_(space_, problem.atoms, parameters),
        packed_(space_, problem.atoms + 1),
        classes_(space_),
        parts_(space_),
        values_(space_),
        largest_charge_(space_),
        table_(space_),
        atom_bounds_(space_, 1),
        tally_(space_, 1),
        tallies_(space_),
        workspace_(space_) {
    if (row_.reads != 0)
      values_.require((problem.atoms + 1) * md::potentials::atom_stride(row_.reads));
  }

  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    if (auto refusal = md::refuse_potential(TESSERA_PLUGIN_NAME, P::value, problem.potential))
      return refusal;
    if (auto refusal = md::refuse_small_box(problem)) return refusal;
    const Limits limits{fixed_point, problem.cutoff};
    if (auto refusal = limits.refuse_lengths(problem.cutoff, problem.shortest)) return refusal;
    return limits.refuse_box(md::reduced(problem.box, md::least_tilt(problem.box)));
  }

  void prepare(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    take_coefficients(args);
    const md::CutoffClasses classes = md::cutoff_classes(potential_, args.coefficients);
    skin_budget_.prefer_skin(parameters_.skin_over_cutoff * classes_.take(classes, args.types));
    skin_budget_.prepare(args.box);
    const md::Box box = skin_budget_.reduced();
    limits().require_box(box);
    const md::AtomBounds atom_bounds =
        md::find_atom_bounds(space_, args.positions, box, atom_bounds_, workspace_);
    limits().require_spread(atom_bounds);
    for (int d = 0; d < 3; ++d)
      lower_[d] = atom_bounds.low[d];
    if (problem_.atoms == 0) return;
    limits().require_list_radius(skin_budget_.list_radius());
    list_.build(args, box, atom_bounds, skin_budget_.list_radius(), classes);
    skin_budget_.set_images(list_.images(), {1, 1, 1});
    if (by_pair()) parts_.require(3 * list_.rows());
    tallies_.require(blocks());
    workspace_.require(Space::template reduce_bytes<md::Tally>(blocks()));
  }

  void execute(const Args& args) override {
    skin_budget_.require(args.box);
    const md::Box box = skin_budget_.reduced(args.box);
    limits().require_box(box);
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
               ? static_cast<double>(list_.total()) / static_cast<double>(problem_.atoms)
               : 0;
  }

 private:
  [[nodiscard]] Limits limits() const { return {fixed_point, problem_.cutoff}; }
  [[nodiscard]] bool by_pair() const { return parameters_.work == Work::pair; }
  [[nodiscard]] std::int64_t blocks() const {
    return by_pair() ? list_.pair_count() : std::int64_t{list_.patch_count()};
  }
  [[nodiscard]] unsigned block_size() const {
    return parameters_.block_size > 0 ? static_cast<unsigned>(parameters_.block_size)
                                      : list_.threads_for_patch(parameters_.patch1_per_thread);
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
    host_table_.assign(packed.table.begin(), packed.table.end());
    first_sample_ = std::ssize(host_table_);
    host_table_.insert(host_table_.end(), packed.samples.begin(), packed.samples.end());
    table_.upload(host_table_.data(), static_cast<std::int64_t>(host_table_.size()));
  }

  void execute_in(const md::Box& box, const Args& args) {
    const std::int64_t n = problem_.atoms;
    const CurrentDevice current(space_.ordinal());
    const double reach = problem_.cutoff + 2 * skin_budget_.skin();
    const Coordinates coordinates(box, lower_, reach, shortest_, units_.length);
    const InTiltedBox<Coordinates> tilted(box, lower_, reach, shortest_, units_.length);
    if (box.tilted())
      pack(args, tilted);
    else
      pack(args, coordinates);
    if (row_.reads != 0)
      space_.for_each(
          "pack atom data", n,
          md::PackAtomData<Storage, Real>{md::atom_columns(row_.reads, args).in_units(units_),
                                          list_.order(), values_.data()});
    const bool tally = args.energy.given() || args.virial.given();
    const unsigned threads = block_size();
    const PairForces<Real> parts{parts_.data(), list_.rows()};
    const ForceOutput<Storage> output{list_.order(), static_cast<Storage>(units_.force()),
                                      args.forces, args.write == md::Write::add};
    PatchLaunch<Coordinates, Storage> call{
        space_,
        {packed_.data(), values_.data(), list_.patches(), list_.pairs(), list_.starts(),
         list_.words(), list_.own_of(), by_pair(),
         static_cast<std::int32_t>(threads) * parameters_.patch2_per_thread, coordinates,
         table_.data(), table_.data() + first_sample_, problem_.types, parts, output},
        tilted,
        box.tilted(),
        host_table_.data(),
        parameters_.patch1_per_thread,
        static_cast<unsigned>(blocks()),
        threads,
        tally ? tallies_.data() : nullptr,
        row_.opaque};
    row_.template as<PairKernelFunction<Coordinates, Storage>*>()(call);
    if (by_pair())
      launch("sum pairs", sum_pairs<Real, Storage>, blocks_for(n, sum_block), sum_block, 0,
             space_.stream())(n, list_.patch_of(), list_.patches(), list_.starts(), list_.pairs(),
                              list_.counts(), parts, output);
    if (tally)
      space_.reduce("pair energy", blocks(), md::Tally{}, md::AddTally{tallies_.data()},
                    md::JoinTallies{}, tally_.data(), workspace_.get(),
                    md::StoreHalfTally{tally_.data(), args.energy, args.virial, units_.energy,
                                       units_.energy});
  }

  template <class AnyCoordinates>
  void pack(const Args& args, const AnyCoordinates& coordinates) {
    constexpr unsigned block = pair_force_list::pack_block;
    launch("pack atoms", pair_force_list::pack_atoms<AnyCoordinates, Storage>,
           blocks_for(problem_.atoms, block), block, 0, space_.stream())(
        problem_.atoms, args.positions, args.types, list_.order(), coordinates, packed_.data());
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
  md::SkinBudget skin_budget_;
  Space space_;
  PatchList<Storage> list_;
  Buffer<typename Coordinates::Atom, Space> packed_;
  md::ClassCounter<Space> classes_;
  Buffer<Real, Space> parts_;  ///< memory of PairForces
  Buffer<Real, Space> values_;
  Buffer<double, Space> largest_charge_;
  std::vector<Real> host_table_;
  std::int64_t first_sample_ = 0;  ///< index in the table of the first sample, after the numbers
  Buffer<Real, Space> table_;
  Buffer<md::AtomBounds, Space> atom_bounds_;
  Buffer<md::Tally, Space> tally_;
  Buffer<md::Tally, Space> tallies_;  ///< one per block of threads
  WorkspaceBuffer<Space> workspace_;
  md::PairUnits units_;
  double shortest_ = 0;  ///< shortest length of the coefficients (md::shortest_length)
  double lower_[3] = {};
};

}  // namespace tessera::cuda::pair_force_patch

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_PATCH_PLAN_CUH
