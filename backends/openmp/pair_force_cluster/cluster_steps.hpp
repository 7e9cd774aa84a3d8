#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_STEPS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_STEPS_HPP

#include "backends/openmp/pair_force_cluster/cluster_engine.hpp"
#include "core/base/error.hpp"
#include "physics/md/box.hpp"
#include "physics/md/pair_force/skin_budget.hpp"
#include "physics/md/step/fused_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

/// \file
/// Fused steps of openmp.cluster.

namespace tessera::openmp::cluster {

template <class Storage, class T>
class ClusterSteps final : public md::FusedSteps<Storage> {
 public:
  using Args = md::FusedStepsArgs<Storage>;

  /// \param skin_budget skin of the lists; rebuilds report their images to it.
  ClusterSteps(ClusterEngine<Storage, T>& engine, md::SkinBudget& skin_budget)
      : engine_(engine), skin_budget_(skin_budget) {}

  /// Sets the lists after the engine has prepared.
  /// \param input input for which the engine has prepared.
  void set_lists(const ClusterInput<Storage>& input) { input_ = input; }

  [[nodiscard]] Refusal refuse(const Args& args) const override {
    if (args.added != nullptr &&
        3 * engine_.clusters() * engine_.lanes() > std::numeric_limits<std::int32_t>::max())
      return "its " + std::to_string(engine_.clusters()) +
             " clusters have more coordinates than 32-bit indices, with which listed terms name "
             "atoms";
    return {};
  }

  void begin(const Args& args, std::int64_t steps) override {
    ClusterInput<Storage> input = input_;
    input.box = skin_budget_.reduced(args.box);
    box_ = args.box;
    limit_ = args.allowed_displacement;
    most_rebuilds_ = args.most_rebuilds;
    allowed_ = std::min(skin_budget_.allowed_displacement(args.box), limit_);
    input.positions = {args.positions.data, args.positions.strides[0], args.positions.strides[1]};
    if (input.values.count > 0) {
      md::PairForceArgs<Storage> given;
      given.charges = args.charges;
      input.values = md::atom_columns(md::AtomData::charge, given);
    }
    steps_ = steps;
    longest_step_ = args.longest_step;
    report_ = {};
    // No step is done if an atom has moved too far before the first one; the caller has to prepare.
    report_.furthest = engine_.load(input, args);
    report_.lists_hold = report_.furthest <= allowed_;
  }

  [[nodiscard]] bool advance() override {
    const std::int64_t last = std::min(steps_, report_.steps + most_at_once());
    while (report_.lists_hold && report_.steps < last) {
      const StepsDone moves = engine_.step(last - report_.steps, allowed_, longest_step_);
      report_.steps += moves.steps;
      report_.furthest = moves.furthest;
      report_.lists_hold = !moves.blown_up;
      if (moves.blown_up) {
        report_.blown_up = engine_.furthest_atom();
        report_.moved = moves.furthest;
      } else if (!(moves.furthest <= allowed_)) {
        if (report_.rebuilds < most_rebuilds_)
          rebuild();
        else
          report_.lists_hold = false;
      }
    }
    return report_.lists_hold && report_.steps < steps_;
  }

  [[nodiscard]] md::FusedStepsReport end() override { return report_; }
  void store_rebuilt(const Args& args) override { engine_.store_atoms(args, true); }
  void store(const Args& args) override { engine_.store_atoms(args, false); }

 private:
  void rebuild() {
    md::SkinBudget next = skin_budget_;
    next.prepare(box_);
    if (next.skin() != skin_budget_.skin()) {
      report_.lists_hold = false;  // lists of another length are made by prepare()
      return;
    }
    skin_budget_ = next;
    ++report_.rebuilds;
    report_.built_after = report_.steps;
    try {
      report_.lists_hold = engine_.rebuild(box_, skin_budget_.reduced());
    } catch (const Error&) {
      report_.lists_hold = false;  // prepare() will throw the error again, with the stored atoms
    }
    report_.needs_prepare = !report_.lists_hold;
    report_.furthest = 0;
    if (report_.lists_hold) engine_.report_images(skin_budget_);
    allowed_ = std::min(skin_budget_.allowed_displacement(), limit_);
  }

  /// Largest number of steps of a call, such that it returns after some hundredths of a second.
  [[nodiscard]] std::int64_t most_at_once() const {
    return std::clamp<std::int64_t>(
        (std::int64_t{1} << 20) / std::max<std::int64_t>(input_.atoms, 1), 1, 256);
  }

  ClusterEngine<Storage, T>& engine_;
  md::SkinBudget& skin_budget_;
  ClusterInput<Storage> input_;
  md::Box box_;
  double allowed_ = 0;
  double limit_ = 0;  ///< FusedStepsArgs::allowed_displacement
  std::int64_t most_rebuilds_ = 0;
  double longest_step_ = 0;
  std::int64_t steps_ = 0;
  md::FusedStepsReport report_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_STEPS_HPP
