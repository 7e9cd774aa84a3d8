#ifndef TESSERA_CORE_EXECUTION_THREAD_PLACES_HPP
#define TESSERA_CORE_EXECUTION_THREAD_PLACES_HPP

#include <vector>

/// \file
/// Where OpenMP puts threads. The runtime of GCC binds the first thread of a program to the first
/// of its places as soon as it is loaded, where the environment asks for binding (OpenMP
/// specification, OMP_PROC_BIND and OMP_PLACES). What the program starts by exec inherits that, and
/// would see one place and no more.

namespace tessera {

/// The processors of all places of OpenMP in this process; empty where threads are not bound.
class ThreadPlaces {
 public:
  ThreadPlaces();

  /// Lets this thread, and what it starts, run on all of them. A system call and nothing else, so
  /// that it may stand between fork and exec.
  void release_thread() const noexcept;

 private:
  std::vector<unsigned long> processors_;  ///< as the kernel's masks
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_THREAD_PLACES_HPP
