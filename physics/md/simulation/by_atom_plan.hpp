#ifndef TESSERA_PHYSICS_MD_SIMULATION_BY_ATOM_PLAN_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_BY_ATOM_PLAN_HPP

#include "core/state/timed_plan.hpp"

#include <string>
#include <vector>

/// \file
/// A second plan of a term's operation, for energies and virials of single atoms.

namespace tessera::md {

/// A plan apart from that of the steps, so that the implementation of the steps need not compute
/// energies by atom. Each run() prepares anew.
template <class Operation, class P>
class ByAtomPlan {
 public:
  using Problem = typename Operation::Problem;
  using Args = typename Plan<Operation, P>::Args;

  /// \throws RefusalError where no implementation computes energies of single atoms for this
  /// problem.
  ByAtomPlan(const Problem& problem, const Context& context)
      : ByAtomPlan(context, asked(problem)) {}

  void run(const Args& args) {
    plan_.prepare(args);
    plan_.execute(args, true);
  }

  void add_timings(std::vector<OperationTime>& times) const {
    const std::string name(Operation::name);
    times.push_back(plan_.execution());
    times.back().operation = name + " (by atom)";
    times.push_back(plan_.preparation());
    times.back().operation = name + " (prepare by atom)";
  }
  void reset_timings() { plan_.reset_timings(); }

 private:
  ByAtomPlan(const Context& context, const Problem& problem)
      : plan_(problem, for_able<Operation, P>(problem, context)) {
    plan_.assume_indices_valid();
  }

  [[nodiscard]] static Problem asked(Problem problem) {
    problem.by_atom = true;
    return problem;
  }

  TimedPlan<Operation, P> plan_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_BY_ATOM_PLAN_HPP
