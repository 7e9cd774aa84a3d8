#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "physics/pic/domain.hpp"
#include "physics/pic/grid_axis.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tessera::pic {
namespace {

constexpr int column_of[] = {0, 2, 4};

BunchMoments bunch(double x, double y, double z, double mean = 0) {
  BunchMoments moments;
  moments.particles = 100;
  moments.weight = 100;
  const double deviation[] = {x, y, z};
  for (int a = 0; a < 3; ++a) {
    const int c = column_of[a];
    moments.mean[c] = mean;
    moments.second[c][c] = deviation[a] * deviation[a];
    moments.least[c] = mean - 3 * deviation[a];
    moments.greatest[c] = mean + 3 * deviation[a];
  }
  return moments;
}

DomainRule exact() {
  DomainRule rule;
  rule.quantised = false;
  return rule;
}

double width(const Grid& grid, int a) {
  return grid.spacing[a] * static_cast<double>(grid.nodes[a]);
}
double centre(const Grid& grid, int a) {
  return grid.lower[a] + 0.5 * width(grid, a);
}

/// Name of the argument in the ArgumentError of a call.
std::string argument(const std::function<void()>& call) {
  try {
    call();
  } catch (const ArgumentError& error) {
    return error.argument();
  }
  return "none";
}

TEST_CASE("eight deviations around the mean") {
  Domain domain(exact());
  const Grid grid = domain.grid(bunch(1, 2, 4, 10));
  const double size[] = {8, 16, 32};
  const std::int64_t nodes[] = {32, 32, 64};
  for (int a = 0; a < 3; ++a) {
    CHECK(grid.nodes[a] == nodes[a]);
    CHECK(grid.spacing[a] == size[a] / static_cast<double>(nodes[a]));
    CHECK(grid.lower[a] == 10 - size[a] / 2);
    CHECK(!grid.periodic[a]);
  }
  DomainRule rule = exact();
  rule.n_sigma = 5;
  CHECK(width(Domain(rule).grid(bunch(1, 2, 4)), 1) == 10);
}

TEST_CASE("a deviation that vanishes takes that of another direction") {
  struct Row {
    double own[3];
    double used[3];
  };
  const Row rows[] = {{{0, 2, 3}, {2, 2, 3}},        {{3, 1e-10, 2}, {3, 2, 2}},
                      {{3, 2, 1e-11}, {3, 2, 2}},    {{0, 0, 3}, {3, 3, 3}},
                      {{2, 1e-12, 0}, {2, 2, 2}},    {{1e-11, 5, 1e-10}, {5, 5, 5}},
                      {{2e-10, 1, 1}, {2e-10, 1, 1}}};
  for (const Row& row : rows) {
    const Grid grid = Domain(exact()).grid(bunch(row.own[0], row.own[1], row.own[2]));
    for (int a = 0; a < 3; ++a)
      CHECK(width(grid, a) == test::relative(8 * row.used[a]).epsilon(1e-15));
  }
  // The same with extents in place of deviations.
  DomainRule rule = exact();
  rule.kind = DomainKind::all;
  const Grid grid = Domain(rule).grid(bunch(0, 2, 3));
  CHECK(grid.spacing[0] == test::relative(grid.spacing[1]).epsilon(1e-13));
}

TEST_CASE("a bunch without extent is refused, with the reason, and changes nothing") {
  for (const DomainKind kind : {DomainKind::n_sigma, DomainKind::all}) {
    DomainRule rule;
    rule.kind = kind;
    Domain domain(rule);
    (void)domain.grid(bunch(1, 1, 1));
    const DomainState before = domain.state();
    try {
      (void)domain.grid(bunch(1e-12, 0, 1e-11));
      CHECK(false);
    } catch (const ArgumentError& error) {
      CHECK(error.argument() == "moments");
      CHECK(std::string(error.what()).find("no extent") != std::string::npos);
    }
    CHECK(domain.state() == before);
  }
}

TEST_CASE("a domain in deviations reaches all particles where their charge has none") {
  DomainRule all = exact();
  all.kind = DomainKind::all;
  BunchMoments moments = bunch(1, 2, 3);
  const Grid expected = Domain(all).grid(moments);
  for (const bool weighed : {false, true}) {
    for (const int c : column_of) {
      moments.mean[c] = weighed ? 1 : NAN;
      moments.second[c][c] = weighed ? 0 : NAN;
    }
    moments.weight = weighed ? 1 : 0;
    const Grid grid = Domain(exact()).grid(moments);
    for (int a = 0; a < 3; ++a) {
      CHECK(grid.spacing[a] == expected.spacing[a]);
      CHECK(grid.lower[a] == expected.lower[a]);
    }
  }
}

TEST_CASE("all particles lie on the grid, with the margin free") {
  RandomSequence random(3);
  for (const bool quantised : {false, true})
    for (const double margin : {0.0, 1.0, 2.5})
      for (const double mean : {0.0, 1.0, -3e4})
        for (const double size : {1e-6, 0.3, 70.0}) {
          DomainRule rule;
          rule.kind = DomainKind::all;
          rule.quantised = quantised;
          rule.margin = margin;
          for (std::int64_t& nodes : rule.nodes)
            nodes = 8 + random.below(90);
          BunchMoments moments = bunch(1, 1, 1);
          double positions[20][3];
          for (int a = 0; a < 3; ++a) {
            double& least = moments.least[column_of[a]] = INFINITY;
            double& greatest = moments.greatest[column_of[a]] = -INFINITY;
            for (auto& position : positions) {
              position[a] = mean + size * random.uniform(-1, 1);
              least = std::min(least, position[a]);
              greatest = std::max(greatest, position[a]);
            }
          }
          const Grid grid = Domain(rule).grid(moments);
          const GridAxes axes = grid_axes(grid);
          for (int a = 0; a < 3; ++a)
            for (const auto& position : positions) {
              std::int32_t low = 0;
              double part = 0;
              REQUIRE(axes.axis[a].locate(position[a], low, part));
              const double place = low + part;
              CHECK(place >= margin - 1e-9);
              CHECK(place <= static_cast<double>(grid.nodes[a] - 1) - margin + 1e-9);
            }
        }
}

TEST_CASE("a fixed domain, and a periodic one") {
  DomainRule rule;
  rule.kind = DomainKind::fixed;
  for (int a = 0; a < 3; ++a) {
    rule.offset[a] = a;
    rule.size[a] = 3 + a;
  }
  Domain fixed(rule);
  for (int call = 0; call < 3; ++call) {
    const Grid grid = fixed.grid(BunchMoments{});
    for (int a = 0; a < 3; ++a) {
      CHECK(centre(grid, a) == doctest::Approx(a).epsilon(1e-15));
      CHECK(width(grid, a) == test::relative(3 + a).epsilon(1e-15));
    }
  }
  CHECK(fixed.hit_rate() == 2.0 / 3);
  for (const DomainKind kind : {DomainKind::n_sigma, DomainKind::all, DomainKind::fixed}) {
    rule.kind = kind;
    rule.periodic_z = true;
    rule.period = 6;
    rule.size[2] = NAN;  // not used
    const Grid grid = Domain(rule).grid(bunch(1, 2, 300, 5));
    CHECK(grid.periodic[2]);
    CHECK(!grid.periodic[0]);
    CHECK(grid.lower[2] == -3);
    CHECK(grid.spacing[2] == 6.0 / 64);
  }
}

TEST_CASE("the ladder doubles in eight equal steps") {
  for (std::int64_t k = -8000; k <= 8000; ++k) {
    const double size = ladder_size(k);
    REQUIRE(ladder_step(size) == k);
    if (k == 8000) break;
    REQUIRE(ladder_step(std::nextafter(size, INFINITY)) == k + 1);
    REQUIRE(ladder_size(k + 1) / size == test::relative(std::exp2(0.125)).epsilon(1e-15));
    if (k <= 7992) REQUIRE(ladder_size(k + 8) == 2 * size);
  }
  CHECK(ladder_size(0) == 1);
  CHECK(argument([] { (void)ladder_size(8001); }) == "step");
  CHECK(argument([] { (void)ladder_step(0); }) == "size");
  CHECK(argument([] { (void)ladder_step(NAN); }) == "size");
}

/// Sizes along x of the domain, after each of a sequence of standard deviations of the bunch.
std::vector<double> sizes(Domain& domain, const std::vector<double>& deviations) {
  std::vector<double> all;
  for (const double deviation : deviations) {
    all.push_back(width(domain.grid(bunch(deviation, 1, 1, deviation)), 0));
    CHECK(all.back() >= 8 * deviation);
    CHECK(all.back() <= 8 * deviation * std::exp2(0.25) * (1 + 1e-15));
  }
  return all;
}

int changes(const std::vector<double>& values) {
  int count = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    count += values[i] != values[i - 1] ? 1 : 0;
  return count;
}

TEST_CASE("a size that goes up and down by 2 % changes at most once") {
  for (int start = 0; start < 100; ++start) {
    const double middle = std::exp2(start / 400.0);
    std::vector<double> deviations;
    for (int call = 0; call < 50; ++call)
      deviations.push_back(middle * (call % 2 == 0 ? 1.02 : 0.98));
    Domain domain{DomainRule{}};
    CHECK(changes(sizes(domain, deviations)) <= 1);
    // Approached from above and from below.
    for (const double from : {3.0, 0.3}) {
      deviations.insert(deviations.begin(), from * middle);
      Domain other{DomainRule{}};
      CHECK(changes(sizes(other, deviations)) <= 2);
      deviations.erase(deviations.begin());
    }
  }
}

TEST_CASE("a size that grows or shrinks changes as seldom as its band allows") {
  for (const double factor : {1.001, 1 / 1.001}) {
    std::vector<double> deviations = {1};
    for (int call = 0; call < 4000; ++call)
      deviations.push_back(deviations.back() * factor);
    Domain domain{DomainRule{}};
    const int count = changes(sizes(domain, deviations));
    // Each change is by one step, 2^(1/8).
    const double steps = 4000 * std::log2(1.001) * 8;
    CHECK(count >= static_cast<int>(0.9 * steps));
    CHECK(count <= static_cast<int>(1.1 * steps) + 1);
    CHECK(domain.state().asked == 4001);
    CHECK(domain.state().kept == 4000 - count);
    CHECK(domain.hit_rate() == test::relative(1 - (count + 1) / 4001.0));
  }
}

TEST_CASE("what is kept and what is not, one by one") {
  Domain domain{DomainRule{}};
  CHECK(domain.hit_rate() == 0);
  // 8 deviations of 1 are 2^3; with a margin of 4.4 % the next step is 2^(25/8).
  const double kept = std::exp2(25.0 / 8);
  const double up = kept / 8;
  const double down = std::exp2(23.0 / 8) / 8;
  const std::vector<double> wanted = {1, 0.999 * up, 1.001 * down, 1.001 * up, 1, 0.999 * down};
  const std::vector<double> seen = sizes(domain, wanted);
  const double expected[] = {25, 25, 25, 26, 26, 26 - 8};
  for (std::size_t i = 0; i < 5; ++i)
    CHECK(seen[i] == test::relative(std::exp2(expected[i] / 8)).epsilon(1e-15));
  CHECK(seen[5] < seen[4]);
  CHECK(domain.state().asked == 6);
  CHECK(domain.state().kept == 3);
  // Directions are independent: x changes, y and z do not.
  const Grid before = domain.grid(bunch(1, 1, 1));
  const Grid after = domain.grid(bunch(2, 1, 1));
  CHECK(after.spacing[0] != before.spacing[0]);
  CHECK(after.spacing[1] == before.spacing[1]);
  CHECK(after.spacing[2] == before.spacing[2]);
}

TEST_CASE("a domain goes on from its state with the same bits") {
  for (const DomainKind kind : {DomainKind::n_sigma, DomainKind::all})
    for (const bool quantised : {true, false}) {
      DomainRule rule;
      rule.kind = kind;
      rule.quantised = quantised;
      Domain whole(rule);
      DomainState saved;
      RandomSequence random(8);
      for (int call = 0; call < 200; ++call) {
        const BunchMoments moments = bunch(random.uniform(1, 1.09), random.uniform(1e-6, 1.05e-6),
                                           random.uniform(50, 60), random.uniform(-1, 1));
        // A new domain from the saved state at every call, as after a restart.
        Domain part(rule, saved);
        const Grid a = whole.grid(moments);
        const Grid b = part.grid(moments);
        CHECK(std::memcmp(a.lower, b.lower, sizeof a.lower) == 0);
        CHECK(std::memcmp(a.spacing, b.spacing, sizeof a.spacing) == 0);
        CHECK(whole.state() == part.state());
        saved = part.state();
      }
      CHECK(whole.state().asked == 200);
      CHECK((whole.state().kept > 100) == quantised);
    }
}

TEST_CASE("rules that make no domain are refused by name") {
  const auto wrong = [](const std::function<void(DomainRule&)>& change) {
    DomainRule rule;
    change(rule);
    return argument([&] { Domain{rule}; });
  };
  CHECK(wrong([](DomainRule&) {}) == "none");
  CHECK(wrong([](DomainRule& r) { r.nodes[1] = 3; }) == "nodes[1]");
  CHECK(wrong([](DomainRule& r) { r.nodes[2] = std::int64_t{1} << 31; }) == "nodes[2]");
  CHECK(wrong([](DomainRule& r) { r.vanishing = -1; }) == "vanishing");
  CHECK(wrong([](DomainRule& r) { r.kind = static_cast<DomainKind>(7); }) == "kind");
  for (const double bad : {0.0, -8.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    CHECK(wrong([=](DomainRule& r) { r.n_sigma = bad; }) == "n_sigma");
    CHECK(wrong([=](DomainRule& r) {
            r.periodic_z = true;
            r.period = bad;
          }) == "period");
    CHECK(wrong([=](DomainRule& r) {
            r.kind = DomainKind::fixed;
            std::fill(r.size, r.size + 3, 1.0);
            r.size[1] = bad;
          }) == "size[1]");
  }
  CHECK(wrong([](DomainRule& r) {
          r.kind = DomainKind::fixed;
          std::fill(r.size, r.size + 3, 1.0);
          r.offset[2] = NAN;
        }) == "offset[2]");
  for (const double margin : {-1.0, 1.5, static_cast<double>(NAN)})
    CHECK(wrong([=](DomainRule& r) {
            r.kind = DomainKind::all;
            r.nodes[0] = 4;
            r.margin = margin;
          }) == "margin");
  DomainState state;
  state.kept = 1;
  CHECK(argument([&] { Domain(DomainRule{}, state); }) == "state");
  state = {};
  state.asked = 1;
  CHECK(argument([&] { Domain(DomainRule{}, state); }) == "state");
  for (const std::int64_t step :
       {std::int64_t{8000}, std::int64_t{-8000}, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    state = {};
    state.step[1] = step;
    CHECK(argument([&] { Domain(DomainRule{}, state); }) == "state");
  }
}

TEST_CASE("a bunch that has no domain is refused") {
  for (const DomainKind kind : {DomainKind::n_sigma, DomainKind::all}) {
    DomainRule rule;
    rule.kind = kind;
    Domain domain(rule);
    const auto refused = [&](const std::function<void(BunchMoments&)>& change) {
      BunchMoments moments = bunch(1, 1, 1);
      change(moments);
      return argument([&] { (void)domain.grid(moments); });
    };
    CHECK(refused([](BunchMoments&) {}) == "none");
    CHECK(refused([](BunchMoments& m) { m.not_finite = 1; }) == "moments");
    CHECK(refused([](BunchMoments& m) { m.particles = 0; }) == "moments");
    CHECK(refused([](BunchMoments& m) { m.mean[2] = m.least[2] = NAN; }) == "moments");
    CHECK(refused([](BunchMoments& m) { m = bunch(1e-9, 1e-9, 1e-9, 1e9); }) == "moments");
    CHECK(refused([](BunchMoments& m) { m = bunch(1e301, 1, 1); }) == "moments");
  }
}

}  // namespace
}  // namespace tessera::pic
