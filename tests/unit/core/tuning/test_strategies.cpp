#include "core/base/error.hpp"
#include "core/tuning/search_points.hpp"
#include "core/tuning/statistics.hpp"
#include "core/tuning/strategy.hpp"
#include "core/tuning/surrogate.hpp"
#include "tests/unit/core/tuning/sample_space.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tessera {
namespace {

TEST_CASE("every strategy comes to every candidate once, the untuned one first") {
  const Landscape l = test::sample_landscape();
  for (const std::string& name : strategy_names()) {
    CAPTURE(name);
    // The adaptive strategy fits a Gaussian process to all measurements, which is costly for many.
    const std::size_t most = name == "adaptive" ? 60 : l.candidates.size();
    const auto strategy = make_strategy(name, l.candidates, 3);
    Measured measured;
    std::vector<std::size_t> order;
    while (measured.size() < most) {
      const auto next = strategy->next(measured, 7);
      REQUIRE(!next.empty());
      CHECK(next.size() <= 7);
      for (const std::size_t c : next) {
        CHECK(!measured.contains(c));
        measured[c] = l.measurements[c];
        order.push_back(c);
      }
    }
    CHECK(order.front() == 0);
    CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == order.size());
  }
}

TEST_CASE("a strategy ends when all is measured") {
  const Landscape l = test::sample_landscape();
  for (const std::string& name : strategy_names())
    CHECK(make_strategy(name, l.candidates)->next(l.measured(), 4).empty());
  const std::vector<Candidate> one{l.candidates.front()};
  Measured measured;
  for (const std::string& name : strategy_names()) {
    const auto strategy = make_strategy(name, one);
    CHECK(strategy->next({}, 4) == std::vector<std::size_t>{0});
    CHECK(strategy->next({{0, l.measurements[0]}}, 4).empty());
  }
}

TEST_CASE("what comes next depends on what was measured, not on how it came") {
  const Landscape l = test::sample_landscape();
  const auto one = make_strategy("adaptive", l.candidates, 5);
  Measured measured;
  for (int group = 0; group < 4; ++group)
    for (const std::size_t c : one->next(measured, 6))
      measured[c] = l.measurements[c];
  // A continued search has only the measurements.
  const auto other = make_strategy("adaptive", l.candidates, 5);
  CHECK(one->next(measured, 6) == other->next(measured, 6));
}

TEST_CASE("the adaptive strategy needs less than random picks") {
  const Landscape l = test::sample_landscape();
  const auto needed = [&](const std::string& strategy) {
    std::vector<double> all;
    for (std::uint64_t seed = 1; seed <= 15; ++seed)
      all.push_back(static_cast<double>(evaluations_to(l, strategy, seed, 0.95, 4)));
    return median_of(all);
  };
  CHECK(needed("adaptive") < 0.5 * needed("random"));
  CHECK(needed("adaptive") <= 0.1 * static_cast<double>(l.candidates.size()));
}

TEST_CASE("candidates that fail are left, and so are their neighbors") {
  Landscape l = test::sample_landscape();
  for (std::size_t c = 0; c < l.candidates.size(); ++c)
    if (l.candidates[c].parameters.contains("block") &&
        l.candidates[c].parameters.at("block") == ParameterValue(std::int64_t{128})) {
      l.measurements[c] = {};
      l.measurements[c].outcome = Measurement::Outcome::wrong;
    }
  CHECK(evaluations_to(l, "adaptive", 1, 0.95, 4) < l.candidates.size() / 4);
  // With only failures the search continues until all candidates are measured.
  for (Measurement& m : l.measurements)
    m.outcome = Measurement::Outcome::crashed;
  CHECK(make_strategy("adaptive", l.candidates)->next(l.measured(), 4).empty());
}

TEST_CASE("an unknown strategy names the known ones") {
  CHECK_THROWS_AS((void)make_strategy("adoptive", {}), SelectionError);
}

TEST_CASE("directions: numbers by their rank, names by being the same") {
  const Landscape l = test::sample_landscape();
  const SearchPoints points(l.candidates);
  REQUIRE(points.directions().size() == 4);
  CHECK(points.directions()[0].name == "implementation");
  CHECK(!points.directions()[0].ordered);
  CHECK(points.directions()[1].name == "block");
  CHECK(points.directions()[1].ordered);
  CHECK(points.directions()[1].values == 5);
  const std::size_t last = l.candidates.size() - 1;
  CHECK(points.distance(0, last, 0) == 1);
  CHECK(points.distance(0, last, 1) == 1);  // the last candidate has no parameter `block`
  CHECK(points.distance(last, last, 1) == 0);
  CHECK(points.distance(1, last - 1, 1) == 1);  // the smallest and the largest value
}

TEST_CASE("the model meets what it was given and is sure there") {
  const Landscape l = test::sample_landscape();
  const SearchPoints points(l.candidates);
  Surrogate model(points);
  std::vector<std::size_t> where;
  std::vector<double> values;
  for (std::size_t c = 0; c < l.candidates.size(); c += 9) {
    where.push_back(c);
    values.push_back(std::log(l.measurements[c].seconds));
  }
  model.fit(where, values);
  double off = 0;
  for (std::size_t k = 0; k < where.size(); ++k) {
    const auto p = model.at(where[k]);
    CHECK(std::abs(p.mean - values[k]) < 0.05);
    off = std::max(off, p.deviation);
  }
  CHECK(off < 0.1);
  // For other candidates the model is better than the mean of all.
  double error = 0, scatter = 0, mean = 0;
  for (const Measurement& m : l.measurements)
    mean += std::log(m.seconds) / static_cast<double>(l.measurements.size());
  for (std::size_t c = 0; c < l.candidates.size(); ++c) {
    const double truth = std::log(l.measurements[c].seconds);
    error += std::pow(model.at(c).mean - truth, 2);
    scatter += std::pow(mean - truth, 2);
  }
  CHECK(error < 0.3 * scatter);
}

}  // namespace
}  // namespace tessera
