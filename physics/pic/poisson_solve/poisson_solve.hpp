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
/// pic/poisson_solve: electrostatic potential on the nodes of a grid for a charge density on these
/// nodes.
///
/// open, with the values g of a Green function for all distances between nodes
/// (pic/green_function):
///
///     potential(n) = coefficient * hx hy hz * sum over n' of g(|n - n'|) density(n')
///
/// The convolution is a product of Fourier transforms on a grid of twice the nodes, on which images
/// do not overlap (R. W. Hockney, J. W. Eastwood, Computer Simulation Using Particles (1988),
/// section 6-5-4). The transforms skip inputs that are known to be zero and results that are not
/// needed. Lengths with slow transforms are padded with more zeros, which does not change the
/// result.
///
/// periodic_z: the density is decomposed into waves along z, each wave m is convolved transversely
/// with the values of its own Green function, and the waves are added up:
///
///     potential(i, j, k) = coefficient * hx hy * sum over m of w_m(k) sum over i', j' of
///                              g(|i - i'|, |j - j'|, m) density_m(i', j')
///
/// pipe: periodic along z, and the potential is 0 at conducting walls, which are the transverse
/// edges of the domain. Densities between them are sums of sines:
///
///     potential = sum over waves of 4 pi coefficient / (kx^2 + ky^2 + kz^2) density_k
///
/// with kx = pi p / (nx hx), ky = pi q / (ny hy), kz = 2 pi m / (nz hz) (J. D. Jackson, Classical
/// Electrodynamics, section 3.12). No Green function is given.
///
/// g may be any other even function. In SI units the coefficient is 1 / (4 pi epsilon_0), densities
/// are in C / m^3 and potentials in V.
///
/// `prepare` transforms the Green function and must be called again when the function changes:
/// execute does not read `green`. If the spacings of all directions change by one factor, the
/// function of open boundaries changes by the inverse of the factor, which the caller can include
/// in the coefficient.
///
/// Precisions: double and single. The Green function is transformed in double in either.

namespace tessera::pic {

/// 1 / (4 pi epsilon_0) in V m / C (CODATA 2018).
inline constexpr double coulomb_constant = 8.9875517922614e9;

template <class Storage>
struct PoissonSolveArgs {
  View<const Storage, 3> density;  ///< nx x ny x nz, any strides; charge per volume
  /// (nx + 1) x (ny + 1) x (nz + 1) values, or (nx + 1) x (ny + 1) x (nz / 2 + 1) if z is periodic;
  /// any strides. Not given with walls.
  View<const double, 3> green;
  Grid grid;
  bool walls = false;  ///< conducting walls in x and y
  double coefficient = coulomb_constant;
  /// nx x ny x nz, any strides for which elements do not overlap; must not share memory with the
  /// density.
  View<Storage, 3> potential;
};

/// The spacing of the grid may change between calls; all else must stay the same.
struct PoissonSolveProblem {
  std::int64_t nodes[3] = {0, 0, 0};  ///< at least 4
  PoissonBoundary boundary = PoissonBoundary::open;
  /// Least determinism that an implementation must guarantee. A density does not depend on an order
  /// of particles: with any_order its potential has the bits that the transforms of the device
  /// give, the same for every implementation and backend.
  Determinism determinism = Determinism::none;
};

[[nodiscard]] inline ProblemKey problem_key(const PoissonSolveProblem& problem) {
  ProblemKey key = {problem.nodes[0] * problem.nodes[1] * problem.nodes[2],
                    {{"boundary", std::string(name(problem.boundary))}},
                    {}};
  // Every implementation is run_to_run, so that measurements without a requirement apply to
  // run_to_run too.
  if (problem.determinism > Determinism::run_to_run)
    key.kinds.emplace("determinism", std::string(name(problem.determinism)));
  return key;
}

/// Checks the arguments of a call.
class PoissonSolveCheck {
 public:
  explicit PoissonSolveCheck(const PoissonSolveProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t* const n = problem_.nodes;
    visit.finite("coefficient", args.coefficient);
    visit.array("density", args.density, {n[0], n[1], n[2]});
    if (problem_.boundary != PoissonBoundary::pipe)
      visit.array("green", args.green,
                  {n[0] + 1, n[1] + 1, green_extent_z(problem_.boundary, n[2])});
    visit.output("potential", args.potential, {n[0], n[1], n[2]});
    visit.no_overlap("potential", args.potential, "density", args.density);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const PoissonSolveArgs<Storage>& args) const;

 private:
  PoissonSolveProblem problem_;
};

struct PoissonSolve
    : PlainOperation<PoissonSolveArgs, PoissonSolveProblem,
                     OperationTraits{.prepare = Prepare::required, .selects_determinism = true}> {
  static constexpr std::string_view name = "pic/poisson_solve";
  using Check = PoissonSolveCheck;
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together or the grid is invalid.
template <class Storage>
[[nodiscard]] PoissonSolveProblem poisson_solve_problem(const PoissonSolveArgs<Storage>& args);

/// One call on the caller's arrays with the selected implementation. Keep a plan for repeated calls
/// with the same sizes.
template <class P = Double>
void poisson_solve(const Context& context, const PoissonSolveArgs<typename P::Storage>& args) {
  run_once<PoissonSolve, P>(poisson_solve_problem(args), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_POISSON_SOLVE_HPP
