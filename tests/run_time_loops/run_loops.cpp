#include "backends/gpu/pair_force_cluster/loop_table.hpp"
#include "backends/gpu/pair_force_list/loop_table.hpp"
#include "backends/gpu/pair_force_patch/loop_table.hpp"
#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/registry.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "tests/run_time_loops/nvrtc.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Runs kernels that the run-time compiler made in the plans of cuda.list, cuda.cluster and
/// cuda.patch, under the name of a potential that the build does not know, and compares the forces
/// with those of the kernels that nvcc compiled, bit by bit.
///
/// usage: run_loops ROOT LIBNVRTC

namespace tessera::md {
namespace {

constexpr const char* made_at_run_time = "made/at/run/time";

void require(cudaError_t error, const char* doing) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(error));
}

/// A kernel in a library that is unloaded with the last owner.
struct LoadedKernel {
  std::shared_ptr<const void> library;
  const void* handle = nullptr;
};

LoadedKernel load(const test::CompiledKernel& compiled) {
  cudaLibrary_t library = nullptr;
  require(
      cudaLibraryLoadData(&library, compiled.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      "loading a kernel");
  cudaKernel_t kernel = nullptr;
  require(cudaLibraryGetKernel(&kernel, library, compiled.name.c_str()), "finding a kernel");
  return {{library, [](cudaLibrary_t loaded) { cudaLibraryUnload(loaded); }}, kernel};
}

/// The table of a pair loop with one kernel.
template <class Table, class Variant>
std::shared_ptr<const void> table_of(const LoadedKernel& kernel, const Variant& variant) {
  auto table = std::make_shared<Table>(
      gpu::pair_common::PotentialLayout{1 + pair_potentials().find("lj/cut").parts()[0].width});
  table->add(variant, kernel.handle);
  table->keep(kernel.library);
  return table;
}

/// A kernel, its place in the table of an implementation, and a call that takes it.
struct Loop {
  std::string implementation;
  test::KernelText text;
  std::shared_ptr<const void> (*table)(const LoadedKernel& kernel);
  ParameterValues parameters;
  int atoms_along = 0;  ///< atoms along an edge of the cubic box
};

/// A cubic lattice whose atoms are displaced by irregular amounts.
std::vector<double> positions_of(int along, double spacing) {
  std::vector<double> positions;
  std::uint32_t state = 1;
  const auto jitter = [&] {
    state = state * 1664525u + 1013904223u;
    return 0.2 * (static_cast<double>(state) / 4294967296.0 - 0.5);
  };
  for (int x = 0; x < along; ++x)
    for (int y = 0; y < along; ++y)
      for (int z = 0; z < along; ++z)
        for (const int d : {x, y, z})
          positions.push_back((d + 0.5 + jitter()) * spacing);
  return positions;
}

/// Input of a call, and its forces.
struct Call {
  Array<double> positions;
  Array<std::int32_t> types;
  Array<double> forces;
  Array<double> energy;
  CoefficientTable table;
  PairForceArgs<double> args;

  Call(const Context& context, const Loop& loop, const std::string& potential)
      : positions(context, positions_of(loop.atoms_along, 1.2)),
        types(context, std::vector<std::int32_t>(positions.size() / 3, 0)),
        forces(context, std::ssize(positions)),
        energy(context, 1),
        table(pair_potentials().find(potential), 1) {
    table.set(0, 0, {{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2}});
    args.positions = positions.rows(3);
    args.types = types.view();
    for (double& length : args.box.length)
      length = 1.2 * loop.atoms_along;
    args.coefficients = table.view();
    args.forces = forces.rows(3);
    forces.fill_bytes(0xff);
  }
};

std::vector<double> forces_of(const Implementation<PairForce, Mixed>& implementation,
                              const Context& context, const Loop& loop,
                              const std::string& potential, bool removes) {
  Call call(context, loop, potential);
  const auto plan =
      implementation.make_plan(pair_force_problem(call.args, potential), context, loop.parameters);
  if (removes) {
    // The plan keeps the potential, the table and the library.
    pair_kernels().remove(loop.implementation, Precision::mixed, potential);
    pair_potentials().remove(potential);
  }
  plan->prepare(call.args);
  plan->execute(call.args);
  const std::vector<double> forces = call.forces.to_host();
  if (removes) {
    call.args.energy = {call.energy.data(), {1}};
    try {
      plan->execute(call.args);
      throw std::runtime_error("a kernel with energy was found, expected a refusal");
    } catch (const RefusalError& refusal) {
      fmt::print("  refused with energy: {}\n", refusal.what());
    }
  }
  return forces;
}

bool agrees(const test::Nvrtc& nvrtc, const std::string& root, const std::string& architecture,
            const Loop& loop) {
  const auto& implementation = dynamic_cast<const Implementation<PairForce, Mixed>&>(
      registry().find("md/pair_force", Precision::mixed, loop.implementation));
  const Context context = open_for(registry(), implementation);
  const std::vector<double> expected = forces_of(implementation, context, loop, "lj/cut", false);

  PairPotentialPart part = pair_potentials().find("lj/cut").parts()[0];
  part.name = made_at_run_time;
  pair_potentials().add(part);
  {
    const LoadedKernel kernel =
        load(nvrtc.compile(test::headers_of(root, loop.text.headers), loop.text, architecture));
    pair_kernels().add(loop.implementation, Precision::mixed, made_at_run_time, 0,
                       loop.table(kernel));
  }
  const std::vector<double> forces =
      forces_of(implementation, context, loop, made_at_run_time, true);
  double largest = 0;
  for (const double force : expected)
    largest = std::fmax(largest, std::abs(force));
  const bool same =
      forces.size() == expected.size() && largest > 1 &&
      std::memcmp(forces.data(), expected.data(), forces.size() * sizeof(double)) == 0;
  fmt::print("{}: {} atoms, largest force {:.6g}, {}\n", loop.implementation, forces.size() / 3,
             largest, same ? "the same bits" : "FAILED: other bits than nvcc's kernel");
  return same;
}

std::vector<Loop> loops() {
  return {{"cuda.list",
           test::list_kernel(),
           [](const LoadedKernel& kernel) {
             using namespace gpu::pair_force_list;
             return table_of<LoopTable>(kernel, Variant{.threads = 1, .types = 1, .of_warp = true});
           },
           {{"threads_per_atom", std::int64_t{1}}, {"staged", false}},
           16},
          // One item, whose warp adds its forces in the same order each time. The super-cluster
          // spans the box, so that positions are not relative to one of its atoms.
          {"cuda.cluster",
           test::cluster_kernel(),
           [](const LoadedKernel& kernel) {
             using namespace gpu::pair_force_cluster;
             return table_of<LoopTable>(kernel, Variant{});
           },
           {{"entries_per_warp", std::int64_t{256}}},
           4},
          {"cuda.patch",
           test::patch_kernel(),
           [](const LoadedKernel& kernel) {
             using namespace gpu::pair_force_patch;
             return table_of<LoopTable>(kernel, Variant{.one_type = true});
           },
           {},
           16}};
}

int run(const std::string& root, const std::string& library) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    fmt::print("skipped: there is no GPU\n");
    return 77;
  }
  const test::Nvrtc nvrtc(library);
  if (!nvrtc.missing().empty()) {
    fmt::print("skipped: {}\n", nvrtc.missing());
    return 77;
  }
  cudaDeviceProp device;
  require(cudaGetDeviceProperties(&device, 0), "describing the device");
  const std::string architecture = fmt::format("sm_{}{}", device.major, device.minor);
  bool good = true;
  for (const Loop& loop : loops())
    good = agrees(nvrtc, root, architecture, loop) && good;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace tessera::md

int main(int argc, char** argv) {
  try {
    return argc < 2 ? 2 : tessera::md::run(argv[1], argc > 2 ? argv[2] : "");
  } catch (const std::exception& error) {
    fmt::print("FAILED: {}\n", error.what());
    return 1;
  }
}
