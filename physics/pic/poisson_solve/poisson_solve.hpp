#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/poisson_boundary.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// pic/poisson_solve: the potential of a charge density on the nodes of a grid.
///
/// open, with g the values of a Green function at all distances of nodes (pic/green_function):
///
///     potential(n) = coefficient * hx hy hz * sum over n' of g(|n - n'|) density(n')
///
/// the sum over three directions as the product of Fourier transforms on a grid of twice the nodes,
/// where nothing wraps around (R. W. Hockney, J. W. Eastwood, Computer Simulation Using Particles
/// (1988), section 6-5-4). What is known to be zero is left out of the transforms and what nobody
/// wants is not made. Lengths that transforms are slow for are made longer by more zeros, which
/// changes nothing.
///
/// periodic_z: the density is taken apart into waves along z, each wave m convolved across with the
/// values of its own Green function, and put together again:
///
///     potential(i, j, k) = coefficient * hx hy * sum over m of w_m(k) sum over i', j' of
///                              g(|i - i'|, |j - j'|, m) density_m(i', j')
///
/// pipe: the potential is 0 at conducting walls, the edges of the domain across, between which
/// densities are sums of sines, and periodic along z:
///
///     potential = sum over waves of 4 pi coefficient / (kx^2 + ky^2 + kz^2) density_k
///
/// with kx = pi p / (nx hx), ky = pi q / (ny hy), kz = 2 pi m / (nz hz) (J. D. Jackson, Classical
/// Electrodynamics, section 3.12). There is no Green function to give.
///
/// Any other even function will do for g. In the units of SI the coefficient is 1 / (4 pi
/// epsilon_0), densities are in C / m^3 and potentials in V.
///
/// `prepare` transforms the Green function, and is needed again when that changes: `green` is not
/// read by execute. A change of the spacing of all directions by one factor changes the function of
/// open boundaries by its inverse, which the coefficient can hold.
///
/// Precisions: double and single. The Green function is transformed in double in either.

namespace tessera::pic {

/// 1 / (4 pi epsilon_0) in V m / C (CODATA 2018).
inline constexpr double coulomb_constant = 8.9875517922614e9;

template <class Storage>
struct PoissonSolveArgs {
  View<const Storage, 3> density;  ///< nx x ny x nz, any strides; charge per volume
  /// (nx + 1) x (ny + 1) x (nz + 1), or x (nz / 2 + 1) where z is periodic; any strides. Not given
  /// between walls.
  View<const double, 3> green;
  Grid grid;
  bool walls = false;  ///< conducting, around x and y
  double coefficient = coulomb_constant;
  /// nx x ny x nz, any strides that keep elements apart; shares no memory with the density.
  View<Storage, 3> potential;
};

/// The spacing of the grid may change from call to call, the rest may not.
struct PoissonSolveProblem {
  std::int64_t nodes[3] = {0, 0, 0};  ///< at least 4
  PoissonBoundary boundary = PoissonBoundary::open;
  /// The least that an implementation has to give. Densities have no order: with any_order the bits
  /// are those of the transforms of the device, whatever implementation and backend.
  Determinism determinism = Determinism::none;
};

[[nodiscard]] inline ProblemKey problem_key(const PoissonSolveProblem& problem) {
  ProblemKey key = {problem.nodes[0] * problem.nodes[1] * problem.nodes[2],
                    {{"boundary", std::string(name(problem.boundary))}},
                    {}};
  // Every implementation repeats itself: what was measured is good for that too.
  if (problem.determinism > Determinism::run_to_run)
    key.kinds.emplace("determinism", std::string(name(problem.determinism)));
  return key;
}

/// What a call needs.
class PoissonSolveCheck {
 public:
  explicit PoissonSolveCheck(const PoissonSolveProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const PoissonSolveArgs<Storage>& args) const;

 private:
  PoissonSolveProblem problem_;
};

struct PoissonSolve : PlainOperation<PoissonSolveArgs, PoissonSolveProblem, Prepare::required> {
  static constexpr std::string_view name = "pic/poisson_solve";
  using Check = PoissonSolveCheck;
};

/// The problem that `args` pose.
/// \throws ArgumentError when shapes do not fit together or the grid makes no sense.
template <class Storage>
[[nodiscard]] PoissonSolveProblem poisson_solve_problem(const PoissonSolveArgs<Storage>& args);

/// One call on the caller's arrays with whatever implementation is selected. Keep a plan instead
/// when the same sizes come again.
template <class P = Double>
void poisson_solve(const Context& context, const PoissonSolveArgs<typename P::Storage>& args) {
  run_once<PoissonSolve, P>(poisson_solve_problem(args), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_HPP
