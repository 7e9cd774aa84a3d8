#ifndef TESSERA_CORE_TRIALS_REFERENCE_CACHE_HPP
#define TESSERA_CORE_TRIALS_REFERENCE_CACHE_HPP

#include "core/base/descriptor.hpp"

#include <filesystem>
#include <string>

/// \file
/// A folder for answers of the oracle (core/trials/cacheable_reference.hpp) that lasts as long as
/// one search.

namespace tessera {

/// A new folder that only this user can read. The object holds a lock (flock) on it, which ends
/// with the process. An unlocked folder of this user therefore belongs to a process that ended, and
/// the constructor removes it.
class ReferenceCache {
 public:
  /// Creates the folder in the directory for temporary files.
  ReferenceCache();
  explicit ReferenceCache(const std::filesystem::path& base);
  ~ReferenceCache();
  ReferenceCache(const ReferenceCache&) = delete;
  ReferenceCache& operator=(const ReferenceCache&) = delete;

  /// Path of the folder; empty where none could be created. Each worker then computes its own
  /// answers.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Descriptor lock_;
  std::string path_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_REFERENCE_CACHE_HPP
