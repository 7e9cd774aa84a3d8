#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_LAUNCH_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_LAUNCH_HPP

#include "backends/cuda/execution/check.hpp"

#include <cstddef>
#include <cstdint>
#include <source_location>

/// \file
/// The one way to launch a kernel, and the dynamic shared memory of one. Include from files that
/// nvcc compiles.
///
///     launch("find neighbors", find_neighbors<Storage>, blocks_for(n, 128), 128, 0, stream)(n,
///     ...);

namespace tessera::cuda {

/// Blocks of `threads` that give each of n items a thread.
[[nodiscard]] constexpr unsigned blocks_for(std::int64_t n, std::int64_t threads) {
  return static_cast<unsigned>((n + threads - 1) / threads);
}

/// A kernel with its grid, waiting for its arguments.
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

  /// Does nothing without blocks.
  /// \throws DeviceError with the name of the kernel and the place of the launch.
  template <class... Arguments>
  void operator()(const Arguments&... arguments) const {
    if (blocks_ == 0) return;
    kernel_<<<blocks_, threads_, shared_bytes_, stream_>>>(arguments...);
    check(gpu::last_error(), name_, where_);
  }

  /// The same for a kernel that waits for the one before it by itself (wait_for_kernel_before()):
  /// where the device can, its blocks come up while those of that one end.
  template <class... Arguments>
  void early(const Arguments&... arguments) const {
    if (blocks_ == 0) return;
    check(gpu::launch_early(kernel_, blocks_, threads_, shared_bytes_, stream_,
                            Parameters(arguments)...),
          name_, where_);
  }

 private:
  const char* name_;
  Kernel kernel_;
  unsigned blocks_;
  unsigned threads_;
  std::size_t shared_bytes_;
  gpu::NativeStream stream_;
  std::source_location where_;
};

template <class... Parameters>
[[nodiscard]] Launch<Parameters...> launch(
    const char* name, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
    std::size_t shared_bytes, gpu::NativeStream stream,
    std::source_location where = std::source_location::current()) {
  return {name, kernel, blocks, threads, shared_bytes, stream, where};
}

/// Lets a kernel have more dynamic shared memory than a launch gives unasked.
template <class... Parameters>
void allow_shared(const char* name, void (*kernel)(Parameters...), std::size_t bytes,
                  std::source_location where = std::source_location::current()) {
  // 48 KiB less what a kernel may have of its own.
  constexpr std::size_t without_asking = 32 * 1024;
  if (bytes > without_asking)
    check(gpu::allow_shared(reinterpret_cast<const void*>(kernel), static_cast<int>(bytes)), name,
          where);
}

/// Good for any type of the kernels. Take no number of the address: loads would not know that it is
/// shared memory.
[[nodiscard]] __device__ inline unsigned char* dynamic_shared() {
  extern __shared__ __align__(32) unsigned char tessera_dynamic_shared[];
  return tessera_dynamic_shared;
}

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_LAUNCH_HPP
