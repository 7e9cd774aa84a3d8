#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_SANITIZERS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_SANITIZERS_HPP

/// \file
/// Defines TESSERA_ADDRESS_SANITIZER or TESSERA_THREAD_SANITIZER in builds with one of them, and
/// includes its interface. Without ThreadSanitizer the functions below do nothing.

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TESSERA_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(TESSERA_OF_THREAD_SANITIZER)
#define TESSERA_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);
#endif
#endif

namespace tessera::emulated {

#if defined(TESSERA_THREAD_SANITIZER)
/// Everything before a release() happens before everything after a later acquire().
inline void release(const void* meeting) {
  __tsan_release(const_cast<void*>(meeting));
}
inline void acquire(const void* meeting) {
  __tsan_acquire(const_cast<void*>(meeting));
}
/// ThreadSanitizer does not see accesses to memory while such an object exists.
class UnseenAccesses {
 public:
  UnseenAccesses() { AnnotateIgnoreWritesBegin(__FILE__, __LINE__); }
  ~UnseenAccesses() { AnnotateIgnoreWritesEnd(__FILE__, __LINE__); }
  UnseenAccesses(const UnseenAccesses&) = delete;
  UnseenAccesses& operator=(const UnseenAccesses&) = delete;
};
inline constexpr bool finds_races = true;
#else
inline void release(const void*) {}
inline void acquire(const void*) {}
struct UnseenAccesses {};
inline constexpr bool finds_races = false;
#endif

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_SANITIZERS_HPP
