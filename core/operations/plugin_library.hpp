#ifndef TESSERA_CORE_OPERATIONS_PLUGIN_LIBRARY_HPP
#define TESSERA_CORE_OPERATIONS_PLUGIN_LIBRARY_HPP

#include "core/operations/registry.hpp"

#include <string>
#include <vector>

/// \file
/// Plugins as shared libraries, loaded at run time. The CMake function tessera_add_plugin_library()
/// of the installed package builds one. The library carries the fingerprint of its contract as an
/// ELF note, exports
///
///     extern "C" void tessera_plugin_register(tessera::Registry*);
///
/// and takes all other symbols from the program that loads it, which exports them for this purpose
/// (tessera_export_to_plugins() of the package).

namespace tessera {

/// Loads the library, which registers its implementations. They come after the built-in ones in the
/// default order, so they only run when requested by name or found fastest by tuning. The library
/// stays loaded until the process ends, because the registry refers to its code.
///
/// The file is checked before any of its code runs (core/operations/plugin_file.hpp).
/// \throws InputError when the file cannot be loaded or is not a plugin; RefusalError when it is
/// world-writable, or when it was built for another version of the contract, with both fingerprints
/// and the headers that differ.
void load_plugin_library(Registry& registry, const std::string& path);

/// Names of the headers that differ between two texts in the format of contract_headers(),
/// including headers that only one of them has. Lists the first few and the number of the others.
[[nodiscard]] std::string headers_that_differ(const std::string& a, const std::string& b);

/// The paths in a colon-separated list (TESSERA_PLUGINS), without empty entries.
[[nodiscard]] std::vector<std::string> plugin_paths(const std::string& list);

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_PLUGIN_LIBRARY_HPP
