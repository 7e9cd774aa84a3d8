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
/// pic/green_function: what pic/poisson_solve convolves charge densities with. 4 pi epsilon_0 times
/// the potential of a unit charge, at (i hx, j hy, k hz) from it.
///
/// open, `integrated`: the mean of 1 / r over a cell, that is of a charge that fills its cell (J.
/// Qiang et al., Phys. Rev. ST Accel. Beams 9, 044204 (2006)). In closed form, the sum over the
/// eight corners of
///
///     F(x, y, z) = y z asinh(x / |(y, z)|) + x z asinh(y / |(x, z)|) + x y asinh(z / |(x, y)|)
///                  - x^2/2 atan(y z / (x r)) - y^2/2 atan(x z / (y r)) - z^2/2 atan(x y / (z r))
///
/// with signs, over hx hy hz. open, `point`: 1 / r, and at 0, where that is infinite, the mean over
/// the cell. Values scale: spacings that are s times as large make them 1 / s times.
///
/// periodic_z: of charges that vary along z as a wave of m periods in n hz, m = 0 to n / 2, a
/// potential that does so too: for m = 0 the logarithm -2 ln(rho / (n hz)), which is 0 one period
/// away, otherwise 2 K0(2 pi m rho / (n hz)) (J. D. Jackson, Classical Electrodynamics, section
/// 3.11, of a line of charge). `integrated` takes means over hx by hy, `point` values, but for the
/// mean at 0.
///
/// A point is wrong where cells are long. Of a Gaussian charge, eight deviations of which the grid
/// is wide, the root mean square error of kicks beside those of `integrated`
/// (tests/analytic/pic/test_point_green.cpp), by the longest side of a cell over its shortest:
///
///     nodes         1:1     1:2    1:3.4  1:4.8  1:8   1:16   1:100  1:1,000  1:10,000
///     16, one long  0.0022  0.018  0.082  0.19   0.55  1.7    14     150      1,500
///     16, two long  0.0022  0.016  0.087  0.24   0.87  3.9    150    14,000   1.4e6
///     32, one long  0.0006  0.005  0.026  0.066  0.22  0.80   8.9    97       980
///     32, two long  0.0006  0.004  0.029  0.085  0.34  1.7    76     7,500    7.5e5
///
/// Whichever directions are long, these are the errors to two digits. With a period along z long
/// cells there do no harm (0.0005 with 16 nodes). Beyond 1 : 2 + 0.09 n, with n nodes along the
/// direction that has the fewest, errors pass 10 %, and `point` is refused.
///
/// Relative errors are below 1e-7 where the grid has up to 1,024 nodes along each axis; those of
/// periodic_z relative to the value at 0 of the wave, with sides of a cell up to 10 : 1.

namespace tessera::pic {

enum class GreenKind { integrated, point };

[[nodiscard]] constexpr std::string_view name(GreenKind kind) {
  return kind == GreenKind::point ? "point" : "integrated";
}

struct GreenFunctionArgs {
  Grid grid;  ///< spacings, and along z the period
  /// (nx + 1) x (ny + 1) x (nz + 1), or x (nz / 2 + 1) where z is periodic; one over the unit of
  /// the spacings. Any strides that keep elements apart.
  View<double, 3> values;
};

/// The spacing of the grid may change from call to call, the rest may not.
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

/// What a call needs.
class GreenFunctionCheck {
 public:
  explicit GreenFunctionCheck(const GreenFunctionProblem& problem);
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
  using Check = GreenFunctionCheck;
  static constexpr Prepare prepare = Prepare::none;
};

/// The longest side of a cell over its shortest up to which the function of a point is off by at
/// most 10 % (see above).
/// \param nodes along each direction over which the charge spreads: a Gaussian with eight
/// deviations.
[[nodiscard]] double longest_point_cell(const double (&nodes)[3]);
/// The longest side of cells with these spacings over their shortest; with a period along z of the
/// two sides across, because waves along it are exact.
[[nodiscard]] double stretch_of_cells(const double (&spacing)[3], PoissonBoundary boundary);
/// The message about cells that are too long for it.
[[nodiscard]] std::string refusal_of_point_cells(double stretch, double longest);

/// The problem that `args` pose. \throws ArgumentError when the grid makes no sense, or its cells
/// are too long for the function of a point.
[[nodiscard]] GreenFunctionProblem green_function_problem(const GreenFunctionArgs& args,
                                                          GreenKind kind = GreenKind::integrated);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_HPP
