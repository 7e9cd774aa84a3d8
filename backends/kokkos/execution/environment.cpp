#include "backends/kokkos/execution/environment.hpp"

#include "core/base/environment.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#if defined(KOKKOS_ENABLE_LIBDL)
#include <dlfcn.h>
#endif
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define TESSERA_KOKKOS_ON_GPU 1
#include "backends/gpu/execution/memory.hpp"
#endif

namespace tessera::kokkos {
namespace {

constexpr std::int64_t most_int = std::numeric_limits<int>::max();

void check_devices() {
  std::int64_t most = most_int;
#if defined(TESSERA_KOKKOS_ON_GPU)
  most = gpu::device_count() - 1;
#endif
  check_environment_list("KOKKOS_VISIBLE_DEVICES", 0, most);
  const char* const visible = std::getenv("KOKKOS_VISIBLE_DEVICES");
#if defined(TESSERA_KOKKOS_ON_GPU)
  // Kokkos numbers only the visible devices.
  if (visible != nullptr) {
    const std::string list(visible);
    most = std::count(list.begin(), list.end(), ',');
  }
#else
  static_cast<void>(visible);
#endif
  static_cast<void>(environment_integer("KOKKOS_DEVICE_ID", 0, most));
  check_environment_word("KOKKOS_MAP_DEVICE_ID_BY", {"mpi_rank", "random"});
}

/// Checks variables that MPI launchers set, and that Kokkos reads when it counts the threads of a
/// machine.
void check_ranks() {
  for (const char* const name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
        "PMI_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK",
        "MPI_LOCALRANKID", "SLURM_LOCALID", "PMI_LOCAL_RANK", "CTEST_RESOURCE_GROUP_COUNT"})
    static_cast<void>(environment_integer(name, 0, most_int));
}

void check_tools() {
  const char* const old_name = std::getenv("KOKKOS_PROFILE_LIBRARY");
  const char* const name = std::getenv("KOKKOS_TOOLS_LIBS");
  if (old_name != nullptr && name != nullptr && std::string(old_name) != name)
    refuse_environment("KOKKOS_PROFILE_LIBRARY",
                       "the same as KOKKOS_TOOLS_LIBS, or only one of the two");
#if defined(KOKKOS_ENABLE_LIBDL)
  const std::string list = name != nullptr ? name : old_name != nullptr ? old_name : "";
  const std::string first = list.substr(0, list.find(';'));
  // The library is not closed, because Kokkos opens it again.
  if (!first.empty() && ::dlopen(first.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
    refuse_environment(name != nullptr ? "KOKKOS_TOOLS_LIBS" : "KOKKOS_PROFILE_LIBRARY",
                       std::string("a library that can be loaded: ") + ::dlerror());
#endif
}

}  // namespace

void check_environment() {
  static_cast<void>(environment_integer("KOKKOS_NUM_THREADS", 1, most_threads));
#if defined(KOKKOS_ENABLE_OPENMP)
  check_environment_list("OMP_NUM_THREADS", 1, most_int);
#endif
  for (const char* const flag :
       {"KOKKOS_DISABLE_WARNINGS", "KOKKOS_PRINT_CONFIGURATION", "KOKKOS_TUNE_INTERNALS"})
    check_environment_word(flag, {"yes", "true", "1", "no", "false", "0"});
  check_devices();
  check_ranks();
  check_tools();
}

}  // namespace tessera::kokkos
