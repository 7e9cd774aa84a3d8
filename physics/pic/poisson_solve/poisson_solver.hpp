#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVER_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVER_HPP

#include "physics/pic/poisson_solve/poisson_solve.hpp"

namespace tessera::pic {

/// Poisson solver for one kind of boundary, from which the portable body of pic/poisson_solve is
/// built.
template <class Storage>
class PoissonSolver {
 public:
  virtual ~PoissonSolver() = default;
  PoissonSolver(const PoissonSolver&) = delete;
  PoissonSolver& operator=(const PoissonSolver&) = delete;

  virtual void prepare(const PoissonSolveArgs<Storage>& args) = 0;
  virtual void execute(const PoissonSolveArgs<Storage>& args) = 0;

 protected:
  PoissonSolver() = default;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVER_HPP
