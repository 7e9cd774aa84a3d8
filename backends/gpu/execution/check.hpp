#ifndef TESSERA_BACKENDS_GPU_EXECUTION_CHECK_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_CHECK_HPP

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "core/base/error.hpp"

#include <source_location>
#include <string>

/// \file
/// Failed calls of the GPU runtime become exceptions that name the call and its source location.

namespace tessera::gpu {

/// Throws where a call of the runtime failed.
/// \param what the action that `code` is the result of; for a launch the name of the kernel.
/// \throws DeviceError with `what`, the name and text of the error, and the source location.
inline void check(runtime::Error code, const char* what,
                  std::source_location where = std::source_location::current()) {
  if (code == runtime::success) return;
  throw DeviceError(what, std::string(runtime::name_of(code)) + ", " + runtime::text_of(code),
                    where);
}

/// Sets the current device, and restores the former one on destruction.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) {
    check(runtime::get_device(&former_), "asking for the current device");
    if (former_ != ordinal) check(runtime::set_device(ordinal), "setting the current device");
  }
  ~CurrentDevice() { (void)runtime::set_device(former_); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int former_ = 0;
};

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_CHECK_HPP
