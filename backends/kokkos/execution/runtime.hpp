#pragma once

#include <memory>
#include <string>

/// \file
/// Life time of the Kokkos runtime.

namespace tessera::kokkos {

/// Keeps Kokkos initialised for as long as the result (or any copy) lives, and the process through
/// if Tessera was the one to initialise it. A runtime that the application initialised is used and
/// left alone.
/// \throws RefusalError when Kokkos has already been finalised.
[[nodiscard]] std::shared_ptr<void> acquire_runtime();

/// Why Kokkos' default device cannot be used here, empty when it can. Does not initialise Kokkos.
[[nodiscard]] std::string unavailable();

}  // namespace tessera::kokkos
