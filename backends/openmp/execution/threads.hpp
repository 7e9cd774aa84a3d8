#ifndef TESSERA_BACKENDS_OPENMP_EXECUTION_THREADS_HPP
#define TESSERA_BACKENDS_OPENMP_EXECUTION_THREADS_HPP

#include "core/base/environment.hpp"
#include "core/base/logging.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <string>

/// \file
/// How many threads a parallel region gets.

namespace tessera::openmp {

/// libgomp keeps what it tells the threads of a team on the stack of the one that starts it.
inline constexpr int most_threads = 1024;

/// Threads of the next region; more than `most_threads` are not asked for, whatever
/// OMP_NUM_THREADS says. \throws InputError where that is no number: runtimes of OpenMP go on with
/// all threads that there are.
inline int threads() {
  static const bool is_number = [] {
    check_environment_list("OMP_NUM_THREADS", 1, std::numeric_limits<int>::max());
    return true;
  }();
  static_cast<void>(is_number);
  const int wanted = omp_get_max_threads();
  if (wanted > most_threads) {
    log_warning("openmp runs on " + std::to_string(most_threads) + " threads, not on " +
                std::to_string(wanted) + ", which OMP_NUM_THREADS asks for");
    omp_set_num_threads(most_threads);
  }
  return std::clamp(wanted, 1, most_threads);
}

}  // namespace tessera::openmp

#endif  // TESSERA_BACKENDS_OPENMP_EXECUTION_THREADS_HPP
