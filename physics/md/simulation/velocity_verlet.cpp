#include "physics/md/simulation/velocity_verlet.hpp"

#include "core/state/stage.hpp"
#include "physics/md/integrate/integrate.hpp"
#include "physics/md/simulation/half_kicks.hpp"

namespace tessera::md {
namespace {

struct NoOptions {};

template <class P>
class VelocityVerlet final : public HalfKicks<P> {
 public:
  VelocityVerlet(State<P>& state, const NoOptions&)
      : stage_({state.atoms(), state.motions}, state.context, state.determinism) {}

  [[nodiscard]] bool is_velocity_verlet() const override { return true; }
  [[nodiscard]] std::vector<OperationTime> timings() const override { return {stage_.execution()}; }
  void reset_timings() override { stage_.reset_timings(); }

 private:
  void run(State<P>& state, IntegratePhase phase) override {
    stage_.execute({state.columns.rows(state.positions), state.columns.rows(state.velocities),
                    state.columns.rows(state.forces), state.columns.values(state.motion),
                    state.force_to_accel.view(), state.clock.time_step(), phase},
                   state.timed);
  }

  Stage<Integrate, P> stage_;
};

}  // namespace

IntegratorRecipe velocity_verlet() {
  return std::make_shared<RecipeOf<Integrator, VelocityVerlet, NoOptions>>(NoOptions{});
}

}  // namespace tessera::md
