#ifndef TESSERA_CORE_BASE_LOCKED_FILE_HPP
#define TESSERA_CORE_BASE_LOCKED_FILE_HPP

#include "core/base/descriptor.hpp"

#include <filesystem>
#include <string>
#include <string_view>

/// \file
/// A file that one process at a time holds, or several that share it.

namespace tessera {

/// Holds a small file open and locked (flock). The lock dies with the process, however it ends; the
/// file stays.
class LockedFile {
 public:
  /// Makes the file where there is none. A symbolic link is not followed.
  /// \throws FileError when it cannot be opened or is no regular file.
  explicit LockedFile(const std::filesystem::path& path);

  using Lock = FileLock;  ///< of another: the text of the file may say which process
  [[nodiscard]] Lock lock() const noexcept { return lock_; }

  /// Lets others share the lock from now on, or shares that of others. \returns false while one
  /// process holds it for itself.
  bool share();

  /// Replaces the contents in place, since a lock belongs to the file and not to its name.
  /// \throws FileError
  void write(std::string_view text);

 private:
  std::filesystem::path path_;
  Descriptor file_;
  Lock lock_ = Lock::of_another;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_LOCKED_FILE_HPP
