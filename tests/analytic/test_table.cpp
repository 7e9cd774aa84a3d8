#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/pair_potential/tabulated_pair.hpp"
#include "physics/md/simulation/pair_term.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace tessera::test {
namespace {

/// Lennard-Jones with a force that is switched off smoothly, so that energy is conserved to the
/// order of the integrator.
md::CoefficientTable switched() {
  md::CoefficientTable table(md::pair_potentials().find("lj/gromacs"), 1);
  table.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}, {"switch", 2}});
  return table;
}

/// The same potential as a table.
md::CoefficientTable tabulated(int points) {
  const md::CoefficientTable formula = switched();
  const std::vector<double> row = md::pack_pair_table(formula.potential(), formula.view(), {});
  md::TabulatedPair pair;
  for (int k = 0; k < 2000; ++k) {
    const double r = std::sqrt(0.6 + (6.25 - 0.6) * k / 1999);
    const md::PairValue value = formula.potential().evaluate(row.data(), r, 0, 0);
    pair.r.push_back(r);
    pair.energy.push_back(value.energy);
    pair.force.push_back(value.force_over_r * r);
  }
  md::CoefficientTable table(md::pair_potentials().find("table:" + std::to_string(points)), 1);
  md::set_tabulated(table, 0, 0, pair);
  return table;
}

struct RunEnergies {
  double first;
  double drift;  ///< per particle
};

RunEnergies run_melt(const md::CoefficientTable& coefficients, Precision precision) {
  const md::System system = melt(5);
  md::SimulationOptions options;
  options.precision = precision;
  options.time_step = 0.002;
  const md::SimulationParts parts{{md::pair_term({coefficients, 0})}, {}};
  const auto simulation = md::Simulation::make(registry().open(), system, parts,
                                               md::units_from_name("lj"), options, nullptr);
  const auto energy = [&] {
    const md::ThermoRow row = simulation->thermo();
    return row.potential_energy + row.kinetic_energy;
  };
  simulation->advance(200);
  const double then = energy();
  simulation->advance(600);
  const auto atoms = static_cast<double>(system.size());
  return {then / atoms, (energy() - then) / atoms};
}

}  // namespace

TEST_CASE("a table conserves energy like the formula that it was made from") {
  const RunEnergies formula = run_melt(switched(), Precision::double_precision);
  for (const int points : {500, 2000}) {
    const RunEnergies table = run_melt(tabulated(points), Precision::double_precision);
    CAPTURE(points);
    CHECK(table.first == test::relative(formula.first).epsilon(1e-5));
    CHECK(std::abs(table.drift) < 1e-4);
    CHECK(std::abs(formula.drift) < 1e-4);
  }
  CHECK(std::abs(run_melt(tabulated(1000), Precision::mixed).drift) < 1e-4);
}

}  // namespace tessera::test
