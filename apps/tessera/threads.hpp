#ifndef TESSERA_APPS_TESSERA_THREADS_HPP
#define TESSERA_APPS_TESSERA_THREADS_HPP

/// \file
/// How many threads the OpenMP runtime starts, and how they wait for each other.

namespace tessera::command_line {

inline constexpr int most_threads = 4096;

/// Threads that wait by spinning are quick on cores that nobody else uses, and hold each other up
/// on those that are shared. Unless the user chose (OMP_WAIT_POLICY, GOMP_SPINCOUNT; KMP_BLOCKTIME,
/// KMP_LIBRARY), they spin for a short while here, or with LLVM's runtime not at all;
/// benchmarks/results has the figures for GCC's. A runtime reads this, and the number of threads,
/// when it is loaded: the program is started again, once, in the same process. \param threads 0: as
/// the environment says.
void settle_threads(char** argv, int threads);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_THREADS_HPP
