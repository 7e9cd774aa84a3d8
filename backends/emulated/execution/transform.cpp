#include "backends/cuda/execution/transform.hpp"

#include "core/base/error.hpp"

namespace tessera::cuda {

std::string transforms_unavailable() {
  return "the emulated device has no transforms";
}

std::unique_ptr<Transform> make_transform(int, Stream, const TransformBatch&) {
  throw DeviceError("making a transform", transforms_unavailable());
}

}  // namespace tessera::cuda
