#include "core/base/error.hpp"
#include "core/operations/registry.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/langevin.hpp"
#include "physics/md/simulation/listed_term.hpp"
#include "physics/md/simulation/pair_term.hpp"
#include "physics/md/simulation/simulation.hpp"
#include "tests/calls/wrong_call.hpp"
#include "tests/calls/wrong_values.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace tessera::test {
namespace {

/// A valid simulation of four atoms: two types, charges, a bond.
struct Right {
  md::System system;
  md::PairTermOptions pair{md::CoefficientTable(md::pair_potentials().find("lj/cut"), 2), 0.3};
  bool bonds = true;
  md::SimulationParts parts;
  md::Units units = md::units_from_name("lj");
  md::SimulationOptions options;

  Right() {
    for (double& length : system.box.length)
      length = 10;
    system.types = {{"a", 1.0}, {"b", 2.0}};
    system.ids = {1, 2, 3, 4};
    system.type = {0, 1, 0, 1};
    system.positions = {{1, 1, 1}, {2.2, 1, 1}, {1, 2.3, 1}, {5, 5, 5}};
    system.images.resize(4);
    system.velocities.resize(4);
    system.charges = {1, -1, 1, -1};
    system.molecules = {1, 1, 2, 2};
    system.bonds = {{{0, 1}, 0}};
    system.bond_types = 1;
    system.bond_coefficients = {{0, {100, 1.2}}};
    pair.coefficients.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  }

  void run(const std::string& backend) {
    parts.terms.push_back(md::pair_term(pair));
    if (bonds) parts.terms.push_back(md::listed_term(md::bonds_of(system, "harmonic")));
    const auto simulation =
        md::Simulation::make(registry().open(backend), system, parts, units, options);
    simulation->advance(2);
  }
};

void add_on(WrongCalls& calls, const std::string& backend, Precision precision) {
  const std::string label =
      "Simulation on " + backend + " (" + std::string(name(precision)) + "): ";
  const auto add = [&](const char* argument, const std::string& what, auto change) {
    calls.push_back({label + argument + ": " + what, argument, [=] {
                       Right right;
                       right.options.precision = precision;
                       change(right);
                       right.run(backend);
                     }});
  };
  // Adds calls with arrays that are too short or too long.
  const auto sizes = [&](const char* argument, auto member) {
    for (const std::size_t size : {1u, 3u, 5u, 1000u})
      add(argument, std::to_string(size) + " elements",
          [=](Right& r) { (r.system.*member).resize(size); });
  };
  sizes("positions", &md::System::positions);
  sizes("velocities", &md::System::velocities);
  sizes("images", &md::System::images);
  sizes("ids", &md::System::ids);
  sizes("charges", &md::System::charges);
  sizes("molecules", &md::System::molecules);
  add("positions", "none", [](Right& r) { r.system.positions.clear(); });
  add("type", "negative", [](Right& r) { r.system.type[2] = -1; });
  add("type", "one too large", [](Right& r) { r.system.type[2] = 2; });
  add("type", "far too large",
      [](Right& r) { r.system.type[3] = std::numeric_limits<std::int32_t>::max(); });
  add("types", "none", [](Right& r) { r.system.types.clear(); });
  add("type", "one fewer", [](Right& r) { r.system.types.pop_back(); });
  for (const double mass : {std::nan(""), HUGE_VAL, 0.0, -1.0})
    add("mass", std::to_string(mass), [=](Right& r) { r.system.types[1].mass = mass; });
  for (const double x : {std::nan(""), HUGE_VAL}) {
    add("position", std::to_string(x), [=](Right& r) { r.system.positions[2][1] = x; });
    add("velocity", std::to_string(x), [=](Right& r) { r.system.velocities[2][1] = x; });
    add("charge", std::to_string(x), [=](Right& r) { r.system.charges[2] = x; });
    add("time_step", std::to_string(x), [=](Right& r) { r.options.time_step = x; });
    add("units", std::to_string(x), [=](Right& r) { r.units.force_to_accel = x; });
    add("skin", std::to_string(x), [=](Right& r) { r.pair.skin = x; });
  }
  add("skin", "negative", [](Right& r) { r.pair.skin = -0.3; });
  add("units", "0", [](Right& r) { r.units.boltzmann = 0; });
  add("rebuild_every", "negative", [](Right& r) { r.options.rebuild_every = -5; });
  each_wrong_box([&](const char* what, auto change) {
    add("box", what, [change](Right& r) { change(r.system.box); });
  });
  // Terms.
  add("terms", "a null pointer", [](Right& r) { r.parts.terms.emplace_back(); });
  add("types", "coefficients of one type", [](Right& r) {
    r.pair.coefficients = md::CoefficientTable(md::pair_potentials().find("lj/cut"), 1);
    r.pair.coefficients.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  });
  add("cutoff", "none", [](Right& r) { r.pair.coefficients.set_all({{"cutoff", 0}}); });
  const auto excluded = [&](const char* what, std::vector<std::int32_t> offsets,
                            std::vector<std::int32_t> partners) {
    add("exclusions", what, [=](Right& r) { r.pair.exclusions = {offsets, partners, {}}; });
  };
  excluded("no offsets", {}, {1, 0});
  excluded("short offsets", {0, 1, 2}, {1, 0});
  excluded("offsets that descend", {0, 2, 1, 2, 2}, {1, 0});
  excluded("negative offsets", {0, -1, 2, 2, 2}, {1, 0});
  excluded("offsets beyond the partners", {0, 1, 2, 2, 900}, {1, 0});
  excluded("a negative partner", {0, 1, 2, 2, 2}, {-1, 0});
  excluded("a partner that is not there", {0, 1, 2, 2, 2}, {4, 0});
  // Bonds.
  add("bond_types", "negative", [](Right& r) { r.system.bond_types = -1; });
  add("bond", "a type that is not there", [](Right& r) { r.system.bonds[0].type = 1; });
  add("bond", "a negative type", [](Right& r) { r.system.bonds[0].type = -1; });
  add("bond", "an atom that is not there", [](Right& r) { r.system.bonds[0].atoms[1] = 4; });
  add("bond", "a negative atom", [](Right& r) { r.system.bonds[0].atoms[0] = -1; });
  add("bond", "coefficients of a type that is not there",
      [](Right& r) { r.system.bond_coefficients[0].type = 1; });
  add("bond", "coefficients of a negative type",
      [](Right& r) { r.system.bond_coefficients[0].type = -1; });
  add("coefficients", "one too few",
      [](Right& r) { r.system.bond_coefficients[0].values = {100}; });
  add("coefficients", "NaN", [](Right& r) { r.system.bond_coefficients[0].values[1] = NAN; });
  const auto lists = [&](const char* argument, const char* what, md::ListedLists wrong) {
    add(argument, what, [=](Right& r) {
      md::ListedTermOptions options = md::bonds_of(r.system, "harmonic");
      options.lists = wrong;
      r.bonds = false;
      r.parts.terms.push_back(md::listed_term(options));
    });
  };
  const std::vector<std::int32_t> both = {0, 0};
  const std::vector<std::int32_t> places = {0, 1};
  const std::vector<std::int32_t> partners = {1, 0, 0, 0, 1, 1};
  lists("offsets", "none", {{}, both, places, partners});
  lists("offsets", "short", {{0, 1, 2}, both, places, partners});
  lists("offsets", "that descend", {{0, 2, 1, 2, 2}, both, places, partners});
  lists("offsets", "beyond the partners", {{0, 1, 2, 2, 99}, both, places, partners});
  lists("partners", "one that is not there", {{0, 1, 2, 2, 2}, both, places, {1, 0, 0, 4, 1, 1}});
  lists("partners", "a negative one", {{0, 1, 2, 2, 2}, both, places, {1, 0, 0, -4, 1, 1}});
  lists("places", "one that is not there", {{0, 1, 2, 2, 2}, both, {0, 4}, partners});
  lists("lists", "one kind too few", {{0, 1, 2, 2, 2}, {0}, places, partners});
  lists("kind", "one that is not there", {{0, 1, 2, 2, 2}, {0, 7}, places, partners});
  // Langevin dynamics.
  for (const double x : {std::nan(""), HUGE_VAL, -1.0}) {
    add("temperature", std::to_string(x),
        [=](Right& r) { r.parts.integrator = md::langevin({.temperature = x}); });
    add("friction", std::to_string(x),
        [=](Right& r) { r.parts.integrator = md::langevin({.friction = x}); });
  }
  calls.push_back({label + "steps: negative", "steps", [=] {
                     Right right;
                     right.options.precision = precision;
                     md::Simulation::make(registry().open(backend), right.system, {}, right.units,
                                          right.options)
                         ->advance(-3);
                   }});
}

}  // namespace

void add_simulation_calls(WrongCalls& calls) {
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    for (const Precision precision :
         {Precision::double_precision, Precision::mixed, Precision::single})
      add_on(calls, backend.name, precision);
  }
}

}  // namespace tessera::test
