#include "tests/analytic/melt.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

/// \file
/// Thermo rows that a simulation emits during advance() equal those of simulations that stop at
/// each of them.

namespace tessera::test {
namespace {

using Rows = std::vector<md::ThermoRow>;

[[nodiscard]] md::ThermoRows every(std::int64_t steps, Rows& rows) {
  return {steps, [&](const md::ThermoRow& row) { rows.push_back(row); }};
}

/// Checks that two rows agree up to rounding, because fused steps sum over atoms in another order.
void check_close(const md::ThermoRow& a, const md::ThermoRow& b) {
  CAPTURE(b.step);
  CHECK(a.step == b.step);
  CHECK(a.time == b.time);
  const auto close = [](double x, double y, double scale) {
    return on_host() ? x == y : std::abs(x - y) <= 1e-12 * scale;
  };
  const double energy = std::abs(b.kinetic_energy) + std::abs(b.potential_energy);
  CHECK(close(a.kinetic_energy, b.kinetic_energy, energy));
  CHECK(close(a.potential_energy, b.potential_energy, energy));
  CHECK(close(a.temperature, b.temperature, b.temperature));
  REQUIRE(a.terms.size() == b.terms.size());
  for (std::size_t t = 0; t < a.terms.size(); ++t) {
    CHECK(a.terms[t].term == b.terms[t].term);
    CHECK(close(a.terms[t].energy, b.terms[t].energy, energy));
  }
  double pressure = 0;
  for (const double p : b.pressure_tensor)
    pressure = std::max(pressure, std::abs(p));
  for (std::size_t c = 0; c < 6; ++c)
    CHECK(close(a.pressure_tensor[c], b.pressure_tensor[c], 10 * pressure));
  for (std::size_t d = 0; d < 3; ++d)
    CHECK(close(a.momentum[d], b.momentum[d], energy));
}

TEST_CASE("rows on the way are those of who stops for them") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    for (const std::string& implementation : repeatable_pair_forces(precision)) {
      CAPTURE(implementation);
      CAPTURE(std::string(name(precision)));
      for (const int cells : on_host() ? std::vector{5} : std::vector{5, 20, 40})
        for (const std::int64_t interval : {1, 7, 40, 1000}) {
          if (cells > 20 && interval != 7) continue;  // slow
          CAPTURE(cells);
          CAPTURE(interval);
          const auto handed = start(melt(cells), precision, implementation);
          md::SimulationOptions apart;
          apart.fused_steps = false;
          const auto stopping = start(melt(cells), precision, implementation, apart);
          Rows rows;
          Rows expected;
          std::int64_t step = 0;
          for (const std::int64_t steps : {1, 43, 3, 97}) {
            handed->advance(steps, {}, every(interval, rows));
            for (const std::int64_t end = step + steps; step < end;) {
              const std::int64_t next = std::min(end, (step / interval + 1) * interval);
              stopping->advance(next - step);
              step = next;
              if (step < end) expected.push_back(stopping->thermo());
            }
          }
          REQUIRE(rows.size() == expected.size());
          for (std::size_t r = 0; r < rows.size(); ++r)
            check_close(rows[r], expected[r]);
          check_same_atoms(*handed, *stopping);
          CHECK(handed->thermo().potential_energy == stopping->thermo().potential_energy);
        }
    }
}

TEST_CASE("rows on the way: two types, masses by type, frozen atoms") {
  const auto handed = start_frozen_mixture({});
  md::SimulationOptions apart;
  apart.fused_steps = false;
  const auto stopping = start_frozen_mixture(apart);
  Rows rows;
  handed->advance(61, {}, every(20, rows));
  REQUIRE(rows.size() == 3);
  for (const md::ThermoRow& row : rows) {
    stopping->advance(20);
    check_close(row, stopping->thermo());
  }
}

TEST_CASE("rows on the way: none of the last step, none where none is due") {
  const auto simulation = start(melt(5), Precision::mixed);
  Rows rows;
  simulation->advance(20, {}, every(20, rows));
  CHECK(rows.empty());
  simulation->advance(0, {}, every(20, rows));
  simulation->advance(19, {}, every(20, rows));
  CHECK(rows.empty());
  simulation->advance(30, {}, every(0, rows));
  CHECK(rows.empty());
  simulation->advance(12, {}, every(20, rows));
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().step == 80);
}

TEST_CASE("rows on the way: those before the end that somebody asked for") {
  const auto simulation = start(melt(5), Precision::mixed);
  Rows rows;
  int asked = 0;
  simulation->advance(
      100000, [&] { return ++asked == 4; }, every(1, rows));
  CHECK(std::ssize(rows) == simulation->clock().step() - 1);
  for (std::size_t r = 0; r < rows.size(); ++r)
    CHECK(rows[r].step == static_cast<std::int64_t>(r) + 1);
}

TEST_CASE("rows on the way: who takes them may throw") {
  const auto simulation = start(melt(5), Precision::mixed);
  int taken = 0;
  CHECK_THROWS_AS(simulation->advance(50, {},
                                      {10,
                                       [&](const md::ThermoRow&) {
                                         if (++taken == 2) throw std::runtime_error("enough");
                                       }}),
                  std::runtime_error);
  CHECK(taken == 2);
  CHECK(std::isfinite(simulation->thermo().potential_energy));
}

TEST_CASE("rows on the way: a blow-up comes behind the rows before it") {
  md::System system = melt(6);
  md::SimulationOptions options;
  options.time_step = 0.03;
  const auto simulation = start(system, Precision::double_precision, "auto", options);
  Rows rows;
  CHECK_THROWS_AS(simulation->advance(2000, {}, every(1, rows)), md::BlowUpError);
  REQUIRE(!rows.empty());
  for (std::size_t r = 0; r < rows.size(); ++r)
    CHECK(rows[r].step == static_cast<std::int64_t>(r) + 1);
  CHECK(rows.back().step >= simulation->clock().step());
}

}  // namespace
}  // namespace tessera::test
