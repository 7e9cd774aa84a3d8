#include <cmath>
#include <cstdio>
#include <tessera/core/base/build_info.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/operations/plugin_library.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_form/coefficient_table.hpp>
#include <vector>

// Two atoms at the distance of the lowest energy, on every backend of the host: energy -1, no
// force. Then loads a plugin, when one is named.
int main(int argc, char** argv) {
  using namespace tessera;
  std::printf("tessera %s\n", build_info().version.c_str());
  int used = 0;
  for (const BackendInfo& backend : registry().backends()) {
    if (!backend.not_built.empty() || backend.memory != MemorySpace::host) continue;
    const Context context = registry().open(backend.name);
    std::vector<double> positions = {5, 5, 5, 5 + std::pow(2.0, 1.0 / 6.0), 5, 5};
    std::vector<double> forces(6, 1e9);
    const std::vector<std::int32_t> types(2, 0);
    md::CoefficientTable lj(md::pair_forms().find("lj/cut"), 1);
    lj.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
    double energy = 0;
    double virial[6];
    md::PairForceArgs<double> args;
    args.positions = {positions.data(), {2, 3}};
    args.types = {types.data(), {2}};
    args.forces = {forces.data(), {2, 3}};
    args.box.length[0] = args.box.length[1] = args.box.length[2] = 10;
    args.coefficients = lj.view();
    args.energy = {&energy, {1}};
    args.virial = {virial, {6}};
    md::pair_force<Double>(context, args);
    std::printf("%s: energy %.15g\n", backend.name.c_str(), energy);
    if (std::abs(energy + 1) > 1e-14) return 1;
    for (const double f : forces)
      if (std::abs(f) > 1e-13) return 1;
    ++used;
  }
  if (argc > 1) {
    load_plugin_library(registry(), argv[1]);
    const ImplementationInfo& info =
        registry().find("reduction/extrema", Precision::double_precision, "consumer.none").info();
    std::printf("loaded %s: %s\n", info.name.c_str(), info.description.c_str());
  }
  return used > 0 ? 0 : 1;
}
