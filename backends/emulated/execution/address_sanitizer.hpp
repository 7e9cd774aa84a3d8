#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_ADDRESS_SANITIZER_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_ADDRESS_SANITIZER_HPP

/// \file
/// Defines TESSERA_ADDRESS_SANITIZER in builds with this sanitizer, and includes its interface.

#if defined(__SANITIZE_ADDRESS__)
#define TESSERA_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TESSERA_ADDRESS_SANITIZER
#endif
#endif
#if defined(TESSERA_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_ADDRESS_SANITIZER_HPP
