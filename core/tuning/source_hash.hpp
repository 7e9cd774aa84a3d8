#pragma once

#include <string>
#include <tessera/core/operations/implementation.hpp>

/// \file
/// What an implementation was compiled from, as a digest: a measurement holds for these sources
/// alone.

namespace tessera {

/// 16 hexadecimal digits over the sources that an implementation is made of: of core, of the module
/// of its operation, of the adapter of its backend, of the folder of a plugin; of a plugin from
/// outside its file.
[[nodiscard]] std::string source_hash(const ImplementationInfo& info);

}  // namespace tessera
