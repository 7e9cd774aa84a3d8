#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PLAN_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PLAN_HPP

#include "backends/openmp/pair_force_cluster/cluster_engine.hpp"
#include "backends/openmp/pair_force_cluster/cluster_steps.hpp"
#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/coincident_atoms.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_force/skin_budget.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <string>
#include <vector>

/// \file
/// The plan of openmp.cluster: the contract of md/pair_force, implemented with ClusterEngine.

namespace tessera::openmp::cluster {

void raise(const Fault& fault) {
  switch (fault.kind) {
    case Fault::Kind::none:
      return;
    case Fault::Kind::coincident:
      throw md::CoincidentAtoms(fault.first, fault.second);
    case Fault::Kind::excluded:
      throw ParticleError({fault.first}, "the exclusions of atom " + std::to_string(fault.first) +
                                             " name itself or an atom that does not exist");
    case Fault::Kind::not_finite:
      throw ParticleError({fault.first}, "the position of atom " + std::to_string(fault.first) +
                                             " is not a finite number");
    case Fault::Kind::far:
      throw ParticleError({fault.first},
                          "atom " + std::to_string(fault.first) + " is too far away along " +
                              "xyz"[fault.second] + " for openmp.cluster, expected at most " +
                              rounded_number(ClusterOrder::furthest_place) + ", or " +
                              rounded_number(ClusterOrder::most_periods) + " periods from the box");
  }
}

template <class P>
class ClusterPlan : public Plan<md::PairForce, P> {
 public:
  using Parameters = cluster::Parameters;
  using Args = typename Plan<md::PairForce, P>::Args;
  static constexpr PlanTraits<md::PairForce> traits{
      .determinism = Determinism::run_to_run,
      .description = "vectors of an atom with a cluster of atoms, each pair once"};

  ClusterPlan(const md::PairForceProblem& problem, const Context&, const Parameters& parameters)
      : parameters_(parameters),
        skin_budget_(problem, parameters.skin_over_cutoff * problem.cutoff),
        potential_(md::pair_potentials().find(problem.potential)),
        engine_(potential_,
                md::pair_kernels().find(TESSERA_PLUGIN_NAME, P::value, potential_).value(),
                parameters) {}

  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    if (auto refusal = md::refuse_potential(TESSERA_PLUGIN_NAME, P::value, problem.potential))
      return refusal;
    if (fixed_point)
      if (auto refusal = refuse_short_lengths(problem.cutoff, problem.shortest)) return refusal;
    return md::refuse_small_box(problem);
  }

  void prepare(const Args& args) override {
    if (fixed_point)
      if (const auto reason =
              refuse_short_lengths(md::largest_cutoff(potential_, args.coefficients),
                                   md::shortest_length(potential_, args.coefficients)))
        throw RefusalError("md/pair_force=" TESSERA_PLUGIN_NAME, *reason);
    const md::CutoffClasses classes = md::cutoff_classes(potential_, args.coefficients);
    skin_budget_.prefer_skin(parameters_.skin_over_cutoff *
                             classes.typical_cutoff(count_classes(classes, args.types)));
    skin_budget_.prepare(args.box);
    raise(engine_.prepare(input(args), args.coefficients, skin_budget_.skin()));
    engine_.report_images(skin_budget_);
    targets_ = args.targets();
    has_ghosts_ = targets_ < args.positions.extent(0);
    steps_.set_lists(input(args));
  }

  void execute(const Args& args) override {
    skin_budget_.require(args.box);
    double energy;
    double virial[6];
    const bool tally = args.energy.given() || args.virial.given();
    const ForceOutput<Storage> output{sum_output(args.forces), sum_output(args.torques),
                                      args.write == md::Write::add};
    raise(
        engine_.execute(input(args), output, tally ? &energy : nullptr, tally ? virial : nullptr));
    if (args.energy.given()) args.energy(0) = energy;
    if (args.virial.given())
      for (int c = 0; c < 6; ++c)
        args.virial(c) = virial[c];
  }

  [[nodiscard]] double allowed_displacement() const override {
    return skin_budget_.allowed_displacement();
  }
  [[nodiscard]] double allowed_displacement(const md::Box& box) const override {
    return skin_budget_.allowed_displacement(box);
  }
  [[nodiscard]] md::AnyFusedSteps* fused_steps() override {
    return engine_.can_step() && !has_ghosts_ ? &steps_ : nullptr;
  }
  [[nodiscard]] double neighbors_per_atom() const override {
    return targets_ > 0 ? static_cast<double>(engine_.entries() * engine_.lanes()) /
                              static_cast<double>(targets_)
                        : 0;
  }

 private:
  using Storage = typename P::Storage;
  static constexpr bool fixed_point = !std::is_same_v<typename P::Compute, double>;

  [[nodiscard]] static Refusal refuse_short_lengths(double cutoff, double shortest) {
    return md::refuse_short_lengths(cutoff, shortest, "openmp.portable");
  }

  [[nodiscard]] static SumOutput<Storage> sum_output(const View<Storage, 2>& array) {
    return {array.data, array.strides[0], array.strides[1]};
  }

  [[nodiscard]] ClusterInput<Storage> input(const Args& args) const {
    return {args.positions.extent(0),
            {args.positions.data, args.positions.strides[0], args.positions.strides[1]},
            args.types.data,
            args.types.strides[0],
            md::atom_columns(potential_.reads(), args),
            args.exclusions,
            skin_budget_.reduced(args.box),
            args.positions.extent(0) - args.targets(),
            args.largest_charge};
  }

  [[nodiscard]] static md::ClassCounts count_classes(const md::CutoffClasses& classes,
                                                     View<const std::int32_t, 1> types) {
    md::ClassCounts counts;
    for (std::int64_t i = 0; !classes.uniform && i < types.extent(0); ++i)
      ++counts.of[classes.of_type[static_cast<std::size_t>(types(i))]];
    return counts;
  }

  std::int64_t targets_ = 0;  ///< of the list
  bool has_ghosts_ = false;   ///< whether rows of the list are no targets
  Parameters parameters_;
  md::SkinBudget skin_budget_;
  md::PairPotential potential_;
  ClusterEngine<Storage, typename P::Compute> engine_;
  ClusterSteps<Storage, typename P::Compute> steps_{engine_, skin_budget_};
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PLAN_HPP
