#include "physics/md/simulation/velocity_verlet.hpp"

#include "core/state/timed_plan.hpp"
#include "physics/md/integrate/integrate.hpp"
#include "physics/md/simulation/half_kicks.hpp"

namespace tessera::md {
namespace {

struct NoOptions {};

template <class P>
class VelocityVerlet final : public HalfKicks<P> {
 public:
  VelocityVerlet(State<P>& state, const NoOptions&)
      : plan_({state.atoms(), state.mass_classes}, state.context, state.determinism) {}

  [[nodiscard]] bool fill(State<P>&, FusedStepsArgs<typename P::Storage>&) override { return true; }
  [[nodiscard]] std::vector<OperationTime> timings() const override { return {plan_.execution()}; }
  void reset_timings() override { plan_.reset_timings(); }

 private:
  void run(State<P>& state, IntegratePhase phase) override {
    plan_.execute({state.columns.rows(state.positions), state.columns.rows(state.velocities),
                   state.columns.rows(state.forces), state.columns.values(state.mass_class),
                   state.force_to_accel.view(), state.clock.time_step(), phase},
                  state.timed);
  }

  TimedPlan<Integrate, P> plan_;
};

}  // namespace

IntegratorFactory velocity_verlet() {
  return std::make_shared<FactoryOf<Integrator, VelocityVerlet, NoOptions>>(NoOptions{});
}

}  // namespace tessera::md
