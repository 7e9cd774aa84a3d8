#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/plugin_library.hpp"
#include "core/operations/registry.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/// \file
/// Compares forces, torques, energy and virial of charges and dipoles in every implementation with
/// those of LAMMPS, which benchmarks/peers/lammps_dipoles wrote.
///
/// usage: dipole_peer PLUGIN_WITH_THE_POTENTIAL FILE

namespace tessera::md {
namespace {

struct System {
  Box box;
  std::vector<std::int32_t> types;
  std::vector<double> charges, positions, dipoles;
  std::vector<double> forces, torques, totals;  ///< as LAMMPS has them; energy and virial
};

std::vector<double> numbers(std::istream& line, int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values)
    if (!(line >> value)) throw std::runtime_error("the file of LAMMPS lacks numbers in a line");
  return values;
}

std::vector<System> read(const std::string& path) {
  std::ifstream file(path);
  std::vector<System> systems;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string what;
    line >> what;
    if (what == "#") continue;
    if (what == "box") {
      const std::vector<double> box = numbers(line, 6);
      System& system = systems.emplace_back();
      for (std::size_t d = 0; d < 3; ++d) {
        system.box.length[d] = box[d];
        system.box.tilt[d] = box[3 + d];
      }
    } else if (what == "energy" || what == "virial") {
      for (const double value : numbers(line, what == "energy" ? 1 : 6))
        systems.back().totals.push_back(value);
    } else {
      System& system = systems.back();
      int type = 0;
      line >> type;
      system.types.push_back(type - 1);
      system.charges.push_back(numbers(line, 1)[0]);
      for (auto* const column :
           {&system.positions, &system.dipoles, &system.forces, &system.torques})
        for (const double value : numbers(line, 3))
          column->push_back(value);
    }
  }
  if (systems.empty()) throw std::runtime_error("cannot read systems from '" + path + "'");
  return systems;
}

CoefficientTable coefficients() {
  CoefficientTable table(pair_potentials().find("lj/sf/dipole/sf"), 2);
  const double epsilon[] = {0.55, 0.725, 1.434};
  const double sigma[] = {3.05, 3.3, 3.6};
  int pair = 0;
  for (int a = 0; a < 2; ++a)
    for (int b = a; b < 2; ++b, ++pair)
      table.set(a, b,
                {{"epsilon", epsilon[pair]},
                 {"sigma", sigma[pair]},
                 {"cutoff", 6},
                 {"coulomb_constant", 332.06371}});
  return table;
}

/// Largest difference over the largest magnitude.
template <class Storage>
double error(const std::vector<Storage>& values, const std::vector<double>& expected) {
  double difference = 0;
  double largest = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    difference = std::fmax(difference, std::abs(static_cast<double>(values[k]) - expected[k]));
    largest = std::fmax(largest, std::abs(expected[k]));
  }
  return difference / largest;
}

template <class P>
bool agrees(const Implementation<PairForce, P>& implementation, const System& system,
            const CoefficientTable& table) {
  using Storage = typename P::Storage;
  const Context context = open_for(registry(), implementation);
  const auto stored = [&](const std::vector<double>& values) {
    return Array<Storage>(context, std::vector<Storage>(values.begin(), values.end()));
  };
  Array<Storage> positions = stored(system.positions);
  Array<Storage> charges = stored(system.charges);
  Array<Storage> dipoles = stored(system.dipoles);
  Array<std::int32_t> types(context, system.types);
  Array<Storage> forces(context, std::ssize(system.positions));
  Array<Storage> torques(context, std::ssize(system.positions));
  Array<double> totals(context, 7);
  for (auto* const array : {&forces, &torques})
    array->fill_bytes(0xff);
  totals.fill_bytes(0xff);
  PairForceArgs<Storage> args;
  args.positions = positions.rows(3);
  args.types = types.view();
  args.charges = charges.view();
  args.dipoles = dipoles.rows(3);
  args.box = system.box;
  args.coefficients = table.view();
  args.forces = forces.rows(3);
  args.torques = torques.rows(3);
  args.energy = {totals.data(), {1}};
  args.virial = {totals.data() + 1, {6}};
  const auto plan =
      implementation.make_plan(pair_force_problem(args, table.potential().name()), context, {});
  plan->prepare(args);
  plan->execute(args);
  const double tolerance = P::value == Precision::double_precision ? 1e-10 : 2e-6;
  const double force = error(forces.to_host(), system.forces);
  const double torque = error(torques.to_host(), system.torques);
  const double total = error(totals.to_host(), system.totals);
  const bool good = force <= tolerance && torque <= tolerance && total <= tolerance;
  fmt::print("{} in {}: forces {:.1e}, torques {:.1e}, energy and virial {:.1e}{}\n",
             implementation.info().name, name(P::value), force, torque, total,
             good ? "" : fmt::format(", expected at most {:.0e}", tolerance));
  return good;
}

template <class P>
int failures(const System& system, const CoefficientTable& table) {
  int count = 0;
  for (const ImplementationBase* const one :
       registry().implementations("md/pair_force", P::value)) {
    const auto& implementation = dynamic_cast<const Implementation<PairForce, P>&>(*one);
    try {
      count += !agrees(implementation, system, table);
    } catch (const RefusalError& refusal) {
      fmt::print("{}\n", refusal.what());
    }
  }
  return count;
}

}  // namespace
}  // namespace tessera::md

int main(int, char** arguments) {
  using namespace tessera;
  load_plugin_library(registry(), arguments[1]);
  const md::CoefficientTable table = md::coefficients();
  int failures = 0;
  for (const md::System& system : md::read(arguments[2]))
    failures += md::failures<Double>(system, table) + md::failures<Mixed>(system, table);
  return failures == 0 ? 0 : 1;
}
