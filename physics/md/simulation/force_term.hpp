#ifndef TESSERA_PHYSICS_MD_SIMULATION_FORCE_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_FORCE_TERM_HPP

#include "core/base/error.hpp"
#include "core/memory/view.hpp"
#include "core/memory/write.hpp"
#include "core/operations/implementation.hpp"
#include "core/state/operation_timer.hpp"
#include "core/state/restart_scalars.hpp"
#include "physics/md/simulation/state.hpp"
#include "physics/md/step/fused_steps.hpp"
#include "physics/md/thermo/thermo.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// \file
/// Interface of the terms that add up to the forces of a step.

namespace tessera::md {

/// Length of the tally of a part of a term, which is in the memory of the device: energy, then the
/// virial xx yy zz xy xz yz.
inline constexpr std::int64_t tally_size = 7;

/// Energies and virials of single atoms by one term, in the memory of the device: either atom of a
/// pair has half of its share (md/by_atom.hpp). ForceTerm::by_atom() overwrites all elements.
template <class Storage>
struct AtomOutputs {
  View<Storage, 2> forces;   ///< atoms x 3, scratch
  View<double, 1> energies;  ///< atoms
  View<double, 2> virials;   ///< atoms x 6, dense: xx yy zz xy xz yz
};

/// A part of the energy of a term, which has a thermo column.
struct TermPart {
  std::string name;   ///< of the column, for instance "pair" or "bond"
  std::string style;  ///< for instance "harmonic" or the name of a pair potential
};

template <class P>
class ForceTerm {
 public:
  virtual ~ForceTerm() = default;
  ForceTerm(const ForceTerm&) = delete;
  ForceTerm& operator=(const ForceTerm&) = delete;

  /// Unique among the terms of a simulation.
  [[nodiscard]] virtual std::string name() const = 0;
  /// Style of the term, for instance "harmonic" or the name of a pair potential.
  [[nodiscard]] virtual std::string style() const = 0;
  /// Parts of the energy, at least one, with names that no other term has; usually the whole.
  [[nodiscard]] virtual std::vector<TermPart> parts() const { return {{name(), style()}}; }

  /// Distance that any atom may move after prepare() until prepare() must run again; smaller after
  /// a change of the box. Negative: prepare() must run again even if no atom has moved.
  [[nodiscard]] virtual double allowed_displacement(const State<P>&) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Reason why the term cannot work in a box even after prepare() in it; absent if it can.
  [[nodiscard]] virtual Refusal refuse(const Box&) const { return {}; }
  /// Distance that no atom moves in one step of a sound run; an atom that does ends the run as a
  /// blow-up.
  [[nodiscard]] virtual double longest_step() const {
    return std::numeric_limits<double>::infinity();
  }

  /// Called before the first execute(), after each wrap of the atoms into the box, and when an atom
  /// has moved further than allowed_displacement().
  /// \throws ParticleError if the term has no value for these positions.
  virtual void prepare(State<P>&) {}

  /// Whether execute() writes or adds any forces.
  [[nodiscard]] virtual bool has_forces() const { return true; }
  /// Writes or adds the forces to state.forces. If `tally` is given (tally_size elements for each
  /// part), it is overwritten with the energy and the virial of the parts of this term.
  virtual void execute(State<P>& state, Write write, View<double, 1> tally) = 0;

  /// Allocates the memory that by_atom() needs. Only runs that call by_atom() call it.
  /// \throws RefusalError if the term cannot compute energies of single atoms.
  virtual void expect_by_atom(State<P>&) {
    throw RefusalError("term '" + name() + "'", "it does not compute energies of single atoms");
  }
  /// Energies and virials of single atoms at the present positions; called after expect_by_atom().
  /// Their sums over the atoms equal the tally of execute(), except for contributions that belong
  /// to no atom.
  virtual void by_atom(State<P>&, const AtomOutputs<typename P::Storage>&) {}

  /// Whether fused_steps() may return steps. A simulation executes the first such term after all
  /// others, so that the sums of forces have the same bits in fused steps, which add the forces of
  /// the other terms first.
  [[nodiscard]] virtual bool makes_steps() const { return false; }
  /// Fused steps, in the state since prepare(); null if the term cannot make them. Their sums
  /// contain the energy and virial that execute() would write to its tally.
  [[nodiscard]] virtual FusedSteps<typename P::Storage>* fused_steps(const State<P>&) {
    return nullptr;
  }
  /// Whether the fused steps of another term may call execute_ordered().
  [[nodiscard]] virtual bool joins_steps() const { return !has_forces(); }
  /// execute() without tally for positions in the order of fused steps, with forces in that order.
  virtual void execute_ordered(State<P>&, const OrderedAtoms<typename P::Storage>&, Write) {}
  /// Adds `steps` fused steps, which took `seconds` in all, to the timings.
  virtual void count_steps(std::int64_t /*steps*/, double /*seconds*/) {}
  /// Sets those arguments of fused steps that only the term has, for instance charges.
  virtual void fill(State<P>&, FusedStepsArgs<typename P::Storage>&) {}

  /// Saves scalars for a restart file, under names that begin with the name of the term.
  virtual void save(RestartScalars&) const {}
  virtual void load(const RestartScalars&) {}
  /// Adds the thermo columns of the term other than its energy, which every term has.
  virtual void report(std::vector<ThermoColumn>&) {}

  [[nodiscard]] virtual std::vector<OperationTime> timings() const { return {}; }
  virtual void reset_timings() {}
  /// Skin of the neighbor list and neighbors stored per atom; both 0 if the term has no list.
  [[nodiscard]] virtual double skin() const { return 0; }
  [[nodiscard]] virtual double neighbors_per_atom() const { return 0; }

 protected:
  ForceTerm() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_FORCE_TERM_HPP
