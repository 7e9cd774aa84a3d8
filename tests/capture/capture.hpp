#ifndef TESSERA_TESTS_CAPTURE_CAPTURE_HPP
#define TESSERA_TESTS_CAPTURE_CAPTURE_HPP

#include "core/memory/device.hpp"

#include <functional>
#include <memory>
#include <string>

/// \file
/// A separate queue and a graph captured from it, to test that execute() can be captured.

namespace tessera::test {

/// Recorded work that can be launched repeatedly.
class CapturedGraph {
 public:
  virtual ~CapturedGraph() = default;
  virtual void launch() = 0;
};

class CaptureQueue {
 public:
  virtual ~CaptureQueue() = default;

  [[nodiscard]] virtual Stream stream() const = 0;

  /// Records the operations that `work` puts into the queue, in the global capture mode. This mode
  /// forbids calls that could break a capture in all threads: allocation, waiting, use of the
  /// legacy default queue. \throws std::runtime_error with the reason if `work` makes such a call.
  [[nodiscard]] virtual std::unique_ptr<CapturedGraph> capture(
      const std::function<void()>& work) = 0;
};

/// A queue on a device of the runtime that this test was compiled for.
[[nodiscard]] std::unique_ptr<CaptureQueue> make_capture_queue(const DeviceProperties& device);

}  // namespace tessera::test

#endif  // TESSERA_TESTS_CAPTURE_CAPTURE_HPP
