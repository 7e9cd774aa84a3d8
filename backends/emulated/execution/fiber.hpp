#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_FIBER_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_FIBER_HPP

#include <cstddef>

/// \file
/// Fibers: functions with stacks of their own that hand the processor to each other.

namespace tessera::emulated {

/// A stack on which one function runs. Its memory is released with the fiber.
class Fiber {
 public:
  using Entry = void (*)(void* argument);

  /// A fiber that stands for the stack of the caller.
  Fiber();
  /// A fiber whose first activation calls entry(argument), which must not return.
  Fiber(Entry entry, void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Lets ThreadSanitizer take the fiber for one of its threads, from the next switch to it on.
  void run_as(void* thread) { thread_ = thread; }
  /// Suspends this fiber, which has to be the active one, and activates `next`.
  void switch_to(Fiber& next);

 private:
  static void begin(void* context, Fiber* fiber);
  friend struct FiberStart;

  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  void* context_ = nullptr;  ///< where the fiber goes on
  void* memory_ = nullptr;   ///< guard page, then the stack; null: the stack of the caller
  // For the address sanitizer, which has to know the stack that is in use.
  [[maybe_unused]] void* fake_stack_ = nullptr;
  [[maybe_unused]] const void* stack_bottom_ = nullptr;
  [[maybe_unused]] std::size_t stack_bytes_ = 0;
  void* thread_ = nullptr;  ///< the thread that ThreadSanitizer takes the fiber for
};

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_FIBER_HPP
