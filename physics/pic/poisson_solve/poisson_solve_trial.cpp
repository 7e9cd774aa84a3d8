#include "core/base/random.hpp"
#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/bunch_source.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "physics/pic/poisson_solve/poisson_solve_reference.hpp"
#include "physics/pic/trial_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::pic::poisson_solve_trial {

struct Data {
  Grid grid;
  bool x_fastest = false;
  bool walls = false;
  std::vector<double> density = {};
  std::vector<double> green = {};

  [[nodiscard]] PoissonBoundary boundary() const {
    if (walls) return PoissonBoundary::pipe;
    return grid.periodic[2] ? PoissonBoundary::periodic_z : PoissonBoundary::open;
  }
  [[nodiscard]] std::int64_t green_extent(int a) const {
    return a < 2 ? grid.nodes[a] + 1 : green_extent_z(boundary(), grid.nodes[2]);
  }
};

/// Random charges of either sign on all nodes and an arbitrary decaying function, so that a wrong
/// index changes every sum.
Data noise(std::int64_t nx, std::int64_t ny, std::int64_t nz, bool periodic = false,
           bool x_fastest = false) {
  Data data{{}, x_fastest};
  const std::int64_t nodes[3] = {nx, ny, nz};
  const double spacing[3] = {0.5, 0.3, 2};
  std::copy_n(nodes, 3, data.grid.nodes);
  std::copy_n(spacing, 3, data.grid.spacing);
  data.grid.periodic[2] = periodic;
  RandomSequence random(17);
  for (std::int64_t i = 0; i < nx * ny * nz; ++i)
    data.density.push_back(2 * random.uniform() - 0.5);
  for (std::int64_t i = 0; i < data.green_extent(0); ++i)
    for (std::int64_t j = 0; j < data.green_extent(1); ++j)
      for (std::int64_t k = 0; k < data.green_extent(2); ++k)
        data.green.push_back((0.5 + random.uniform()) /
                             std::sqrt(static_cast<double>(1 + i * i + j * j + k * k)));
  return data;
}

Data in_pipe(std::int64_t nx, std::int64_t ny, std::int64_t nz, bool x_fastest = false) {
  Data data = noise(nx, ny, nz, true, x_fastest);
  data.walls = true;
  data.green.clear();
  return data;
}

/// The same data with a density of a single charge, or of none.
Data with_charges(Data data, int charges) {
  std::fill(data.density.begin(), data.density.end(), 0.0);
  if (charges > 0) data.density[data.density.size() / 3] = 1;
  return data;
}

/// Grid eight times as long as wide.
Data beam(std::int64_t nodes, bool periodic) {
  const auto [nx, ny, nz] = beam_nodes(nodes, 4);
  return noise(nx, ny, nz, periodic, true);
}

std::vector<TrialRow<Data>> rows() {
  using N = std::int64_t;
  return {
      {{"beam", {64, 1000, 8 * 20 * 20 * 20}, {64 * 64 * 512}}, [](N n) { return beam(n, false); }},
      {{"beam, periodic z", {64, 1000}, {64 * 64 * 512}}, [](N n) { return beam(n, true); }},
      {{"cube", {64, 4096}, {64 * 64 * 64, 128 * 128 * 128}},
       [](N n) {
         const auto side = std::max<N>(4, std::llround(std::cbrt(static_cast<double>(n))));
         return noise(side, side, side);
       }},
      {{"odd", {5 * 7 * 9}, {}, false}, [](N) { return noise(5, 7, 9); }},
      {{"primes", {11 * 13 * 17}, {}, false}, [](N) { return noise(11, 13, 17); }},
      {{"primes, periodic z", {11 * 13 * 17}, {}, false},
       [](N) { return noise(11, 13, 17, true); }},
      {{"even, periodic z", {6 * 4 * 10}, {}, false},
       [](N) { return noise(6, 4, 10, true, true); }},
      {{"pipe", {64, 1000}, {64 * 64 * 512}},
       [](N n) {
         const auto [nx, ny, nz] = beam_nodes(n, 4);
         return in_pipe(nx, ny, nz, true);
       }},
      {{"pipe, odd", {5 * 7 * 9}, {}, false}, [](N) { return in_pipe(5, 7, 9); }},
      {{"pipe, primes", {11 * 4 * 13}, {}, false}, [](N) { return in_pipe(11, 4, 13); }},
      {{"powers of two", {8 * 16 * 32}, {}, false}, [](N) { return noise(8, 16, 32); }},
      {{"powers of two, periodic z", {16 * 8 * 32}, {}, false},
       [](N) { return noise(16, 8, 32, true, true); }},
      {{"one charge", {5 * 7 * 9}, {}, false}, [](N) { return with_charges(noise(5, 7, 9), 1); }},
      {{"one charge, periodic z", {5 * 7 * 9}, {}, false},
       [](N) { return with_charges(noise(5, 7, 9, true), 1); }},
      {{"pipe, one charge", {5 * 7 * 9}, {}, false},
       [](N) { return with_charges(in_pipe(5, 7, 9), 1); }},
      {{"no charge", {5 * 7 * 9}, {}, false}, [](N) { return with_charges(noise(5, 7, 9), 0); }},
      {{"a plate", {33 * 4 * 20}, {}, false}, [](N) { return noise(33, 4, 20, false, true); }},
  };
}

/// The grid of a run, with random charges on it.
std::optional<Data> from_source(const TrialSource& source) {
  const auto* const bunch = dynamic_cast<const BunchSource*>(&source);
  if (bunch == nullptr || !bunch->has_grid()) return std::nullopt;
  const auto [nx, ny, nz] = bunch->grid.nodes;
  Data data =
      bunch->walls ? in_pipe(nx, ny, nz, true) : noise(nx, ny, nz, bunch->grid.periodic[2], true);
  data.grid = bunch->grid;
  return data;
}

template <class P>
class PoissonSolveTrial final : public Trial<PoissonSolve, P> {
 public:
  using Storage = typename P::Storage;

  PoissonSolveTrial(const Context& context, const Data& data)
      : Trial<PoissonSolve, P>(context, static_cast<std::int64_t>(data.density.size())),
        data_(data),
        density_(this->template add<Storage>("density", TrialRole::input, shape(), data.density)),
        green_(data.walls ? nullptr
                          : &this->template add<double>("green", TrialRole::input, green_shape(),
                                                        data.green)),
        potential_(this->template add_output<Storage>("potential", shape())) {}

  [[nodiscard]] PoissonSolveProblem problem() override { return poisson_solve_problem(args()); }
  [[nodiscard]] PoissonSolveArgs<Storage> args() override {
    return {density_.template view<3>(),
            green_ == nullptr ? View<double, 3>() : green_->template view<3>(),
            data_.grid,
            data_.walls,
            1,
            potential_.template view<3>()};
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    // Bytes: density and potential, the transform of the Green function, and six passes over two,
    // four and eight times the nodes as needed. Flops: 5 n log2 n operations per transform.
    const double transforms = 2 * 2 * 2 + 2 * 2 * 4 + 2 * 2 * 4;
    return {"nodes", n, n * sizeof(Storage) * (3 + transforms), n * 14 * 2.5 * std::log2(8 * n)};
  }

 private:
  [[nodiscard]] TrialShape shape() const { return node_shape(data_.grid.nodes, data_.x_fastest); }
  [[nodiscard]] TrialShape green_shape() const {
    const std::int64_t y = data_.green_extent(1);
    const std::int64_t z = data_.green_extent(2);
    return {{data_.green_extent(0), y, z}, {y * z, z, 1}, false};
  }

  /// Nodes that are compared: all nodes of a small grid, some nodes of a large one, the first and
  /// the last included.
  [[nodiscard]] std::vector<std::int64_t> nodes() const {
    const std::int64_t n = this->items();
    const std::int64_t some = n <= 5000 ? n : n <= 100000 ? 1000 : 24;
    std::vector<std::int64_t> nodes;
    for (std::int64_t node = 0; node < some; ++node)
      nodes.push_back(some == 1 ? 0 : (n - 1) * node / (some - 1));
    return nodes;
  }

  [[nodiscard]] Verdict compare() override {
    const std::vector<std::int64_t> compared = nodes();
    const auto expected = this->template answer<std::vector<double>>({}, [&] {
      const std::vector<double> density(density_.source().begin(), density_.source().end());
      const std::int64_t* const n = data_.grid.nodes;
      const PoissonSolveArgs<double> args{
          {density.data(), {n[0], n[1], n[2]}},
          {data_.green.data(),
           {data_.green_extent(0), data_.green_extent(1), data_.green_extent(2)}},
          data_.grid,
          data_.walls,
          1,
          {}};
      return potentials_reference(PoissonSolveProblem{{n[0], n[1], n[2]}, data_.boundary()}, args,
                                  compared);
    });
    double largest = 0;
    for (const double potential : *expected)
      largest = std::fmax(largest, std::abs(potential));
    double error = 0;
    for (std::size_t c = 0; c < compared.size(); ++c)
      error = std::fmax(
          error, summed_error(static_cast<double>(
                                  potential_.values()[static_cast<std::size_t>(compared[c])]),
                              (*expected)[c], largest));
    return Verdict::measured(error, sizeof(Storage) == 8 ? 1e-13 : 2e-5, "potential");
  }

  Data data_;
  TrialArray<Storage>& density_;
  TrialArray<double>* green_;
  TrialArray<Storage>& potential_;
};

/// Trials of pic/poisson_solve. Error: the largest difference over the largest potential.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<PoissonSolve, PoissonSolveTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::pic::poisson_solve_trial
