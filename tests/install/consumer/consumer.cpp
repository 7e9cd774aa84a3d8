#include <tessera/core/base/build_info.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/plugin_library.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_potential/coefficient_table.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace tessera;

/// Energy of two atoms, and the force on the second atom along their connecting line.
struct Pair {
  double energy = 0;
  double force = 0;
};

Pair two_atoms(const Context& context, const md::CoefficientTable& table, double distance) {
  const std::vector<double> positions = {5, 5, 5, 5 + distance, 5, 5};
  std::vector<double> forces(6, 1e9);
  const std::vector<std::int32_t> types(2, 0);
  double energy = 0;
  double virial[6];
  md::PairForceArgs<double> args;
  args.positions = {positions.data(), {2, 3}};
  args.types = {types.data(), {2}};
  args.forces = {forces.data(), {2, 3}};
  args.box.length[0] = args.box.length[1] = args.box.length[2] = 20;
  args.coefficients = table.view();
  args.energy = {&energy, {1}};
  args.virial = {virial, {6}};
  md::pair_force<Double>(context, args, table.potential().name());
  return {energy, forces[3]};
}

bool equal(double value, double expected) {
  return std::abs(value - expected) < 1e-13;
}

}  // namespace

// Checks two atoms at the distance of minimum energy on every backend of the host: energy -1, no
// force. Then loads the plugin of the first argument, and the library of examples/pair_form_library
// of the second one, if they are given; checks the energy 1/e of the latter at distance 1.
int main(int argc, char** argv) {
  std::printf("tessera %s\n", build_info().version.c_str());
  if (argc > 1) {
    load_plugin_library(registry(), argv[1]);
    const ImplementationInfo& info =
        registry().find("reduction/extrema", Precision::double_precision, "consumer.none").info();
    std::printf("loaded %s: %s\n", info.name.c_str(), info.description.c_str());
  }
  if (argc > 2) load_plugin_library(registry(), argv[2]);
  int used = 0;
  for (const BackendInfo& backend : registry().backends()) {
    if (!backend.not_built.empty() || backend.memory != MemorySpace::host) continue;
    const Context context = registry().open(backend.name);
    md::CoefficientTable lj(md::pair_potentials().find("lj/cut"), 1);
    lj.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
    const Pair lowest = two_atoms(context, lj, std::pow(2.0, 1.0 / 6.0));
    std::printf("%s: energy %.15g\n", backend.name.c_str(), lowest.energy);
    if (!equal(lowest.energy, -1) || !equal(lowest.force, 0)) return 1;
    ++used;
    if (argc < 3) continue;
    md::CoefficientTable gaussian(md::pair_potentials().find("gaussian/core"), 1);
    gaussian.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 6}});
    const Pair soft = two_atoms(context, gaussian, 1);
    std::printf("%s: gaussian/core, energy %.9f\n", backend.name.c_str(), soft.energy);
    if (!equal(soft.energy, std::exp(-1.0)) || !equal(soft.force, 2 * std::exp(-1.0))) return 1;
  }
  return used > 0 ? 0 : 1;
}
