#ifndef TESSERA_PHYSICS_MD_SIMULATION_LIST_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_LIST_TERM_HPP

#include "core/state/timed_plan.hpp"
#include "physics/md/simulation/by_atom_plan.hpp"
#include "physics/md/simulation/force_term.hpp"
#include "physics/md/simulation/named_atoms.hpp"

#include <optional>
#include <vector>

/// \file
/// Common part of the terms whose lists of atoms never change.

namespace tessera::md {

/// \tparam Operation md/listed_force or md/special_force.
template <class Operation, class P>
class ListTerm : public ForceTerm<P> {
 public:
  using Storage = typename P::Storage;
  using Args = typename Plan<Operation, P>::Args;
  using Problem = typename Operation::Problem;

  [[nodiscard]] double allowed_displacement(const State<P>& state) const override {
    return plan_.plan().allowed_displacement(state.box());
  }

  void prepare(State<P>& state) override {
    with_ids(state, [&] { plan_.prepare(args(state)); });
  }

  void execute(State<P>& state, Write write, View<double, 1> tally) override {
    Args a = args(state);
    a.write = write;
    if (tally.given()) set_tally(a, tally);
    plan_.execute(a, state.timed);
  }

  [[nodiscard]] bool joins_steps() const override { return true; }
  void execute_ordered(State<P>& state, const OrderedAtoms<Storage>& atoms, Write write) override {
    Args a = args(state);
    a.rows = atoms.rows;
    a.order = atoms.order;
    a.positions = atoms.positions;
    a.forces = atoms.forces;
    a.write = write;
    plan_.execute(a, state.timed);
  }

  void expect_by_atom(State<P>& state) override { by_atom_.emplace(problem_, state.context); }
  void by_atom(State<P>& state, const AtomOutputs<Storage>& out) override {
    Args a = args(state);
    a.forces = out.forces;
    a.energies = out.energies;
    a.virials = out.virials;
    with_ids(state, [&] { by_atom_->run(a); });
  }

  [[nodiscard]] std::vector<OperationTime> timings() const override {
    std::vector<OperationTime> times = {plan_.execution(), plan_.preparation()};
    if (by_atom_) by_atom_->add_timings(times);
    return times;
  }
  void reset_timings() override {
    plan_.reset_timings();
    if (by_atom_) by_atom_->reset_timings();
  }

 protected:
  ListTerm(State<P>& state, const Problem& problem)
      : problem_(problem), plan_(problem, state.context) {
    plan_.assume_indices_valid();
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// Arguments of a call that reads and writes the columns of the state.
  [[nodiscard]] virtual Args args(State<P>& state) = 0;
  /// Gives energy and virial their places in the tally of the term.
  virtual void set_tally(Args& args, View<double, 1> tally) const = 0;

 private:
  Problem problem_;
  TimedPlan<Operation, P> plan_;
  std::optional<ByAtomPlan<Operation, P>> by_atom_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_LIST_TERM_HPP
