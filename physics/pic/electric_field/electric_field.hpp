#ifndef TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_HPP
#define TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/grid.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/electric_field: E = -grad(potential) on the nodes of a grid, of second order in the spacing.
///
/// Between two nodes, and across the boundary of the period, it is the central difference
///
///     E(i) = (phi(i - 1) - phi(i + 1)) / (2 h)
///
/// with which no particle exerts a force on itself if charge and field are both distributed
/// cloud-in-cell (R. W. Hockney, J. W. Eastwood, Computer Simulation Using Particles (1988),
/// section 5-3-3). On the first and last node of a direction that is not periodic it is one-sided
/// (M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, table 25.2):
///
///     E(0) = (3 phi(0) - 4 phi(1) + phi(2)) / (2 h)
///
/// or of first order in a direction with two nodes. In a periodic direction with one or two nodes
/// the field is zero.

namespace tessera::pic {

template <class Storage>
struct ElectricFieldArgs {
  View<const Storage, 3> potential;  ///< nx x ny x nz, any strides
  Grid grid;
  /// Along x, y and z, nx x ny x nz each: potential per length. Any strides for which elements do
  /// not overlap; the arrays must not share memory with the potential.
  View<Storage, 3> field[3];
};

/// The spacing of the grid may change between calls; all else must stay the same.
struct ElectricFieldProblem {
  std::int64_t nodes[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
};

[[nodiscard]] inline ProblemKey problem_key(const ElectricFieldProblem& problem) {
  return {.size = problem.nodes[0] * problem.nodes[1] * problem.nodes[2]};
}

/// Checks the arguments of a call.
class ElectricFieldCheck {
 public:
  explicit ElectricFieldCheck(const ElectricFieldProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t* const n = problem_.nodes;
    constexpr const char* field[] = {"field along x", "field along y", "field along z"};
    for (int a = 0; a < 3; ++a)
      visit.output(field[a], args.field[a], {n[0], n[1], n[2]});
    visit.array("potential", args.potential, {n[0], n[1], n[2]});
    for (int a = 0; a < 3; ++a)
      visit.no_overlap(field[a], args.field[a], "potential", args.potential);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const ElectricFieldArgs<Storage>& args) const;

 private:
  ElectricFieldProblem problem_;
};

struct ElectricField : PlainOperation<ElectricFieldArgs, ElectricFieldProblem> {
  static constexpr std::string_view name = "pic/electric_field";
  using Check = ElectricFieldCheck;
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together or the grid is invalid.
template <class Storage>
[[nodiscard]] ElectricFieldProblem electric_field_problem(const ElectricFieldArgs<Storage>& args);

/// One call on the caller's arrays with the selected implementation. Keep a plan for repeated calls
/// with the same sizes.
template <class P = Double>
void electric_field(const Context& context, const ElectricFieldArgs<typename P::Storage>& args) {
  run_once<ElectricField, P>(electric_field_problem(args), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_HPP
