#ifndef TESSERA_CORE_TUNING_SOURCE_HASH_HPP
#define TESSERA_CORE_TUNING_SOURCE_HASH_HPP

#include "core/operations/implementation.hpp"

#include <string>

/// \file
/// What an implementation was compiled from, as a digest: a measurement holds for these sources
/// alone.

namespace tessera {

/// 16 hexadecimal digits over the sources that an implementation is made of: of core, of the module
/// of its operation, of the adapter of its backend, of the folder of a plugin; of a plugin from
/// outside its file.
[[nodiscard]] std::string source_hash(const ImplementationInfo& info);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_SOURCE_HASH_HPP
