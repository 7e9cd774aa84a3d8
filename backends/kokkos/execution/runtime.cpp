#include "backends/kokkos/execution/runtime.hpp"

#include "backends/kokkos/execution/environment.hpp"
#include "backends/kokkos/execution/tools_bridge.hpp"
#include "core/base/error.hpp"
#include "core/execution/host_memory.hpp"

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <sstream>

#if defined(KOKKOS_ENABLE_OPENMP)
#include "core/base/logging.hpp"

#include <omp.h>
#endif

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define TESSERA_KOKKOS_ON_GPU 1
#include "backends/gpu/execution/async_host_copy.hpp"
#include "backends/gpu/execution/graph.hpp"
#include "backends/gpu/execution/memory.hpp"
#include "backends/gpu/execution/transform.hpp"
#endif

namespace tessera::kokkos {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// The device that an initialised Kokkos runs on.
int current_ordinal() {
#if defined(KOKKOS_ENABLE_CUDA)
  return Exec().cuda_device();
#elif defined(KOKKOS_ENABLE_HIP)
  return Exec().hip_device();
#else
  return 0;
#endif
}

#if defined(TESSERA_KOKKOS_ON_GPU)
/// Number that Kokkos gives to device `ordinal`: it counts only the devices that
/// KOKKOS_VISIBLE_DEVICES lists. -1 where the device is not among them; Kokkos itself would abort
/// the process.
int kokkos_number(int ordinal) {
  const char* const visible = std::getenv("KOKKOS_VISIBLE_DEVICES");
  if (visible == nullptr) return ordinal;
  std::istringstream list(visible);
  int number = 0;
  for (std::string entry; std::getline(list, entry, ','); ++number)
    if (entry == std::to_string(ordinal)) return number;
  return -1;
}
#endif

Kokkos::InitializationSettings settings_for([[maybe_unused]] std::optional<int> ordinal) {
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true);
#if defined(TESSERA_KOKKOS_ON_GPU)
  if (ordinal) {
    const int number = kokkos_number(*ordinal);
    if (number < 0)
      throw RefusalError("backend kokkos on device " + std::to_string(*ordinal),
                         "KOKKOS_VISIBLE_DEVICES leaves that device out");
    settings.set_device_id(number);
  }
#endif
  return settings;
}

#if defined(KOKKOS_ENABLE_OPENMP)
void start_kokkos(Kokkos::InitializationSettings settings) {
  const int wanted = omp_get_max_threads();
  if (wanted > most_threads) {
    log_warning("kokkos runs on " + std::to_string(most_threads) + " threads, not on " +
                std::to_string(wanted) + ", which OMP_NUM_THREADS requests");
    settings.set_num_threads(most_threads);
    omp_set_num_threads(most_threads);  // Kokkos starts a team before it reads the settings
  }
  Kokkos::initialize(settings);
  // Kokkos changes the number of threads of the whole process.
  if (wanted > most_threads) omp_set_num_threads(wanted);
}
#else
void start_kokkos(const Kokkos::InitializationSettings& settings) {
  Kokkos::initialize(settings);
}
#endif

/// Initialises Kokkos where the application has not, and finalises it then in the destructor. That
/// runs at the end of the process, or later with the last plan or device that holds the object.
struct Runtime {
  explicit Runtime(std::optional<int> ordinal) : ours(!Kokkos::is_initialized()) {
    if (!ours) return;
    check_environment();
#if defined(TESSERA_KOKKOS_ON_GPU)
    gpu::require_kernels(ordinal.value_or(0));
#endif
    start_kokkos(settings_for(ordinal));
  }
  ~Runtime() {
    if (ours && Kokkos::is_initialized()) Kokkos::finalize();
  }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  bool ours;
};

}  // namespace

std::shared_ptr<void> acquire_runtime(std::optional<int> ordinal) {
  static std::mutex mutex;
  static std::shared_ptr<Runtime> runtime;
  const std::lock_guard lock(mutex);
  if (Kokkos::is_finalized())
    throw RefusalError("backend kokkos", "Kokkos was finalised earlier in this process");
  if (!runtime) {
    runtime = std::make_shared<Runtime>(ordinal);
    // Initialisation creates static objects of Kokkos, which are destroyed at exit. A handler that
    // is registered now runs before that; the destructor of the older `runtime` would run after it.
    std::atexit([] { runtime.reset(); });
    offer_parameters_to_tools();
  }
  if (const int current = current_ordinal(); ordinal && *ordinal != current)
    throw RefusalError(
        "backend kokkos on device " + std::to_string(*ordinal),
        "Kokkos gives a process one device, and here it runs on device " + std::to_string(current) +
            (runtime->ours ? ", which was opened first" : ", on which the program initialised it"));
  return runtime;
}

std::string unavailable() {
#if defined(TESSERA_KOKKOS_ON_GPU)
  return gpu::unavailable();
#else
  return {};
#endif
}

int device_count() {
#if defined(TESSERA_KOKKOS_ON_GPU)
  return gpu::device_count();
#else
  return 1;
#endif
}

int default_ordinal() {
  const auto runtime = acquire_runtime();
  return current_ordinal();
}

DeviceProperties properties([[maybe_unused]] int ordinal) {
#if defined(TESSERA_KOKKOS_ON_GPU)
  DeviceProperties found = gpu::properties(ordinal);
  found.backend = "kokkos";
  return found;
#else
  const auto runtime = acquire_runtime();
  return host_memory::properties("kokkos", Exec().concurrency());
#endif
}

double seconds_of([[maybe_unused]] int ordinal, [[maybe_unused]] Stream stream,
                  const std::function<void()>& work) {
#if defined(TESSERA_KOKKOS_ON_GPU)
  return gpu::seconds_of(ordinal, stream, work);
#else
  const auto start = std::chrono::steady_clock::now();
  work();
  Exec().fence("tessera timing");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
#endif
}

std::unique_ptr<AsyncHostCopy> async_host_copy([[maybe_unused]] int ordinal,
                                               [[maybe_unused]] Stream stream,
                                               [[maybe_unused]] std::size_t bytes) {
#if defined(TESSERA_KOKKOS_ON_GPU)
  return gpu::async_host_copy(ordinal, stream, bytes);
#else
  return nullptr;
#endif
}

std::unique_ptr<TaskGraph> make_graph([[maybe_unused]] int ordinal, [[maybe_unused]] Stream stream,
                                      [[maybe_unused]] const RecordTasks& record) {
#if defined(TESSERA_KOKKOS_ON_GPU)
  return gpu::make_graph(ordinal, stream, record);
#else
  return nullptr;
#endif
}

std::string transforms_unavailable() {
#if defined(TESSERA_KOKKOS_ON_GPU)
  return gpu::transforms_unavailable();
#else
  return "not on a GPU";
#endif
}

std::unique_ptr<Transform> make_transform([[maybe_unused]] int ordinal,
                                          [[maybe_unused]] Stream stream,
                                          [[maybe_unused]] const TransformBatch& batch) {
#if defined(TESSERA_KOKKOS_ON_GPU)
  return gpu::make_transform(ordinal, stream, batch);
#else
  throw DeviceError("making a transform", transforms_unavailable());
#endif
}

bool reaches([[maybe_unused]] int ordinal, const void* pointer) {
#if defined(TESSERA_KOKKOS_ON_GPU)
  return gpu::reaches(ordinal, pointer);
#else
  return host_memory::readable(pointer);
#endif
}

}  // namespace tessera::kokkos
