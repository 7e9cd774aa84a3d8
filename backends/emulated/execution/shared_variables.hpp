#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_VARIABLES_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_VARIABLES_HPP

#include <cstdint>
#include <span>

/// \file
/// The section of the program that has the shared variables of all kernels (`__shared__` of
/// language.hpp).

namespace tessera::emulated {

/// Bytes that a page of memory has, and that the section is aligned to.
inline constexpr std::size_t page_bytes = 4096;

/// The words of the section. They include the red zones of the address sanitizer.
[[nodiscard]] std::span<volatile std::uint64_t> shared_variables();

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_VARIABLES_HPP
