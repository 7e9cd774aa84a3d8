#ifndef TESSERA_PHYSICS_MD_SIMULATION_FORCE_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_FORCE_TERM_HPP

#include "core/base/error.hpp"
#include "core/memory/view.hpp"
#include "core/memory/write.hpp"
#include "core/operations/implementation.hpp"
#include "core/state/operation_timer.hpp"
#include "core/state/restart_scalars.hpp"
#include "physics/md/pair_force/verlet_steps.hpp"
#include "physics/md/simulation/state.hpp"
#include "physics/md/thermo/thermo.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// \file
/// One contribution to the forces of a step.

namespace tessera::md {

/// Where a term puts its energy and virial, in the memory of the device: energy, then
/// xx yy zz xy xz yz.
inline constexpr std::int64_t tally_size = 7;

/// Contributions of single atoms to a term, in the memory of the device: half of each pair for
/// either of its atoms (md/by_atom.hpp). All of it is overwritten.
template <class Storage>
struct AtomOutputs {
  View<Storage, 2> forces;   ///< atoms x 3, scratch; contents are discarded
  View<double, 1> energies;  ///< atoms
  View<double, 2> virials;   ///< atoms x 6, dense: xx yy zz xy xz yz
};

template <class P>
class ForceTerm {
 public:
  virtual ~ForceTerm() = default;
  ForceTerm(const ForceTerm&) = delete;
  ForceTerm& operator=(const ForceTerm&) = delete;

  /// "pair", "bond": names the column of thermo; each term of a simulation has its own.
  [[nodiscard]] virtual std::string name() const = 0;
  /// Style of the term: "harmonic", the name of a pair potential.
  [[nodiscard]] virtual std::string style() const = 0;

  /// Once any atom has moved further than this since prepare(), prepare() must run again; less
  /// where the box has changed. Negative: whatever the atoms did.
  [[nodiscard]] virtual double allowed_displacement(const State<P>&) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Why the term cannot work in a box, whatever is prepared; absent where it can.
  [[nodiscard]] virtual Refusal refuse(const Box&) const { return {}; }
  /// No atom of a sound run moves further than this in one step.
  [[nodiscard]] virtual double longest_step() const {
    return std::numeric_limits<double>::infinity();
  }

  /// Before the first execute(), after every folding of the atoms into the box, and when
  /// allowed_displacement() asks for it.
  /// \throws ParticleError where the atoms lie so that the term has no value.
  virtual void prepare(State<P>&) {}

  /// Forces into state.forces. Where `tally` is given (tally_size elements), energy and virial of
  /// this term alone overwrite it.
  virtual void execute(State<P>& state, Write write, View<double, 1> tally) = 0;

  /// Gets ready to be asked for by_atom(), which no run pays for that does not ask.
  /// \throws RefusalError where the term cannot compute the shares of single atoms.
  virtual void expect_by_atom(State<P>&) {
    throw RefusalError("term '" + name() + "'", "it does not compute energies of single atoms");
  }
  /// Energies and virials of the atoms as they are now, after expect_by_atom(). Their sums over the
  /// atoms are what execute() puts into its tally, except for contributions that belong to no atom.
  virtual void by_atom(State<P>&, const AtomOutputs<typename P::Storage>&) {}

  /// For fused steps of this term alone, in the state since prepare(); null where the term cannot
  /// make them. The term reports of their forces what execute() would.
  [[nodiscard]] virtual VerletSteps<typename P::Storage>* verlet_steps(const State<P>&) {
    return nullptr;
  }
  /// Counts the fused steps that were made, and their time.
  virtual void count_steps(std::int64_t /*steps*/, double /*seconds*/) {}
  /// Sets the arguments of fused steps that belong to the term.
  virtual void fill(State<P>&, VerletStepsArgs<typename P::Storage>&) {}

  /// Numbers that a restart needs, under names that begin with that of the term.
  virtual void save(RestartScalars&) const {}
  virtual void load(const RestartScalars&) {}
  /// Columns of thermo besides the energy, which every term has.
  virtual void report(std::vector<ThermoColumn>&) {}

  [[nodiscard]] virtual std::vector<OperationTime> timings() const { return {}; }
  virtual void reset_timings() {}
  /// Width of its neighbor shell and candidates kept per atom, 0 where there is none.
  [[nodiscard]] virtual double skin() const { return 0; }
  [[nodiscard]] virtual double neighbors_per_atom() const { return 0; }

 protected:
  ForceTerm() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_FORCE_TERM_HPP
