#ifndef TESSERA_TESTS_CAPTURE_CAPTURE_HPP
#define TESSERA_TESTS_CAPTURE_CAPTURE_HPP

#include "core/memory/device.hpp"

#include <functional>
#include <memory>
#include <string>

/// \file
/// A queue of its own and a graph captured from it, for tests of what an execute may do.

namespace tessera::test {

/// Work that was recorded and can be launched again.
class CapturedGraph {
 public:
  virtual ~CapturedGraph() = default;
  virtual void launch() = 0;
};

class CaptureQueue {
 public:
  virtual ~CaptureQueue() = default;

  [[nodiscard]] virtual Stream stream() const = 0;

  /// Records what `work` puts on the queue, in the mode that forbids every thread what could break
  /// a capture: allocation, waiting, the legacy default queue. \throws std::runtime_error with the
  /// reason when `work` did something of the kind.
  [[nodiscard]] virtual std::unique_ptr<CapturedGraph> capture(
      const std::function<void()>& work) = 0;
};

/// A queue on a device of the runtime that this test was compiled for.
[[nodiscard]] std::unique_ptr<CaptureQueue> make_capture_queue(const DeviceProperties& device);

}  // namespace tessera::test

#endif  // TESSERA_TESTS_CAPTURE_CAPTURE_HPP
