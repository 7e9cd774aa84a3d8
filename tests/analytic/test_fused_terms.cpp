#include "core/base/error.hpp"
#include "physics/md/simulation/constant_term.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "physics/md/simulation/listed_term.hpp"
#include "physics/md/topology/pair_lists.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/analytic/tether_term.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

/// \file
/// Fused steps with other terms besides the pairs, in a bath, in a tilted or open box and with two
/// cutoffs: they give the same bits as separate operations.

namespace tessera::test {
namespace {

/// The backend that the environment variable TESSERA_TEST_BACKEND names, else the one that a run
/// takes by itself, which is never the emulated device.
[[nodiscard]] Context open_device() {
  const char* const backend = std::getenv("TESSERA_TEST_BACKEND");
  return registry().open(backend == nullptr ? "auto" : backend);
}

/// A melt in which every second atom is bonded to the one before, with excluded bonded pairs.
[[nodiscard]] md::System dimers(int cells) {
  md::System system = melt(cells);
  for (std::int32_t i = 0; i + 1 < static_cast<std::int32_t>(system.type.size()); i += 2)
    system.bonds.push_back({{i, i + 1}, 0});
  system.bond_types = 1;
  system.bond_coefficients = {{0, {40.0, 1.1}}};
  return system;
}

struct TermsAndBath {
  std::string name;
  bool bonds = false;
  bool tail = false;
  md::IntegratorFactory integrator = nullptr;
  /// Whether the atoms have two masses and some are frozen.
  bool mixture = false;
  double tilt = 0;  ///< xy, in lengths of the box
  /// Whether the box is open; then an atom leaves it.
  bool open = false;
  double second_cutoff = 0;  ///< of the atoms of the second type in a mixture; 0: as the first
};

[[nodiscard]] std::vector<TermsAndBath> all_parts() {
  const auto bath = [](bool zero) {
    return md::langevin({.temperature = 1.2, .friction = 1.5, .seed = 3, .zero = zero});
  };
  return {{"bonds", true},
          {"a tail", false, true},
          {"a bath", false, false, bath(false)},
          {"a bath without momentum", false, false, bath(true)},
          {"a bath and two masses", false, false, bath(false), true},
          {.name = "a tilted box", .tilt = 0.3},
          {.name = "a far tilted box", .tilt = -1.7},
          {.name = "an open box", .open = true},
          {.name = "two cutoffs", .mixture = true, .second_cutoff = 2.2},
          {"bonds, a bath and two cutoffs in a tilted box", true, false, bath(false), true, 0.3,
           false, 2.2},
          {"bonds and a bath in an open box", true, false, bath(true), false, 0, true},
          {"bonds, a tail, a bath without momentum, two masses", true, true, bath(true), true}};
}

[[nodiscard]] std::unique_ptr<md::Simulation> start_with(
    const TermsAndBath& how, Precision precision, const std::string& implementation, bool whole,
    const md::ListedTermOptions* bonds = nullptr, const ParameterValues& parameters = {}) {
  md::System system = dimers(5);
  if (how.mixture) {
    system.types.push_back(system.types.front());
    system.types.back().mass = 3;
    system.frozen.assign(system.type.size(), 0);
    for (std::size_t i = 0; i < system.type.size(); ++i) {
      system.type[i] = i % 5 == 0 ? 1 : 0;
      system.frozen[i] = i % 11 == 0 ? 1 : 0;
    }
  }
  if (how.tilt != 0) {
    system.box.tilt[0] = how.tilt * system.box.length[0];
    for (auto& r : system.positions)
      r[0] += how.tilt * (r[1] - system.box.lower[1]);
  }
  if (how.open) {
    for (bool& periodic : system.box.periodic)
      periodic = false;
    system.velocities.front() = {-20, -12, 0};
  }
  md::PairTermOptions pairs{melt_coefficients(how.mixture ? 2 : 1)};
  if (how.second_cutoff > 0) pairs.coefficients.set(1, 1, {{"cutoff", how.second_cutoff}});
  if (how.bonds) pairs.exclusions = md::bonds_by_atom(system.size(), system.bonds);
  md::SimulationParts parts{{md::pair_term(pairs)}, how.integrator};
  if (how.bonds)
    parts.terms.push_back(
        md::listed_term(bonds != nullptr ? *bonds : md::bonds_of(system, "harmonic")));
  if (how.tail)
    parts.terms.insert(parts.terms.begin(),
                       md::constant_term(md::tail_of(pairs.coefficients, system)));
  md::SimulationOptions options = steps_are(whole);
  options.precision = precision;
  options.time_step = 0.003;
  Context context = open_device();
  context.choices = choose_pair_force(implementation, parameters);
  return md::Simulation::make(context, system, parts, md::units_from_name("lj"), options);
}

/// Heat that each atom took from the bath; empty without a bath.
[[nodiscard]] std::vector<double> heat(const md::Simulation& simulation) {
  for (std::size_t c = 0; c < simulation.columns().size(); ++c)
    if (simulation.columns().info(c).name == "langevin.heat")
      return std::get<std::vector<double>>(simulation.columns().host_column(c).values);
  return {};
}

/// Tuning parameters with which an implementation moves the atoms in different kernels.
[[nodiscard]] std::vector<ParameterValues> ways_of(const std::string& implementation) {
  if (!is_gpu_list(implementation)) return {{}};
  // Staged lists, a kernel of its own that moves the atoms, and a step in one kernel.
  std::vector<ParameterValues> ways;
  for (const std::int64_t threads : {1, 2, 4})
    ways.push_back({{"threads_per_atom", threads}});
  return ways;
}

/// Steps of each call. The emulated device takes a hundredth of a second for each, and several
/// calls with a rebuild in one of them suffice to compare the kernels there.
[[nodiscard]] std::vector<std::int64_t> steps_of_calls() {
  if (open_device().device->properties().backend == "emulated") return {1, 24, 3};
  return {1, 40, 3, 17, 60};
}

void check_bits(const TermsAndBath& how, Precision precision, const std::string& implementation,
                const ParameterValues& parameters) {
  const auto run = [&](bool whole) {
    auto simulation = start_with(how, precision, implementation, whole, nullptr, parameters);
    for (const std::int64_t steps : steps_of_calls())
      simulation->advance(steps);
    return simulation;
  };
  const auto apart = run(false);
  const auto whole = run(true);
  check_fused_course(*whole, *apart, implementation);
  CHECK(whole->fused_steps_refusal().has_value() == !made_fused_steps(*whole));
  CHECK(heat(*whole) == heat(*apart));
  CHECK(heat(*whole).empty() == !how.integrator);
  const md::ThermoRow a = whole->thermo();
  const md::ThermoRow b = apart->thermo();
  CHECK(a.potential_energy == b.potential_energy);
  CHECK(a.pressure == b.pressure);
}

TEST_CASE("fused steps: other terms and baths give the bits of one operation after the other") {
  for (const TermsAndBath& how : all_parts()) {
    CAPTURE(how.name);
    for (const Precision precision :
         {Precision::double_precision, Precision::mixed, Precision::single})
      for (const std::string& implementation : repeatable_pair_forces(precision)) {
        CAPTURE(implementation);
        CAPTURE(std::string(name(precision)));
        const std::vector<ParameterValues> ways = ways_of(implementation);
        for (std::size_t way = 0; way < ways.size(); ++way) {
          CAPTURE(way);
          check_bits(how, precision, implementation, ways[way]);
        }
      }
  }
}

TEST_CASE("fused steps: a bath goes back with the atoms after a blow-up") {
  const auto run = [](bool whole) {
    md::SimulationOptions options = steps_are(whole);
    options.time_step = 0.03;
    md::SimulationParts parts{{md::pair_term({melt_coefficients(1)})},
                              md::langevin({.temperature = 1.2, .friction = 0.01, .seed = 3})};
    auto simulation =
        md::Simulation::make(open_device(), melt(6), parts, md::units_from_name("lj"), options);
    std::string message;
    try {
      simulation->advance(5000);
    } catch (const md::BlowUpError& error) {
      message = error.what();
    }
    CHECK(message.find("moved") != std::string::npos);
    return simulation;
  };
  const auto apart = run(false);
  const auto whole = run(true);
  CHECK(heat(*whole) == heat(*apart));
  check_same_atoms(*whole, *apart);
}

TEST_CASE("fused steps: bonds that need lists of their own end the steps in time") {
  // Bonds of two fifths of the box allow only a small displacement.
  TermsAndBath how = all_parts().front();
  md::System system = dimers(5);
  system.bonds.clear();
  system.bond_coefficients = {{0, {300.0, 0.38 * system.box.length[0]}}};
  const double far = 0.4 * system.box.length[0];
  for (std::int32_t i = 1; i < static_cast<std::int32_t>(system.type.size()); ++i) {
    const double x = system.positions[static_cast<std::size_t>(i)][0] - system.positions[0][0];
    if (system.bonds.empty() && x > 0.9 * far && x < far &&
        std::abs(system.positions[static_cast<std::size_t>(i)][1] - system.positions[0][1]) < 1)
      system.bonds.push_back({{0, i}, 0});
  }
  REQUIRE(!system.bonds.empty());
  const md::ListedTermOptions bonds = md::bonds_of(system, "harmonic");
  const auto run = [&](bool whole) {
    auto simulation = start_with(how, Precision::double_precision, "auto", whole, &bonds);
    simulation->advance(150);
    return simulation;
  };
  const auto apart = run(false);
  const auto whole = run(true);
  check_same_atoms(*whole, *apart);
}

TEST_CASE("fused steps: a term from outside ends them") {
  md::SimulationParts parts{{md::pair_term({melt_coefficients(1)}), tether(2.0)}, {}};
  const auto run = [&](bool whole) {
    auto simulation = md::Simulation::make(open_device(), melt(5), parts, md::units_from_name("lj"),
                                           steps_are(whole));
    simulation->advance(60);
    return simulation;
  };
  if (!on_host()) return;  // the term runs on the host
  const auto apart = run(false);
  const auto whole = run(true);
  CHECK(!made_fused_steps(*whole));
  check_same_course(*whole, *apart);
}

}  // namespace
}  // namespace tessera::test
