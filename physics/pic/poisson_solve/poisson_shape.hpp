#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SHAPE_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SHAPE_HPP

#include "core/memory/transform.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <cstdint>

/// \file
/// Lengths of the transforms of pic/poisson_solve.

namespace tessera::pic {

struct PoissonShape {
  std::int64_t nodes[3];  ///< nodes of the density
  /// Lengths of the transforms: twice the nodes or slightly more; along a period the number of
  /// nodes.
  std::int64_t length[3];
  std::int64_t waves;  ///< number of waves of a real transform along z

  explicit PoissonShape(const PoissonSolveProblem& problem) {
    for (int a = 0; a < 3; ++a) {
      nodes[a] = problem.nodes[a];
      length[a] = good_transform_length(2 * nodes[a]);
    }
    if (problem.boundary == PoissonBoundary::periodic_z) length[2] = nodes[2];
    waves = length[2] / 2 + 1;
  }

  /// Number of distinct waves of an even function along direction a: wave length - m equals wave m.
  [[nodiscard]] std::int64_t half(int a) const { return length[a] / 2 + 1; }
};

/// Factor that normalizes the result of a forward and a backward transform, and contains the
/// coefficient and volume of the convolution.
template <class Storage>
[[nodiscard]] double convolution_factor(const PoissonShape& shape, PoissonBoundary boundary,
                                        const PoissonSolveArgs<Storage>& args) {
  double factor = args.coefficient;
  for (int a = 0; a < 3; ++a) {
    factor /= static_cast<double>(shape.length[a]);
    if (a < 2 || boundary != PoissonBoundary::periodic_z) factor *= args.grid.spacing[a];
  }
  return factor;
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SHAPE_HPP
