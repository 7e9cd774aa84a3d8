#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <mutex>
#include <tessera/backends/kokkos/execution/runtime.hpp>
#include <tessera/core/base/error.hpp>

namespace tessera::kokkos {
namespace {

/// Finalises what it initialised, when the last plan or device that holds it is gone.
struct Runtime {
  Runtime() : ours(!Kokkos::is_initialized()) {
    if (ours) Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
  }
  ~Runtime() {
    if (ours && Kokkos::is_initialized()) Kokkos::finalize();
  }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  bool ours;
};

}  // namespace

std::shared_ptr<void> acquire_runtime() {
  static std::mutex mutex;
  static std::shared_ptr<Runtime> runtime;
  const std::lock_guard lock(mutex);
  if (Kokkos::is_finalized())
    throw RefusalError("backend kokkos", "Kokkos was finalised earlier in this process");
  if (!runtime) {
    runtime = std::make_shared<Runtime>();
    // Kokkos keeps statics of its own, made while it was initialised: a handler registered now runs
    // before they are gone, the destructor of `runtime` would run after.
    std::atexit([] { runtime.reset(); });
  }
  return runtime;
}

std::string unavailable() {
#if defined(KOKKOS_ENABLE_CUDA)
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) return std::string("no GPU can be used: ") + cudaGetErrorString(code);
  if (count == 0) return "Kokkos was built for CUDA and no NVIDIA GPU is present";
#endif
  return {};
}

}  // namespace tessera::kokkos
