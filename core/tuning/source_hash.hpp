#ifndef TESSERA_CORE_TUNING_SOURCE_HASH_HPP
#define TESSERA_CORE_TUNING_SOURCE_HASH_HPP

#include "core/operations/implementation.hpp"

#include <string>

/// \file
/// Digest of the sources of an implementation. A measurement is valid only as long as this digest
/// stays the same.

namespace tessera {

/// 16 hexadecimal digits. The digest covers core, the module of the operation, the adapter of the
/// backend and the folder of a plugin; for an out-of-tree plugin, its file.
[[nodiscard]] std::string source_hash(const ImplementationInfo& info);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_SOURCE_HASH_HPP
