#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <string>
#include <tessera/core/base/error.hpp>

/// \file
/// CUDA calls that fail become exceptions with the call and the place.

namespace tessera::cuda {

inline void check(cudaError_t code, const char* call,
                  std::source_location where = std::source_location::current()) {
  if (code == cudaSuccess) return;
  throw DeviceError(call, std::string(cudaGetErrorName(code)) + ", " + cudaGetErrorString(code),
                    where);
}

/// Sets the current device and puts the former one back.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) {
    check(cudaGetDevice(&former_), "cudaGetDevice");
    if (former_ != ordinal) check(cudaSetDevice(ordinal), "cudaSetDevice");
  }
  ~CurrentDevice() { cudaSetDevice(former_); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int former_ = 0;
};

}  // namespace tessera::cuda
