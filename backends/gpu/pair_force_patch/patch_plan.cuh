#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_PLAN_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_PLAN_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_common/pair_plan.cuh"
#include "backends/gpu/pair_force_patch/force.cuh"
#include "backends/gpu/pair_force_patch/launch_loop.cuh"
#include "backends/gpu/pair_force_patch/parameters.hpp"
#include "backends/gpu/pair_force_patch/patch_list.cuh"
#include "core/execution/buffer.hpp"

#include <cstdint>
#include <memory>

/// \file
/// The plan of cuda.patch.

namespace tessera::gpu::pair_force_patch {

template <class P>
class PatchPlan : public pair_common::PairPlan<P> {
 public:
  using Base = pair_common::PairPlan<P>;
  using Parameters = pair_force_patch::Parameters;
  using typename Base::Args;
  using typename Base::Coordinates;
  using typename Base::Real;
  using typename Base::Storage;
  static constexpr PlanTraits<md::PairForce> traits{
      .determinism = Determinism::run_to_run,
      .description =
          "pairs of patches, one in registers and one in shared memory, with a pair list"};

  PatchPlan(const md::PairForceProblem& problem, const Context& context,
            const Parameters& parameters)
      : Base(TESSERA_PLUGIN_NAME, problem, context),
        parameters_(parameters),
        list_(space_, problem.atoms, parameters),
        parts_(space_) {
    this->set_first_skin(parameters.skin_over_cutoff);
    this->require_places(problem.atoms + 1);
  }

  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    return Base::refuse(TESSERA_PLUGIN_NAME, problem);
  }

  void prepare(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    const auto [classes, box, bounds, layers] = this->take_input(
        args, [&](const md::CutoffClasses&) { return parameters_.skin_over_cutoff; });
    if (problem_.atoms == 0) return;
    this->limits().require_list_radius(skin_budget_.list_radius());
    list_.build(args, box, layers.widen(bounds), skin_budget_.list_radius(), classes);
    skin_budget_.set_images(list_.images(), {1, 1, 1});
    if (by_pair()) parts_.require(3 * list_.rows());
    this->require_tallies(blocks());
  }

  [[nodiscard]] double neighbors_per_atom() const override {
    return problem_.atoms > 0
               ? static_cast<double>(list_.total()) / static_cast<double>(problem_.atoms)
               : 0;
  }

 private:
  using Base::packed_;
  using Base::problem_;
  using Base::row_;
  using Base::skin_budget_;
  using Base::space_;
  using Base::table_;
  using Base::tallies_;
  using Base::units_;
  using Base::values_;

  [[nodiscard]] bool by_pair() const { return parameters_.work == Work::pair; }
  [[nodiscard]] std::int64_t blocks() const {
    return by_pair() ? list_.pair_count() : std::int64_t{list_.patch_count()};
  }
  [[nodiscard]] unsigned block_size() const {
    return parameters_.block_size > 0 ? static_cast<unsigned>(parameters_.block_size)
                                      : list_.threads_for_patch(parameters_.patch1_per_thread);
  }

  void execute_in(const md::Box& box, const Args& args) override {
    const std::int64_t n = problem_.atoms;
    this->pack(box, args, list_.order());
    this->pack_values(md::atom_columns(row_.reads, args), list_.order());
    const bool tally = Base::wants_tally(args);
    const unsigned threads = block_size();
    const PairForces<Real> parts{parts_.data(), list_.rows()};
    const ForceOutput<Storage> output{list_.order(), static_cast<Storage>(units_.force()),
                                      args.forces, args.write == md::Write::add};
    const PatchLaunch<Coordinates, Storage> call{
        space_,
        {packed_.data(), values_.data(), list_.patches(), list_.pairs(), list_.starts(),
         list_.words(), list_.own_of(), by_pair(),
         static_cast<std::int32_t>(threads) * parameters_.patch2_per_thread,
         this->coordinates_in(box), table_.numbers(), table_.samples(), problem_.types, parts,
         output},
        this->template coordinates_in<InTiltedBox<Coordinates>>(box),
        box.tilted(),
        table_.on_host(),
        parameters_.patch1_per_thread,
        static_cast<unsigned>(blocks()),
        threads,
        tally ? tallies_.data() : nullptr};
    launch_loop(row_.template table<LoopTable>(), call);
    if (by_pair())
      launch("sum pairs", sum_pairs<Real, Storage>, blocks_for(n, sum_block), sum_block, 0,
             space_.stream())(n, list_.patch_of(), list_.patches(), list_.starts(), list_.pairs(),
                              list_.counts(), parts, output);
    if (tally) this->store_tallies(blocks(), args, units_.energy);
  }

  Parameters parameters_;
  PatchList<Storage> list_;
  Buffer<Real, Space> parts_;  ///< memory of PairForces
};

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_PLAN_CUH
