#ifndef TESSERA_CORE_OPERATIONS_PLUGIN_LIBRARY_HPP
#define TESSERA_CORE_OPERATIONS_PLUGIN_LIBRARY_HPP

#include "core/operations/registry.hpp"

#include <string>
#include <vector>

/// \file
/// Plugins as shared libraries, loaded while a program runs. The CMake function
/// tessera_add_plugin_library() of the installed package makes one; it carries the fingerprint of
/// what it was built for as an ELF note, exports
///
///     extern "C" void tessera_plugin_register(tessera::Registry*);
///
/// and takes everything else from the program that loads it, which exports its symbols for that
/// (tessera_export_to_plugins() of the package).

namespace tessera {

/// Loads the library and lets it register its implementations, which come after those of this
/// library in the default order: somebody has to ask for them, or measure them. It stays loaded
/// until the process ends, because the registry then holds its code.
///
/// Before any of its code runs, the file is judged (core/operations/plugin_file.hpp).
/// \throws InputError when the file cannot be loaded or is no plugin, RefusalError when everybody
/// may write to it, or naming both fingerprints and the headers that differ when it was built for
/// another version of the contract.
void load_plugin_library(Registry& registry, const std::string& path);

/// Names of the headers that differ between two texts as contract_headers() gives them, also those
/// that only one has; the first few, with a count of the rest.
[[nodiscard]] std::string headers_that_differ(const std::string& a, const std::string& b);

/// The entries of a list separated by colons, empty ones left out.
[[nodiscard]] std::vector<std::string> plugin_paths(const std::string& list);

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_PLUGIN_LIBRARY_HPP
