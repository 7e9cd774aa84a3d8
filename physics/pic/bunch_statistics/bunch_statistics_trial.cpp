#include "core/base/random.hpp"
#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/bunch_source.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics_reference.hpp"
#include "physics/pic/trial_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::pic::bunch_statistics_trial {

constexpr std::size_t columns = coordinates_of_particle;

struct Data {
  Determinism determinism = Determinism::none;
  bool by_column = true;                 ///< each coordinate contiguous in memory
  std::vector<double> coordinates = {};  ///< particles x 6
  std::vector<std::uint8_t> alive = {};
  std::vector<double> weights = {};

  [[nodiscard]] std::int64_t items() const { return static_cast<std::int64_t>(alive.size()); }
};

/// Particles with correlated coordinates around `mean`, with deviations of `size` and small
/// multiples of it.
Data bunch(std::int64_t particles, double mean, double size) {
  Data data;
  RandomSequence random(11 + static_cast<std::uint64_t>(particles));
  data.coordinates.reserve(static_cast<std::size_t>(particles) * columns);
  for (std::int64_t p = 0; p < particles; ++p) {
    double shared = 0;
    for (std::size_t a = 0; a < columns; ++a) {
      // The sum of three uniform numbers is nearly Gaussian.
      const double own = random.uniform(-1, 1) + random.uniform(-1, 1) + random.uniform(-1, 1);
      if (a % 2 == 0) shared = own;
      data.coordinates.push_back(mean + size * static_cast<double>(a + 1) * (own + 0.7 * shared));
    }
    data.alive.push_back(random.uniform() < 0.2 ? 0 : 1);
    data.weights.push_back(random.uniform(0.5, 1.5));
  }
  return data;
}

/// Applies `change` to one particle in `every`, whether or not it is lost.
template <class Change>
Data with_some(Data data, std::int64_t every, const Change& change) {
  for (std::int64_t p = 0; p < data.items(); p += every)
    change(data, static_cast<std::size_t>(p));
  return data;
}

/// A bunch in which some coordinates and weights are infinite or NaN.
Data not_finite(std::int64_t particles) {
  return with_some(bunch(particles, 0.1, 1), 7, [](Data& data, std::size_t p) {
    const double bad = p % 3 == 0 ? NAN : p % 3 == 1 ? INFINITY : -INFINITY;
    if (p % 4 == 0)
      data.weights[p] = bad;
    else
      data.coordinates[p * columns + p % columns] = bad;
  });
}

/// A bunch in which the particles of the sample are far from all others.
Data misleading(std::int64_t particles) {
  return with_some(bunch(particles, 0, 1), std::max<std::int64_t>(particles / 32, 1),
                   [](Data& data, std::size_t p) {
                     for (std::size_t a = 0; a < columns; ++a)
                       data.coordinates[p * columns + a] += 1e7;
                   });
}

/// Particles in two clusters, and one particle far outside.
Data clustered(std::int64_t particles) {
  Data data = with_some(bunch(particles, -1, 1e-6), 3, [](Data& d, std::size_t p) {
    for (std::size_t a = 0; a < columns; ++a)
      d.coordinates[p * columns + a] += 3;
  });
  if (particles > 1) data.coordinates[columns + 2] = 1e4;
  return data;
}

Data constant(std::int64_t particles) {
  return with_some(bunch(particles, 0, 1), 1, [](Data& data, std::size_t p) {
    const double same[] = {0.1, -3e5, 0, -0.0, 1e-30, 7};
    std::copy(same, same + columns,
              data.coordinates.begin() + static_cast<std::ptrdiff_t>(p * columns));
  });
}

Data all_lost(std::int64_t particles) {
  Data data = bunch(particles, 1, 1);
  data.alive.assign(data.alive.size(), 0);
  return data;
}

/// Weights of different powers of ten from 1 to a millionth, and zeros.
Data uneven(std::int64_t particles) {
  return with_some(bunch(particles, 3, 1), 1, [](Data& data, std::size_t p) {
    data.weights[p] = p % 5 == 0 ? 0 : std::pow(10, -static_cast<double>(p % 7));
  });
}

Data by_particle(Data data) {
  data.by_column = false;
  return data;
}

Data in_any_order(Data data) {
  data.determinism = Determinism::any_order;
  return data;
}

/// The bunch of a run.
std::optional<Data> from_source(const TrialSource& source) {
  const auto* const bunch = dynamic_cast<const BunchSource*>(&source);
  if (bunch == nullptr) return std::nullopt;
  return Data{bunch->determinism, true, bunch->coordinates(), bunch->alive,
              std::vector<double>(bunch->alive.size(), 1)};
}

std::vector<TrialRow<Data>> rows() {
  using N = std::int64_t;
  return {
      {{"bunch", {0, 1, 2, 33, 1000, 100003}, {32000, 1000000, 21000000}},
       [](N n) { return bunch(n, 1e-4, 1e-3); }},
      {{"bunch, by particle", {33, 4099}, {21000000}},
       [](N n) { return by_particle(bunch(n, 1e-4, 1e-3)); }},
      {{"narrow at 1 m", {1, 2, 33, 100003}}, [](N n) { return bunch(n, 1, 1e-9); }},
      {{"far from zero", {2, 4099}}, [](N n) { return by_particle(bunch(n, -1e8, 1)); }},
      {{"not finite", {1, 33, 4099}}, not_finite},
      {{"misleading sample", {33, 10007}}, misleading},
      {{"clustered", {33, 4099}}, clustered},
      {{"constant", {1, 5000}}, constant},
      {{"all lost", {1, 300}}, all_lost},
      {{"uneven weights", {33, 4099}}, uneven},
      {{"bunch in any order", {0, 1, 33, 20011}, {32000, 1000000, 21000000}},
       [](N n) { return in_any_order(bunch(n, 1e-4, 1e-3)); }},
      {{"narrow at 1 m in any order", {2, 4099}},
       [](N n) { return in_any_order(by_particle(bunch(n, 1, 1e-9))); }},
      {{"not finite in any order", {1, 33, 4099}}, [](N n) { return in_any_order(not_finite(n)); }},
      {{"clustered in any order", {33, 4099}}, [](N n) { return in_any_order(clustered(n)); }},
      {{"constant in any order", {1, 5000}}, [](N n) { return in_any_order(constant(n)); }},
      {{"uneven weights in any order", {4099}}, [](N n) { return in_any_order(uneven(n)); }},
  };
}

template <class P>
class BunchStatisticsTrial final : public DataTrial<BunchStatistics, P, Data> {
 public:
  using Base = DataTrial<BunchStatistics, P, Data>;
  using Storage = typename P::Storage;

  BunchStatisticsTrial(const Context& context, const Data& data) : Base(context, data) {
    choose(0);
  }

  [[nodiscard]] BunchStatisticsProblem problem() override {
    return {this->items(), this->data_.determinism};
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    const double beside = (alive_.given() ? 1 : 0) + (weights_.given() ? 8 : 0);
    return {"particles", n, n * (6 * sizeof(Storage) + beside), n * 2 * 27};
  }

  /// Ways: weights of 1 without and with the flags of lost particles; then other weights, likewise.
  [[nodiscard]] int ways() const override { return 4; }
  void choose(int way) override {
    alive_.give(way % 2 == 1);
    weights_.give(way >= 2);
  }

 private:
  using Numbers = std::vector<double>;

  [[nodiscard]] static TrialShape shape(const Data& data) {
    return bunch_shape(data.items(), data.by_column);
  }

  [[nodiscard]] Numbers oracle() const {
    Numbers numbers(bunch_number::count);
    const std::int64_t n = this->items();
    BunchStatisticsArgs<Storage> args;
    args.coordinates = {coordinates_.source().data(), {n, 6}};
    if (alive_.given()) args.alive = {alive_.source().data(), {n}};
    if (weights_.given()) args.weights = {weights_.source().data(), {n}};
    args.result = {numbers.data(), {bunch_number::count}};
    bunch_statistics_reference({n, this->data_.determinism}, args);
    return numbers;
  }

  [[nodiscard]] Verdict compare() override {
    const std::string way = std::string(alive_.given() ? "some are lost" : "all") +
                            (weights_.given() ? ", weights" : "");
    const auto expected = this->template answer<Numbers>(way, [&] { return oracle(); });
    const BunchMoments known{*expected};
    const BunchMoments found{result_.values()};
    if (found.particles != known.particles || found.not_finite != known.not_finite)
      return Verdict::failure(std::to_string(found.particles) + " particles count, and " +
                              std::to_string(found.not_finite) + " are not finite, expected " +
                              std::to_string(known.particles) + " and " +
                              std::to_string(known.not_finite));
    constexpr double tolerance = 1e-13;
    // Relative rounding error of a mean: the spacing of floating-point numbers.
    constexpr double rounding = 0x1p-52;
    double worst = error(found.weight, known.weight, known.weight);
    double size[columns];
    for (std::size_t a = 0; a < columns; ++a) {
      if (found.least[a] != known.least[a] || found.greatest[a] != known.greatest[a])
        return Verdict::failure("the least or the greatest of column " + std::to_string(a) +
                                " is another one");
      size[a] = std::sqrt(known.second[a][a]) + rounding * std::abs(known.mean[a]);
      worst = std::fmax(worst, error(found.mean[a], known.mean[a],
                                     size[a] + std::abs(known.mean[a]) * rounding / tolerance));
    }
    for (std::size_t a = 0; a < columns; ++a)
      for (std::size_t b = 0; b < columns; ++b)
        worst = std::fmax(worst, error(found.second[a][b], known.second[a][b], size[a] * size[b]));
    return Verdict::measured(worst, tolerance, "weight, means and second moments");
  }

  /// Error of a number relative to `magnitude`; 0 if found and expected value are NaN.
  [[nodiscard]] static double error(double value, double expected, double magnitude) {
    if (std::isnan(value) && std::isnan(expected)) return 0;
    return summed_error(value, expected, magnitude);
  }

  TrialArray<Storage>& coordinates_ =
      this->template array<Storage>("coordinates", this->data_.coordinates, shape(this->data_));
  TrialArray<std::uint8_t>& alive_ = this->template array<std::uint8_t>("alive", this->data_.alive);
  TrialArray<Storage>& weights_ = this->template array<Storage>("weights", this->data_.weights);
  TrialArray<double>& result_ = this->template plain_array<double>("result");
};

/// Trials of pic/bunch_statistics. Error: the largest of the relative error of the weight, the
/// error of a mean over the deviation (beyond one rounding of the mean), and the error of a second
/// moment over the product of the deviations. Counts and extremes must be equal.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<BunchStatistics, BunchStatisticsTrial, Data>>(rows(),
                                                                                    from_source);
}

}  // namespace tessera::pic::bunch_statistics_trial
