#ifndef TESSERA_PHYSICS_MD_SIMULATION_HALF_KICKS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_HALF_KICKS_HPP

#include "physics/md/integrate/integrate.hpp"
#include "physics/md/simulation/integrator.hpp"

/// \file
/// Common part of integrators that kick by half a time step before the forces are computed and by
/// half a time step after.

namespace tessera::md {

/// If the velocities are not read before the next step, after() leaves its half kick to the next
/// before(), which applies both half kicks in one pass.
template <class P>
class HalfKicks : public Integrator<P> {
 public:
  void before(State<P>& state) final {
    run(state, to_close_ ? IntegratePhase::close_and_open : IntegratePhase::open);
    to_close_ = false;
  }
  void after(State<P>& state, bool seen) final {
    to_close_ = !seen;
    if (seen) run(state, IntegratePhase::close);
  }

 private:
  virtual void run(State<P>& state, IntegratePhase phase) = 0;

  bool to_close_ = false;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_HALF_KICKS_HPP
