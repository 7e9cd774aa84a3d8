#ifndef TESSERA_CORE_EXECUTION_THREAD_PLACES_HPP
#define TESSERA_CORE_EXECUTION_THREAD_PLACES_HPP

#include <vector>

/// \file
/// Thread placement by OpenMP. Where the environment requests binding, GCC's runtime binds the
/// first thread of a program to its first place as soon as the runtime is loaded (OpenMP
/// specification, OMP_PROC_BIND and OMP_PLACES). Child processes would inherit this binding and see
/// a single place.

namespace tessera {

/// The processors of all OpenMP places of this process; empty where threads are not bound.
class ThreadPlaces {
 public:
  ThreadPlaces();

  /// Lets this thread and its child processes run on all places. Only makes a system call, so it
  /// may be called between fork and exec.
  void release_thread() const noexcept;

 private:
  std::vector<unsigned long> processors_;  ///< bits as in the kernel's masks
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_THREAD_PLACES_HPP
