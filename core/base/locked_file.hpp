#pragma once

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
  ~LockedFile();
  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&& other) noexcept;
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  enum class Lock {
    held,
    shared,      ///< with others that share it
    of_another,  ///< process; the text of the file may say which
    unsupported  ///< by this file system
  };
  [[nodiscard]] Lock lock() const noexcept { return lock_; }

  /// Lets others share the lock from now on, or shares that of others. \returns false while one
  /// process holds it for itself.
  bool share();

  /// Replaces the contents in place, since a lock belongs to the file and not to its name.
  /// \throws FileError
  void write(std::string_view text);

 private:
  void take(int operation, Lock lock);

  std::filesystem::path path_;
  int descriptor_ = -1;
  Lock lock_ = Lock::of_another;
};

}  // namespace tessera
