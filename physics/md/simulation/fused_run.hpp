#ifndef TESSERA_PHYSICS_MD_SIMULATION_FUSED_RUN_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_FUSED_RUN_HPP

#include "physics/md/simulation/domain.hpp"
#include "physics/md/simulation/rebuilds.hpp"
#include "physics/md/simulation/recovery.hpp"
#include "physics/md/simulation/thermo_requests.hpp"
#include "physics/md/step/fused_steps.hpp"

#include <cstdint>
#include <exception>
#include <functional>

/// \file
/// Fused steps of a simulation.

namespace tessera::md {

template <class P>
class FusedRun {
 public:
  using Storage = typename P::Storage;

  FusedRun(Domain<P>& domain, Recovery<P>& recovery, Rebuilds<P>& rebuilds,
           ThermoRequests<P>& thermo, const SimulationOptions& options, StepTotals& totals);

  /// Makes fused steps from the middle of this step, between drift and second half kick, to the
  /// middle of a later one.
  /// \param most number of steps to go.
  /// \param last becomes true if `stop` requests that the step which is reached is the last.
  /// \returns the number of steps made.
  std::int64_t make(std::int64_t most, const std::function<bool()>& stop, const ThermoRows& rows,
                    bool& last);
  /// Throws the exception of ThermoRows::take that was kept during fused steps, if there is one.
  void rethrow();
  void forget_exception() { thrown_ = nullptr; }
  /// Reason why the last make() made no steps; absent if it made some.
  [[nodiscard]] const Refusal& refusal() const { return refusal_; }

 private:
  /// The forces of the other terms.
  class OtherTerms final : public AddedForces<Storage> {
   public:
    OtherTerms(Domain<P>& domain, const SimulationOptions& options)
        : domain_(domain), options_(options) {}
    void execute(const OrderedAtoms<Storage>& atoms) override;

   private:
    Domain<P>& domain_;
    const SimulationOptions& options_;
  };

  /// Sets the arguments of fused steps in the present state.
  /// \returns the reason why none can be made; absent if they can, with `steps` not null.
  [[nodiscard]] Refusal start(FusedStepsArgs<Storage>& args, FusedSteps<Storage>*& steps);
  void finish(FusedSteps<Storage>& steps, const FusedStepsArgs<Storage>& args,
              const FusedStepsReport& report);

  Domain<P>& domain_;
  Recovery<P>& recovery_;
  Rebuilds<P>& rebuilds_;
  ThermoRequests<P>& thermo_;
  const SimulationOptions& options_;
  StepTotals& totals_;
  OtherTerms others_;
  std::exception_ptr thrown_;
  Refusal refusal_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_FUSED_RUN_HPP
