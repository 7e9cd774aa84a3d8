#ifndef TESSERA_PHYSICS_MD_SIMULATION_BY_ATOM_STAGE_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_BY_ATOM_STAGE_HPP

#include "core/state/stage.hpp"

#include <string>
#include <vector>

/// \file
/// An operation of a term once more, for energies and virials of single atoms.

namespace tessera::md {

/// A plan of its own: what computes the forces of steps need not give them, and pays nothing for
/// them. Its lists serve one call.
template <class Operation, class P>
class ByAtomStage {
 public:
  using Problem = typename Operation::Problem;
  using Args = typename Plan<Operation, P>::Args;

  /// \throws RefusalError where nothing gives them.
  ByAtomStage(const Problem& problem, const Context& context)
      : ByAtomStage(context, asked(problem)) {}

  void run(const Args& args) {
    stage_.prepare(args);
    stage_.execute(args, true);
  }

  void add_timings(std::vector<OperationTime>& times) const {
    const std::string name(Operation::name);
    times.push_back(stage_.execution());
    times.back().operation = name + " (by atom)";
    times.push_back(stage_.preparation());
    times.back().operation = name + " (prepare by atom)";
  }
  void reset_timings() { stage_.reset_timings(); }

 private:
  ByAtomStage(const Context& context, const Problem& problem)
      : stage_(problem, for_able<Operation, P>(problem, context)) {
    stage_.keep_indices();
  }

  [[nodiscard]] static Problem asked(Problem problem) {
    problem.by_atom = true;
    return problem;
  }

  Stage<Operation, P> stage_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_BY_ATOM_STAGE_HPP
