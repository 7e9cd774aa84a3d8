#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_ENVIRONMENT_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_ENVIRONMENT_HPP

/// \file
/// The environment variables that Kokkos reads.

namespace tessera::kokkos {

/// Kokkos keeps the data of its threads in an array of this length and does not look before it
/// writes behind it.
inline constexpr int most_threads = 512;

/// Kokkos ends the process over a value that it cannot take, or goes on without what was asked for.
/// \throws InputError that names the variable, its value and what was expected.
void check_environment();

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_ENVIRONMENT_HPP
