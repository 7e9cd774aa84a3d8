#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_CHECK_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_CHECK_HPP

#include "backends/cuda/execution/gpu_runtime.hpp"
#include "core/base/error.hpp"

#include <source_location>
#include <string>

/// \file
/// Calls of the runtime that fail become exceptions with the call and the place.

namespace tessera::cuda {

/// \param what what was being done; for a launch the name of the kernel.
inline void check(gpu::Error code, const char* what,
                  std::source_location where = std::source_location::current()) {
  if (code == gpu::success) return;
  throw DeviceError(what, std::string(gpu::name_of(code)) + ", " + gpu::text_of(code), where);
}

/// Sets the current device and puts the former one back.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) {
    check(gpu::get_device(&former_), "asking for the current device");
    if (former_ != ordinal) check(gpu::set_device(ordinal), "setting the current device");
  }
  ~CurrentDevice() { gpu::set_device(former_); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int former_ = 0;
};

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_CHECK_HPP
