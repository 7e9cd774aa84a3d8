#include "core/base/error.hpp"
#include "physics/md/generate/lattice.hpp"
#include "physics/md/generate/normal.hpp"
#include "physics/md/generate/velocities.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace tessera::md {
namespace {

double nearest_distance(const System& system) {
  double best = 1e300;
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double square = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        const double length = system.box.length[d];
        double x = system.positions[i][d] - system.positions[j][d];
        x -= length * std::round(x / length);
        square += x * x;
      }
      best = std::min(best, square);
    }
  }
  return std::sqrt(best);
}

System melt(std::int64_t cells) {
  return make_lattice({.lattice = Lattice::fcc,
                       .constant = lattice_constant(Lattice::fcc, 0.8442),
                       .cells = {cells, cells, cells}});
}

}  // namespace

TEST_CASE("lattices have the right count, density and nearest distance") {
  const std::vector<std::pair<Lattice, double>> expected = {{Lattice::sc, 1.0},
                                                            {Lattice::bcc, std::sqrt(3.0) / 2},
                                                            {Lattice::fcc, std::sqrt(0.5)},
                                                            {Lattice::diamond, std::sqrt(3.0) / 4}};
  for (const auto& [lattice, distance] : expected) {
    const double constant = lattice_constant(lattice, 0.7);
    const System system =
        make_lattice({.lattice = lattice, .constant = constant, .cells = {3, 4, 5}});
    CHECK(system.size() == 60 * sites_per_cell(lattice));
    CHECK(static_cast<double>(system.size()) / system.box.volume() ==
          test::relative(0.7).epsilon(1e-14));
    CHECK(nearest_distance(system) == test::relative(distance * constant).epsilon(1e-12));
  }
}

TEST_CASE("cells follow each other with x fastest") {
  const System system = make_lattice({.lattice = Lattice::bcc, .constant = 2, .cells = {2, 2, 2}});
  CHECK(system.positions[1] == std::array{1.0, 1.0, 1.0});
  CHECK(system.positions[2] == std::array{2.0, 0.0, 0.0});
  CHECK(system.positions[4] == std::array{0.0, 2.0, 0.0});
  CHECK(system.positions[8] == std::array{0.0, 0.0, 2.0});
  CHECK(system.ids.front() == 1);
  CHECK(system.ids.back() == 16);
}

TEST_CASE("sites take their types") {
  const System system = make_lattice({.lattice = Lattice::bcc,
                                      .constant = 1,
                                      .cells = {2, 1, 1},
                                      .types = {{"Cs", 132.9}, {"Cl", 35.45}},
                                      .site_types = {0, 1}});
  CHECK(system.type == std::vector<std::int32_t>{0, 1, 0, 1});
}

TEST_CASE("jitter stays within its cube, inside the box, and depends on the seed alone") {
  LatticeOptions options = {.lattice = Lattice::fcc, .constant = 2, .cells = {4, 4, 4}};
  const System still = make_lattice(options);
  options.jitter = 0.1;
  options.jitter_seed = 5;
  const System moved = make_lattice(options);
  const System again = make_lattice(options);
  CHECK(moved.positions == again.positions);
  double largest = 0;
  for (std::size_t i = 0; i < moved.positions.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(moved.positions[i][d] >= 0);
      CHECK(moved.positions[i][d] < moved.box.length[d]);
      double x = moved.positions[i][d] - still.positions[i][d];
      x -= 8 * std::round(x / 8);
      largest = std::max(largest, std::abs(x));
    }
  }
  CHECK(largest <= 0.1 + 1e-15);
  CHECK(largest > 0.099);
  options.jitter_seed = 6;
  CHECK(make_lattice(options).positions != moved.positions);
}

TEST_CASE("a lattice that cannot be made is refused") {
  CHECK_THROWS_AS(static_cast<void>(make_lattice({.cells = {1, 0, 1}})), ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(make_lattice({.cells = {2000, 2000, 2000}})), ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(make_lattice({.constant = 0})), ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(make_lattice({.jitter = -1})), ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(make_lattice({.site_types = {0, 0}})), ArgumentError);
  CHECK_THROWS_AS(static_cast<void>(make_lattice({.site_types = {0, 0, 0, 1}})), ArgumentError);
  CHECK_THROWS_WITH_AS(static_cast<void>(lattice_from_name("fccc")),
                       "unknown lattice 'fccc', did you mean 'fcc'? (candidates: sc, bcc, fcc, "
                       "diamond)",
                       SelectionError);
}

TEST_CASE("the logarithm agrees with the library's") {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    CHECK(portable_log(x) == test::relative(std::log(x)).epsilon(2e-16 * 8));
  }
  CHECK(portable_log(1.0) == 0.0);
}

TEST_CASE("normal numbers have the moments of a Gaussian") {
  double sum = 0;
  double squares = 0;
  double fourth = 0;
  constexpr int count = 200000;
  for (int i = 0; i < count; ++i) {
    for (const double x : normal_pair(1, 0, static_cast<std::uint64_t>(i))) {
      sum += x;
      squares += x * x;
      fourth += x * x * x * x;
    }
  }
  CHECK(std::abs(sum / (2 * count)) < 0.01);
  CHECK(squares / (2 * count) == test::relative(1.0).epsilon(0.01));
  CHECK(fourth / (2 * count) == test::relative(3.0).epsilon(0.03));
}

TEST_CASE("velocities meet the temperature with zero momentum in every unit system") {
  for (const char* name : {"lj", "real", "metal"}) {
    const Units& units = units_from_name(name);
    System system = make_lattice({.lattice = Lattice::bcc,
                                  .constant = 5,
                                  .cells = {10, 10, 10},
                                  .types = {{"A", 1.0}, {"B", 39.948}},
                                  .site_types = {0, 1}});
    make_velocities(system, 1.44, 87287, units);
    CHECK(temperature(system, units) == test::relative(1.44).epsilon(1e-14));
    std::array<double, 3> momentum = {0, 0, 0};
    double scale = 0;
    double light = 0;
    double heavy = 0;
    for (std::size_t i = 0; i < system.velocities.size(); ++i) {
      const double mass = system.types[static_cast<std::size_t>(system.type[i])].mass;
      for (std::size_t d = 0; d < 3; ++d) {
        const double v = system.velocities[i][d];
        momentum[d] += mass * v;
        scale += mass * std::abs(v);
        (system.type[i] == 0 ? light : heavy) += mass * v * v;
      }
    }
    for (const double p : momentum)
      CHECK(std::abs(p) < 1e-14 * scale);
    CHECK(light / heavy == test::relative(1.0).epsilon(0.1));
  }
}

// Compares with recorded bits, to detect a change of generator, transform or order of summation.
TEST_CASE("velocities have recorded bits") {
  System system = melt(2);
  make_velocities(system, 1.44, 87287, units_from_name("lj"));
  std::uint64_t hash = 0;
  for (const auto& velocity : system.velocities) {
    for (const double v : velocity)
      hash = hash * 0x100000001b3 ^ std::bit_cast<std::uint64_t>(v);
  }
  CHECK(hash == 11654975239140076572U);
}

TEST_CASE("velocities do not depend on the order of the atoms") {
  const Units& units = units_from_name("lj");
  System system = melt(3);
  System reversed = system;
  std::reverse(reversed.ids.begin(), reversed.ids.end());
  make_velocities(system, 1.44, 1, units);
  make_velocities(reversed, 1.44, 1, units);
  std::reverse(reversed.velocities.begin(), reversed.velocities.end());
  CHECK(system.velocities == reversed.velocities);
  make_velocities(reversed, 1.44, 2, units);
  CHECK(system.velocities != reversed.velocities);
}

TEST_CASE("velocities of no atoms, of one atom and at zero temperature") {
  const Units& units = units_from_name("lj");
  System none;
  none.types = {{"1", 1.0}};
  make_velocities(none, 1.0, 1, units);
  CHECK(none.velocities.empty());
  System one = make_lattice({.lattice = Lattice::sc});
  CHECK_THROWS_AS(make_velocities(one, 1.0, 1, units), ArgumentError);
  make_velocities(one, 0.0, 1, units);
  CHECK(one.velocities == std::vector<std::array<double, 3>>{{0, 0, 0}});
  CHECK_THROWS_AS(make_velocities(one, -1.0, 1, units), ArgumentError);
  CHECK_THROWS_AS(make_velocities(one, std::nan(""), 1, units), ArgumentError);
}

}  // namespace tessera::md
