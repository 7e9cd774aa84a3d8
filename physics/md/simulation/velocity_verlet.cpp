#include <tessera/core/state/stage.hpp>
#include <tessera/md/integrate/integrate.hpp>
#include <tessera/md/simulation/integrator.hpp>
#include <tessera/md/simulation/velocity_verlet.hpp>

namespace tessera::md {
namespace {

struct NoOptions {};

template <class P>
class VelocityVerlet final : public Integrator<P> {
 public:
  VelocityVerlet(State<P>& state, const NoOptions&)
      : stage_({state.atoms(), static_cast<int>(state.description.types.size())}, state.context) {}

  void before(State<P>& state) override {
    run(state, to_close_ ? IntegratePhase::close_and_open : IntegratePhase::open);
    to_close_ = false;
  }
  void after(State<P>& state, bool seen) override {
    to_close_ = !seen;
    if (seen) run(state, IntegratePhase::close);
  }

  [[nodiscard]] std::vector<OperationTime> timings() const override { return {stage_.execution()}; }
  void reset_timings() override { stage_.reset_timings(); }

 private:
  void run(State<P>& state, IntegratePhase phase) {
    stage_.execute({state.columns.rows(state.positions), state.columns.rows(state.velocities),
                    state.columns.rows(state.forces), state.columns.values(state.type),
                    state.force_to_accel.view(), state.clock.time_step(), phase},
                   state.timed);
  }

  Stage<Integrate, P> stage_;
  bool to_close_ = false;  ///< the second half kick of the last step has been left out
};

}  // namespace

IntegratorRecipe velocity_verlet() {
  return std::make_shared<RecipeOf<Integrator, VelocityVerlet, NoOptions>>(NoOptions{});
}

}  // namespace tessera::md
