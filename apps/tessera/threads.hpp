#ifndef TESSERA_APPS_TESSERA_THREADS_HPP
#define TESSERA_APPS_TESSERA_THREADS_HPP

/// \file
/// Number of threads of the OpenMP runtime, and their wait policy.

namespace tessera::command_line {

inline constexpr int most_threads = 4096;

/// Spinning threads react fast on exclusive cores and delay each other on shared ones. Unless the
/// user chose a policy (OMP_WAIT_POLICY, GOMP_SPINCOUNT; KMP_BLOCKTIME, KMP_LIBRARY), they spin for
/// a short while here, or with LLVM's runtime not at all; benchmarks/results has the figures for
/// GCC's. A runtime reads these variables and the number of threads when it is loaded, so the
/// program executes itself once more, in the same process. \param threads 0: as in the environment.
void resolve_threads(char** argv, int threads);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_THREADS_HPP
