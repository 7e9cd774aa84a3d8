#ifndef TESSERA_BACKENDS_GPU_EXECUTION_LAUNCH_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_LAUNCH_HPP

#include "backends/gpu/execution/check.hpp"
#include "backends/gpu/execution/shared_memory.cuh"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <tuple>

/// \file
/// Kernel launches. All kernels are launched through launch(). Include
/// this header only in files that nvcc compiles.
///
///     launch("find neighbors", find_neighbors<Storage>, blocks_for(n, 128), 128, 0,
///            stream)(n, ...);

namespace tessera::gpu {

/// Number of blocks of `threads` threads that provide a thread for each of n items.
[[nodiscard]] constexpr unsigned blocks_for(std::int64_t n, std::int64_t threads) {
  return static_cast<unsigned>((n + threads - 1) / threads);
}

/// A kernel with its launch configuration. Calling it with the arguments of the kernel launches it.
template <class... Parameters>
class Launch {
 public:
  using Kernel = void (*)(Parameters...);

  Launch(const char* name, Kernel kernel, unsigned blocks, unsigned threads,
         std::size_t shared_bytes, gpu::NativeStream stream, std::source_location where)
      : name_(name),
        kernel_(kernel),
        blocks_(blocks),
        threads_(threads),
        shared_bytes_(shared_bytes),
        stream_(stream),
        where_(where) {}

#if defined(TESSERA_EMULATED_GPU)
  /// Launches the kernel; does nothing where the number of blocks is 0.
  /// \throws DeviceError with the name of the kernel.
  template <class... Arguments>
  void operator()(const Arguments&... arguments) const {
    if (blocks_ == 0) return;
    emulated::launch(name_, kernel_, {blocks_, threads_, shared_bytes_, where_}, stream_,
                     std::tuple<Parameters...>(Parameters(arguments)...));
  }
  template <class... Arguments>
  void early(const Arguments&... arguments) const {
    (*this)(arguments...);
  }
#else
  /// Launches the kernel; does nothing where the number of blocks is 0.
  /// \throws DeviceError with the name of the kernel and the place of the launch.
  template <class... Arguments>
  void operator()(const Arguments&... arguments) const {
    if (blocks_ == 0) return;
    kernel_<<<blocks_, threads_, shared_bytes_, stream_>>>(arguments...);
    check(runtime::last_error(), name_, where_);
  }

  /// Programmatic dependent launch: where the device supports it, blocks of the kernel start while
  /// those of the preceding kernel finish. The kernel must call grid_dependency_wait().
  /// \throws DeviceError with the name of the kernel and the place of the launch.
  template <class... Arguments>
  void early(const Arguments&... arguments) const {
    if (blocks_ == 0) return;
    const std::tuple<Parameters...> all{Parameters(arguments)...};
    std::apply(
        [&](const Parameters&... each) {
          const void* addresses[] = {&each...};
          check(runtime::launch_handle(reinterpret_cast<const void*>(kernel_), blocks_, threads_,
                                       const_cast<void**>(addresses), shared_bytes_, stream_, true),
                name_, where_);
        },
        all);
  }
#endif

 private:
  const char* name_;
  Kernel kernel_;
  unsigned blocks_;
  unsigned threads_;
  std::size_t shared_bytes_;
  gpu::NativeStream stream_;
  std::source_location where_;
};

/// Launch configuration of a kernel, to be called with the arguments of the kernel.
/// \param name for error messages.
template <class... Parameters>
[[nodiscard]] Launch<Parameters...> launch(
    const char* name, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
    std::size_t shared_bytes, gpu::NativeStream stream,
    std::source_location where = std::source_location::current()) {
  return {name, kernel, blocks, threads, shared_bytes, stream, where};
}

/// Launches a kernel by its handle (runtime::launch_handle); does nothing where there are no
/// blocks. \param arguments addresses of the arguments of the kernel. \param early whether it is a
/// programmatic dependent launch (Launch::early()). \throws DeviceError with the name of the kernel
/// and the place of the launch.
template <std::size_t Count>
void launch_handle(const char* name, const void* kernel, unsigned blocks, unsigned threads,
                   std::size_t shared_bytes, gpu::NativeStream stream,
                   const void* const (&arguments)[Count], [[maybe_unused]] bool early = false,
                   std::source_location where = std::source_location::current()) {
  if (blocks == 0) return;
#if defined(TESSERA_EMULATED_GPU)
  emulated::launcher_of(name, kernel)(name, kernel, {blocks, threads, shared_bytes, where}, stream,
                                      arguments);
#else
  check(runtime::launch_handle(kernel, blocks, threads, const_cast<void**>(arguments), shared_bytes,
                               stream, early),
        name, where);
#endif
}

/// Raises the limit of dynamic shared memory of a kernel where it needs more than the default.
/// \throws DeviceError where the device has less.
inline void allow_shared(const char* name, const void* kernel, std::size_t bytes,
                         std::source_location where = std::source_location::current()) {
  // The default limit of 48 KiB, less a reserve for static shared memory of the kernel.
  constexpr std::size_t without_asking = 32 * 1024;
  if (bytes > without_asking)
    check(runtime::allow_shared(kernel, static_cast<int>(bytes)), name, where);
}
template <class... Parameters>
void allow_shared(const char* name, void (*kernel)(Parameters...), std::size_t bytes,
                  std::source_location where = std::source_location::current()) {
  allow_shared(name, reinterpret_cast<const void*>(kernel), bytes, where);
}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_LAUNCH_HPP
