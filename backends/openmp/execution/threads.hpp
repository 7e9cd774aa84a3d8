#ifndef TESSERA_BACKENDS_OPENMP_EXECUTION_THREADS_HPP
#define TESSERA_BACKENDS_OPENMP_EXECUTION_THREADS_HPP

#include "core/base/environment.hpp"
#include "core/base/logging.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <string>

/// \file
/// Number of threads of a parallel region.

namespace tessera::openmp {

/// Largest number of threads that Tessera requests. libgomp keeps the start data of all threads of
/// a team on the stack of the thread that starts the team.
inline constexpr int most_threads = 1024;

/// Number of threads of the next parallel region: the number that OMP_NUM_THREADS requests, limited
/// to `most_threads`. A larger request is reduced for the whole process, with a warning.
/// \throws InputError where OMP_NUM_THREADS is not a list of positive integers. OpenMP runtimes
///   ignore such a value and use all hardware threads.
inline int threads() {
  static const bool is_number = [] {
    check_environment_list("OMP_NUM_THREADS", 1, std::numeric_limits<int>::max());
    return true;
  }();
  static_cast<void>(is_number);
  const int wanted = omp_get_max_threads();
  if (wanted > most_threads) {
    log_warning("openmp runs on " + std::to_string(most_threads) + " threads, not on " +
                std::to_string(wanted) + ", which OMP_NUM_THREADS requests");
    omp_set_num_threads(most_threads);
  }
  return std::clamp(wanted, 1, most_threads);
}

}  // namespace tessera::openmp

#endif  // TESSERA_BACKENDS_OPENMP_EXECUTION_THREADS_HPP
