#ifndef TESSERA_CORE_BASE_LOCKED_FILE_HPP
#define TESSERA_CORE_BASE_LOCKED_FILE_HPP

#include "core/base/descriptor.hpp"

#include <filesystem>
#include <string>
#include <string_view>

/// \file
/// A file that one process locks exclusively, or several processes share.

namespace tessera {

/// Keeps a small file open and tries once to lock it exclusively (flock); lock() has the result.
/// The lock ends with the process, however that ends; the file stays.
class LockedFile {
 public:
  /// Creates the file where it does not exist. Does not follow a symbolic link.
  /// \throws FileError when the file cannot be opened or is no regular file.
  explicit LockedFile(const std::filesystem::path& path);

  /// With Lock::of_another, the contents of the file may name the process that holds the lock.
  using Lock = FileLock;
  [[nodiscard]] Lock lock() const noexcept { return lock_; }

  /// Downgrades an exclusive lock to a shared one, or acquires a shared lock. \returns false while
  /// another process holds the lock exclusively.
  bool share();

  /// Replaces the contents in place, because a lock belongs to the file and not to its name.
  /// \throws FileError
  void write(std::string_view text);

 private:
  std::filesystem::path path_;
  Descriptor file_;
  Lock lock_ = Lock::of_another;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_LOCKED_FILE_HPP
