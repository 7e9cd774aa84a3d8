#ifndef TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_HPP
#define TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/implementation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/poisson_boundary.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// pic/green_function: Green function that pic/poisson_solve convolves with charge densities: 4 pi
/// epsilon_0 times the potential of a unit charge, at (i hx, j hy, k hz) from it.
///
/// open, `integrated`: the mean of 1 / r over a cell, the potential of a charge that fills its cell
/// (J. Qiang et al., Phys. Rev. ST Accel. Beams 9, 044204 (2006)). In closed form it is the sum
/// over the eight corners of
///
///     F(x, y, z) = y z asinh(x / |(y, z)|) + x z asinh(y / |(x, z)|) + x y asinh(z / |(x, y)|)
///                  - x^2/2 atan(y z / (x r)) - y^2/2 atan(x z / (y r)) - z^2/2 atan(x y / (z r))
///
/// with signs, over hx hy hz. open, `point`: 1 / r, and at 0, where that is infinite, the mean over
/// the cell. Values scale: spacings that are s times as large give 1 / s times the values.
///
/// periodic_z: the potential, along z a wave too, of line charges that vary along z as a wave of m
/// periods in n hz, m = 0 to n / 2: for m = 0 the logarithm -2 ln(rho / (n hz)), which is 0 at a
/// distance of one period, otherwise 2 K0(2 pi m rho / (n hz)) (J. D. Jackson, Classical
/// Electrodynamics, section 3.11). `integrated` is the mean over hx by hy; `point` is the value,
/// except for the mean at 0.
///
/// `point` is inaccurate for long cells. The table shows the root mean square error of the kicks of
/// a Gaussian charge relative to those of `integrated` (tests/analytic/pic/test_point_green.cpp),
/// on a grid eight deviations wide, by the ratio of the shortest to the longest side of a cell:
///
///     nodes         1:1     1:2    1:3.4  1:4.8  1:8   1:16   1:100  1:1,000  1:10,000
///     16, one long  0.0022  0.018  0.082  0.19   0.55  1.7    14     150      1,500
///     16, two long  0.0022  0.016  0.087  0.24   0.87  3.9    150    14,000   1.4e6
///     32, one long  0.0006  0.005  0.026  0.066  0.22  0.80   8.9    97       980
///     32, two long  0.0006  0.004  0.029  0.085  0.34  1.7    76     7,500    7.5e5
///
/// To two digits it does not matter which directions are long. With a period along z, cells that
/// are long along z cause no error (0.0005 with 16 nodes). Beyond 1 : 2 + 0.09 n, with n the
/// smallest number of nodes along a direction, errors exceed 10 %, and `point` is refused.
///
/// Relative errors are below 1e-7 on grids of up to 1,024 nodes along each axis; for periodic_z
/// they are relative to the value of the wave at 0, for ratios of the sides of a cell up to 10 : 1.

namespace tessera::pic {

enum class GreenKind { integrated, point };

[[nodiscard]] constexpr std::string_view name(GreenKind kind) {
  return kind == GreenKind::point ? "point" : "integrated";
}

struct GreenFunctionArgs {
  Grid grid;  ///< spacings, and the period along z
  /// (nx + 1) x (ny + 1) x (nz + 1) values, or (nx + 1) x (ny + 1) x (nz / 2 + 1) if z is periodic;
  /// in the inverse of the unit of the spacings. Any strides for which elements do not overlap.
  View<double, 3> values;
};

/// The spacing of the grid may change between calls; all else must stay the same.
struct GreenFunctionProblem {
  std::int64_t nodes[3] = {0, 0, 0};
  PoissonBoundary boundary = PoissonBoundary::open;
  GreenKind kind = GreenKind::integrated;
};

[[nodiscard]] inline ProblemKey problem_key(const GreenFunctionProblem& problem) {
  return {problem.nodes[0] * problem.nodes[1] * problem.nodes[2],
          {{"boundary", std::string(name(problem.boundary))},
           {"kind", std::string(name(problem.kind))}},
          {}};
}

/// Checks the arguments of a call.
class GreenFunctionCheck {
 public:
  explicit GreenFunctionCheck(const GreenFunctionProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t* const n = problem_.nodes;
    visit.output("values", args.values,
                 {n[0] + 1, n[1] + 1, green_extent_z(problem_.boundary, n[2])});
  }
  void operator()(ArgumentCheck& check, const GreenFunctionArgs& args) const;

 private:
  GreenFunctionProblem problem_;
};

struct GreenFunction {
  static constexpr std::string_view name = "pic/green_function";
  template <class P>
  using Args = GreenFunctionArgs;
  using Problem = GreenFunctionProblem;
  using PlanInterface = NoPlanInterface;
  using Features = NoFeatures;
  static constexpr OperationTraits traits{};
  using Check = GreenFunctionCheck;
};

/// Largest ratio of the longest to the shortest side of a cell for which the error of the point
/// function is at most 10 % (see above).
/// \param nodes along each direction over which the charge extends; for a Gaussian, eight
/// deviations.
[[nodiscard]] double longest_point_cell(const double (&nodes)[3]);
/// Ratio of the longest to the shortest side of cells with these spacings; with a period along z,
/// of the two transverse sides only, because waves along z are exact.
[[nodiscard]] double stretch_of_cells(const double (&spacing)[3], PoissonBoundary boundary);
/// Error message about cells that are too long for the point function.
[[nodiscard]] std::string refusal_of_point_cells(double stretch, double longest);

/// The problem that `args` describe.
/// \throws ArgumentError if the grid is invalid or its cells are too long for the point function.
[[nodiscard]] GreenFunctionProblem green_function_problem(const GreenFunctionArgs& args,
                                                          GreenKind kind = GreenKind::integrated);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_HPP
