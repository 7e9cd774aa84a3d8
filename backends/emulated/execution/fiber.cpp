#include "backends/emulated/execution/fiber.hpp"

#include "backends/emulated/execution/sanitizers.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <new>
#include <sys/mman.h>

namespace tessera::emulated {

namespace context = boost::context::detail;

namespace {

constexpr std::size_t guard_bytes = 4096;
/// The system provides pages of a stack only when they are used.
constexpr std::size_t stack_bytes = 256 * 1024;

/// The fiber that was left by the latest switch.
Fiber* left = nullptr;

}  // namespace

/// The function that Boost.Context calls on a new stack.
struct FiberStart {
  static void begin(context::transfer_t from) {
    Fiber::begin(from.fctx, static_cast<Fiber*>(from.data));
  }
};

Fiber::Fiber() {
#if defined(TESSERA_THREAD_SANITIZER)
  thread_ = __tsan_get_current_fiber();
#endif
}

Fiber::Fiber(Entry entry, void* argument) : entry_(entry), argument_(argument) {
  memory_ = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory_, guard_bytes, PROT_NONE);
  stack_bottom_ = static_cast<unsigned char*>(memory_) + guard_bytes;
  stack_bytes_ = stack_bytes;
#if defined(TESSERA_ADDRESS_SANITIZER)
  __asan_unpoison_memory_region(stack_bottom_, stack_bytes_);
#endif
  context_ =
      context::make_fcontext(static_cast<unsigned char*>(memory_) + guard_bytes + stack_bytes,
                             stack_bytes, FiberStart::begin);
}

Fiber::~Fiber() {
  if (memory_ != nullptr) munmap(memory_, guard_bytes + stack_bytes);
}

void Fiber::begin(void* from, Fiber* fiber) {
  left->context_ = from;
#if defined(TESSERA_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(nullptr, &left->stack_bottom_, &left->stack_bytes_);
#endif
  fiber->entry_(fiber->argument_);
}

void Fiber::switch_to(Fiber& next) {
  left = this;
#if defined(TESSERA_ADDRESS_SANITIZER)
  __sanitizer_start_switch_fiber(&fake_stack_, next.stack_bottom_, next.stack_bytes_);
#endif
#if defined(TESSERA_THREAD_SANITIZER)
  if (next.thread_ != __tsan_get_current_fiber())
    __tsan_switch_to_fiber(next.thread_, __tsan_switch_to_fiber_no_sync);
#endif
  const context::transfer_t from = context::jump_fcontext(next.context_, &next);
  // Another fiber has switched back to this one.
  left->context_ = from.fctx;
#if defined(TESSERA_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(fake_stack_, &left->stack_bottom_, &left->stack_bytes_);
#endif
}

}  // namespace tessera::emulated
