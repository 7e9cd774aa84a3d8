#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_ENVIRONMENT_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_ENVIRONMENT_HPP

/// \file
/// The environment variables that Kokkos reads.

namespace tessera::kokkos {

/// Length of the array in which Kokkos keeps the data of its threads. Kokkos does not check this
/// bound, so Tessera limits the number of threads.
inline constexpr int most_threads = 512;

/// Checks the environment variables that Kokkos reads. Kokkos itself aborts the process on an
/// invalid value, or ignores the value.
/// \throws InputError that names the variable, its value and what was expected.
void check_environment();

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_ENVIRONMENT_HPP
