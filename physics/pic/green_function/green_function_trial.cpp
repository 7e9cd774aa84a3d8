#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/bunch_source.hpp"
#include "physics/pic/green_function/green_function.hpp"
#include "physics/pic/green_function/green_function_reference.hpp"
#include "physics/pic/trial_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::pic::green_function_trial {

struct Data {
  GreenFunctionProblem problem;
  Grid grid;

  [[nodiscard]] std::int64_t extent(int a) const {
    return a < 2 ? problem.nodes[a] + 1 : green_extent_z(problem.boundary, problem.nodes[2]);
  }
  [[nodiscard]] std::int64_t values() const { return extent(0) * extent(1) * extent(2); }
};

struct Spacing {
  double x, y, z;
};

Data grid_of(std::int64_t nx, std::int64_t ny, std::int64_t nz, const Spacing& h,
             PoissonBoundary boundary, GreenKind kind) {
  Data data{{{nx, ny, nz}, boundary, kind}, {}};
  std::copy_n(data.problem.nodes, 3, data.grid.nodes);
  data.grid.spacing[0] = h.x;
  data.grid.spacing[1] = h.y;
  data.grid.spacing[2] = h.z;
  data.grid.periodic[2] = boundary == PoissonBoundary::periodic_z;
  return data;
}

/// A grid eight times as long as wide.
Data beam(std::int64_t nodes, PoissonBoundary boundary) {
  const auto [nx, ny, nz] = beam_nodes(nodes, 4);
  return grid_of(nx, ny, nz, {1e-4, 1.2e-4, 3e-3}, boundary, GreenKind::integrated);
}

std::vector<TrialRow<Data>> rows() {
  using N = std::int64_t;
  using enum PoissonBoundary;
  using enum GreenKind;
  return {
      {{"beam", {64, 1000}, {64 * 64 * 512}}, [](N n) { return beam(n, open); }},
      {{"beam, periodic z", {64, 1000}, {64 * 64 * 512}}, [](N n) { return beam(n, periodic_z); }},
      {{"cubes", {512}, {}, false},
       [](N) {
         return grid_of(8, 8, 8, {1, 1, 1}, open, integrated);
       }},
      {{"points", {5 * 4 * 7}, {}, false},
       [](N) {
         return grid_of(5, 4, 7, {1, 1.5, 0.7}, open, point);
       }},
      {{"plates", {5 * 4 * 7}, {}, false},
       [](N) {
         return grid_of(5, 4, 7, {1, 0.7, 0.01}, open, integrated);
       }},
      {{"rods", {5 * 4 * 7}, {}, false},
       [](N) {
         return grid_of(5, 4, 7, {1e-9, 0.3e-9, 2e-7}, open, integrated);
       }},
      {{"a long beam", {4 * 4 * 300}, {}, false},
       [](N) {
         return grid_of(4, 4, 300, {1, 1, 1}, open, integrated);
       }},
      {{"points, periodic z", {5 * 4 * 7}, {}, false},
       [](N) {
         return grid_of(5, 4, 7, {1, 1.5, 0.7}, periodic_z, point);
       }},
      {{"short waves", {5 * 4 * 32}, {}, false},
       [](N) {
         return grid_of(5, 4, 32, {1, 0.8, 0.1}, periodic_z, integrated);
       }},
      {{"long waves", {5 * 4 * 9}, {}, false},
       [](N) {
         return grid_of(5, 4, 9, {1, 0.2, 50}, periodic_z, integrated);
       }},
  };
}

/// The Green function for the grid of a run; absent with walls, which need none.
std::optional<Data> from_source(const TrialSource& source) {
  const auto* const bunch = dynamic_cast<const BunchSource*>(&source);
  if (bunch == nullptr || !bunch->has_grid() || bunch->walls) return std::nullopt;
  const Grid& grid = bunch->grid;
  const PoissonBoundary boundary =
      grid.periodic[2] ? PoissonBoundary::periodic_z : PoissonBoundary::open;
  return Data{{{grid.nodes[0], grid.nodes[1], grid.nodes[2]}, boundary, bunch->green}, grid};
}

template <class P>
class GreenFunctionTrial final : public Trial<GreenFunction, P> {
 public:
  GreenFunctionTrial(const Context& context, const Data& data)
      : Trial<GreenFunction, P>(context, data.values()),
        data_(data),
        values_(this->template plain_array<double>("values")) {}

  [[nodiscard]] GreenFunctionProblem problem() override { return data_.problem; }
  [[nodiscard]] GreenFunctionArgs args() override {
    GreenFunctionArgs args = this->arguments(problem());
    args.grid = data_.grid;
    return args;
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    // Operations of the closed form as a GPU executes them.
    constexpr double flops = 200;
    return {"values", n, n * sizeof(double), n * flops};
  }

 private:
  struct Sample {
    std::int64_t i, j, k;
    double value, scale;
  };

  /// Samples of the oracle: the values near 0, and one in `every` of the others.
  [[nodiscard]] std::vector<Sample> oracle() const {
    constexpr std::int64_t most = 1500;
    const std::int64_t every = std::max<std::int64_t>(1, this->items() / most);
    std::vector<Sample> samples;
    std::vector<double> at_zero(static_cast<std::size_t>(data_.extent(2)), 0);
    std::int64_t number = 0;
    for (std::int64_t i = 0; i < data_.extent(0); ++i)
      for (std::int64_t j = 0; j < data_.extent(1); ++j)
        for (std::int64_t k = 0; k < data_.extent(2); ++k) {
          const bool near = i < 2 && j < 2 && k < 2;
          if (number++ % every != 0 && !near) continue;
          const double value = green_value_reference(data_.problem, data_.grid, i, j, k);
          double scale = std::abs(value);
          if (data_.problem.boundary == PoissonBoundary::periodic_z) {
            double& zero = at_zero[static_cast<std::size_t>(k)];
            if (zero == 0) zero = green_value_reference(data_.problem, data_.grid, 0, 0, k);
            scale = std::abs(zero);
          }
          samples.push_back({i, j, k, value, scale});
        }
    return samples;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<std::vector<Sample>>({}, [&] { return oracle(); });
    const std::int64_t y = data_.extent(1);
    const std::int64_t z = data_.extent(2);
    double error = 0;
    for (const Sample& sample : *expected)
      error = std::fmax(
          error,
          summed_error(
              values_.values()[static_cast<std::size_t>((sample.i * y + sample.j) * z + sample.k)],
              sample.value, sample.scale));
    return Verdict::measured(error, 1e-8, "values");
  }

  Data data_;
  TrialArray<double>& values_;
};

/// Trials of pic/green_function. Error: the largest relative error; with a period, relative to the
/// value of the wave at 0.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<GreenFunction, GreenFunctionTrial, Data>>(rows(),
                                                                                from_source);
}

}  // namespace tessera::pic::green_function_trial
