#include "physics/pic/poisson_solve/poisson_solve_reference.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

namespace tessera::pic {
namespace {

std::vector<double> cosines(std::int64_t n) {
  std::vector<double> values;
  for (std::int64_t d = 0; d < n; ++d)
    values.push_back(
        std::cos(2 * std::numbers::pi * static_cast<double>(d) / static_cast<double>(n)));
  return values;
}

/// Values of g at all distances along z; with waves, their sum at each distance.
std::vector<double> along_z(const PoissonSolveProblem& problem, View<const double, 3> green,
                            const std::vector<double>& cosine, std::int64_t i, std::int64_t j) {
  const std::int64_t n = problem.nodes[2];
  std::vector<double> values(static_cast<std::size_t>(n), 0.0);
  for (std::int64_t d = 0; d < n; ++d) {
    double& value = values[static_cast<std::size_t>(d)];
    if (problem.boundary == PoissonBoundary::open) {
      value = green(i, j, d);
      continue;
    }
    for (std::int64_t m = 0; m <= n / 2; ++m)
      value += (m == 0 || 2 * m == n ? 1 : 2) * green(i, j, m) / static_cast<double>(n) *
               cosine[static_cast<std::size_t>(m * d % n)];
  }
  return values;
}

/// Potentials between walls: transforms along z, y and x one after the other, as explicit sums of
/// sines and cosines, and the inverse sums for the requested nodes.
template <class Storage>
std::vector<double> potentials_in_pipe(const PoissonSolveProblem& problem,
                                       const PoissonSolveArgs<Storage>& args,
                                       const std::vector<std::int64_t>& nodes) {
  const std::int64_t* const n = problem.nodes;
  constexpr double pi = std::numbers::pi;
  /// Basis function number f at node j: transverse sines; along z the cosines of the period, then
  /// its sines.
  const auto function = [&](int a, std::int64_t f, std::int64_t j) {
    const auto size = static_cast<double>(n[a]);
    if (a < 2)
      return std::sin(pi * static_cast<double>(f + 1) * (static_cast<double>(j) + 0.5) / size);
    const std::int64_t m = f <= n[2] / 2 ? f : f - n[2] / 2;
    const double angle = 2 * pi * static_cast<double>(m) * static_cast<double>(j) / size;
    return f <= n[2] / 2 ? std::cos(angle) : std::sin(angle);
  };
  /// Sum of the squares of a function over the nodes.
  const auto norm = [&](int a, std::int64_t f) {
    const auto size = static_cast<double>(n[a]);
    const bool whole = a < 2 ? f + 1 == n[a] : f == 0 || 2 * f == n[2];
    return whole ? size : size / 2;
  };
  std::vector<double> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  const auto place = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<std::size_t>((i * n[1] + j) * n[2] + k);
  };
  for (std::int64_t i = 0; i < n[0]; ++i)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t k = 0; k < n[2]; ++k)
        values[place(i, j, k)] = static_cast<double>(args.density(i, j, k));
  for (int a = 2; a >= 0; --a) {
    const std::vector<double> before = values;
    std::vector<double> table;
    for (std::int64_t f = 0; f < n[a]; ++f)
      for (std::int64_t j = 0; j < n[a]; ++j)
        table.push_back(function(a, f, j) / norm(a, f));
    std::int64_t at[3];
    for (at[0] = 0; at[0] < n[0]; ++at[0])
      for (at[1] = 0; at[1] < n[1]; ++at[1])
        for (at[2] = 0; at[2] < n[2]; ++at[2]) {
          double sum = 0;
          std::int64_t from[3] = {at[0], at[1], at[2]};
          for (from[a] = 0; from[a] < n[a]; ++from[a])
            sum += table[static_cast<std::size_t>(at[a] * n[a] + from[a])] *
                   before[place(from[0], from[1], from[2])];
          values[place(at[0], at[1], at[2])] = sum;
        }
  }
  const auto wave = [&](int a, std::int64_t f) {
    const std::int64_t m = a < 2 ? f + 1 : f <= n[2] / 2 ? 2 * f : 2 * (f - n[2] / 2);
    return pi * static_cast<double>(m) / (static_cast<double>(n[a]) * args.grid.spacing[a]);
  };
  std::vector<double> potentials;
  for (const std::int64_t node : nodes) {
    std::vector<double> along_z;
    for (std::int64_t k = 0; k < n[2]; ++k)
      along_z.push_back(function(2, k, node % n[2]));
    double sum = 0;
    for (std::int64_t i = 0; i < n[0]; ++i)
      for (std::int64_t j = 0; j < n[1]; ++j) {
        const double across = wave(0, i) * wave(0, i) + wave(1, j) * wave(1, j);
        double along = 0;
        for (std::int64_t k = 0; k < n[2]; ++k)
          along += along_z[static_cast<std::size_t>(k)] * values[place(i, j, k)] /
                   (across + wave(2, k) * wave(2, k));
        sum += function(0, i, node / n[2] / n[1]) * function(1, j, node / n[2] % n[1]) * along;
      }
    potentials.push_back(4 * pi * args.coefficient * sum);
  }
  return potentials;
}

}  // namespace

template <class Storage>
std::vector<double> potentials_reference(const PoissonSolveProblem& problem,
                                         const PoissonSolveArgs<Storage>& args,
                                         const std::vector<std::int64_t>& nodes) {
  if (problem.boundary == PoissonBoundary::pipe) return potentials_in_pipe(problem, args, nodes);
  const std::int64_t* const n = problem.nodes;
  const double* const h = args.grid.spacing;
  const bool open = problem.boundary == PoissonBoundary::open;
  const double factor = args.coefficient * h[0] * h[1] * (open ? h[2] : 1);
  std::vector<double> potentials(nodes.size(), 0.0);
  const std::vector<double> cosine = cosines(n[2]);
  for (std::int64_t di = 0; di < n[0]; ++di)
    for (std::int64_t dj = 0; dj < n[1]; ++dj) {
      const std::vector<double> green = along_z(problem, args.green, cosine, di, dj);
      for (std::size_t node = 0; node < nodes.size(); ++node) {
        const std::int64_t k = nodes[node] % n[2];
        const std::int64_t j = nodes[node] / n[2] % n[1];
        const std::int64_t i = nodes[node] / n[2] / n[1];
        for (const std::int64_t from_i : {i - di, i + di})
          for (const std::int64_t from_j : {j - dj, j + dj}) {
            if (from_i < 0 || from_i >= n[0] || from_j < 0 || from_j >= n[1]) continue;
            double sum = 0;
            for (std::int64_t from = 0; from < n[2]; ++from)
              sum += green[static_cast<std::size_t>(std::abs(k - from))] *
                     static_cast<double>(args.density(from_i, from_j, from));
            // Each distance along a direction is visited once for either sign; the distance 0 is
            // visited twice and counts by half.
            const double share = (di == 0 ? 0.5 : 1) * (dj == 0 ? 0.5 : 1);
            potentials[node] += share * sum;
          }
      }
    }
  for (double& potential : potentials)
    potential *= factor;
  return potentials;
}

template <class Storage>
void poisson_solve_reference(const PoissonSolveProblem& problem,
                             const PoissonSolveArgs<Storage>& args) {
  const std::int64_t* const n = problem.nodes;
  std::vector<std::int64_t> nodes(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  std::iota(nodes.begin(), nodes.end(), std::int64_t{0});
  const std::vector<double> potentials = potentials_reference(problem, args, nodes);
  for (const std::int64_t node : nodes)
    args.potential(node / n[2] / n[1], node / n[2] % n[1], node % n[2]) =
        static_cast<Storage>(potentials[static_cast<std::size_t>(node)]);
}

template void poisson_solve_reference<double>(const PoissonSolveProblem&,
                                              const PoissonSolveArgs<double>&);
template void poisson_solve_reference<float>(const PoissonSolveProblem&,
                                             const PoissonSolveArgs<float>&);
template std::vector<double> potentials_reference<double>(const PoissonSolveProblem&,
                                                          const PoissonSolveArgs<double>&,
                                                          const std::vector<std::int64_t>&);
template std::vector<double> potentials_reference<float>(const PoissonSolveProblem&,
                                                         const PoissonSolveArgs<float>&,
                                                         const std::vector<std::int64_t>&);

}  // namespace tessera::pic
