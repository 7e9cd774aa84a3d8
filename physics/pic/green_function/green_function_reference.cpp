#include "physics/pic/green_function/green_function_reference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera::pic {
namespace {

constexpr int points = 6;
constexpr double point[points] = {-0.93246951420315203, -0.66120938646626451, -0.23861918608319691,
                                  0.23861918608319691,  0.66120938646626451,  0.93246951420315203};
constexpr double weight[points] = {0.17132449237917035, 0.36076157304813861, 0.46791393457269105,
                                   0.46791393457269105, 0.36076157304813861, 0.17132449237917035};

/// K0 as the integral of exp(-x cosh t) over t (M. Abramowitz, I. A. Stegun, Handbook of
/// Mathematical Functions, 9.6.24), with the trapezoidal rule.
double bessel_k0(double x) {
  constexpr double step = 1.0 / 16;
  double sum = std::exp(-x) / 2;
  for (int k = 1; k < 1000; ++k) {
    const double part = std::exp(-x * std::cosh(step * k));
    sum += part;
    if (x * (std::cosh(step * k) - 1) > 45) break;
  }
  return step * sum;
}

struct Box {
  double lower[3], upper[3];
};

/// Integral over a box. The box is halved along its longest side until this side is shorter than
/// 0.8 times its distance from 0, and than `smooth`.
template <class Value>
double integral(const Value& value, const Box& box, int axes, double smooth, int depth) {
  double nearest = 0;
  double longest = 0;
  int along = 0;
  for (int a = 0; a < axes; ++a) {
    const double inside = box.lower[a] * box.upper[a] <= 0
                              ? 0
                              : std::min(std::abs(box.lower[a]), std::abs(box.upper[a]));
    nearest += inside * inside;
    if (box.upper[a] - box.lower[a] > longest) {
      longest = box.upper[a] - box.lower[a];
      along = a;
    }
  }
  if (depth > 0 && longest > std::min(0.8 * std::sqrt(nearest), smooth)) {
    Box lower = box;
    Box upper = box;
    lower.upper[along] = upper.lower[along] = (box.lower[along] + box.upper[along]) / 2;
    return integral(value, lower, axes, smooth, depth - 1) +
           integral(value, upper, axes, smooth, depth - 1);
  }
  double sum = 0;
  const auto place = [&](int a, int p) {
    return (box.lower[a] + box.upper[a]) / 2 + point[p] * (box.upper[a] - box.lower[a]) / 2;
  };
  for (int p = 0; p < points; ++p)
    for (int q = 0; q < points; ++q)
      for (int r = 0; r < (axes == 3 ? points : 1); ++r)
        sum += weight[p] * weight[q] * (axes == 3 ? weight[r] : 1) *
               value(place(0, p), place(1, q), axes == 3 ? place(2, r) : 0);
  for (int a = 0; a < axes; ++a)
    sum *= (box.upper[a] - box.lower[a]) / 2;
  return sum;
}

/// Mean of `value` over the cell around a node.
template <class Value>
double mean(const Value& value, const double (&node)[3], const double* spacing, int axes,
            double smooth) {
  // In a direction in which the cell contains 0, integrates one half and doubles it, so that 0 is a
  // corner.
  Box box{};
  double sum = 1;
  double size = 1;
  for (int a = 0; a < axes; ++a) {
    box.lower[a] = node[a] > 0 ? node[a] - spacing[a] / 2 : 0;
    box.upper[a] = node[a] + spacing[a] / 2;
    sum *= node[a] > 0 ? 1 : 2;
  }
  sum *= integral(value, box, axes, smooth, 16 * axes);
  for (int a = 0; a < axes; ++a)
    size *= spacing[a];
  return sum / size;
}

}  // namespace

double green_value_reference(const GreenFunctionProblem& problem, const Grid& grid, std::int64_t i,
                             std::int64_t j, std::int64_t k) {
  const double* const h = grid.spacing;
  const double node[3] = {static_cast<double>(i) * h[0], static_cast<double>(j) * h[1],
                          static_cast<double>(k) * h[2]};
  const auto distance = [](double x, double y, double z) {
    return std::sqrt(x * x + y * y + z * z);
  };
  if (problem.boundary == PoissonBoundary::open) {
    const auto inverse = [&](double x, double y, double z) { return 1 / distance(x, y, z); };
    if (problem.kind == GreenKind::point && i + j + k > 0)
      return inverse(node[0], node[1], node[2]);
    return mean(inverse, node, h, 3, INFINITY);
  }
  const double period = static_cast<double>(grid.nodes[2]) * h[2];
  const double wave = 2 * std::numbers::pi * static_cast<double>(k) / period;
  const auto of_wave = [&](double x, double y, double) {
    const double rho = distance(x, y, 0);
    return 2 * (k > 0 ? bessel_k0(wave * rho) : std::log(period / rho));
  };
  if (problem.kind == GreenKind::point && i + j > 0) return of_wave(node[0], node[1], 0);
  return mean(of_wave, node, h, 2, k > 0 ? 2 / wave : INFINITY);
}

template <class Storage>
void green_function_reference(const GreenFunctionProblem& problem, const GreenFunctionArgs& args) {
  const std::int64_t nz = green_extent_z(problem.boundary, problem.nodes[2]);
  for (std::int64_t i = 0; i <= problem.nodes[0]; ++i)
    for (std::int64_t j = 0; j <= problem.nodes[1]; ++j)
      for (std::int64_t k = 0; k < nz; ++k)
        args.values(i, j, k) = green_value_reference(problem, args.grid, i, j, k);
}

template void green_function_reference<double>(const GreenFunctionProblem&,
                                               const GreenFunctionArgs&);

}  // namespace tessera::pic
