#ifndef TESSERA_CORE_BASE_ATOMIC_FILE_HPP
#define TESSERA_CORE_BASE_ATOMIC_FILE_HPP

#include "core/base/output_file.hpp"

#include <filesystem>
#include <string_view>

/// \file
/// Files that are written completely or not at all.

namespace tessera {

/// A file that is written next to its final path as `<name>.<letters>.part`, a name that no other
/// file has. `commit` moves it into place atomically. The destructor of an uncommitted object
/// removes the part file and leaves the previous contents of the path.
class AtomicFile {
 public:
  /// \throws FileError
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// \throws FileError
  void append(std::string_view bytes) { file_.append(bytes); }

  /// \throws FileError
  void commit();

  /// The part file, for code that writes it by other means. Such code closes its handles before
  /// commit.
  [[nodiscard]] const std::filesystem::path& part() const noexcept { return file_.path(); }

 private:
  std::filesystem::path path_;
  OutputFile file_;
  bool committed_ = false;
};

/// Removes the part files that ended processes left beside `path`. Call this only when no other
/// process can be writing `path`. Part files that cannot be removed stay.
void remove_part_files(const std::filesystem::path& path);

/// Checks at the start of long work that its result can be written at the end. \throws FileError
/// when `path` exists and is no regular file, or when no file can be created in its folder.
void require_writable(const std::filesystem::path& path);

/// Replaces the contents of `path` by `text` atomically. \throws FileError
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_ATOMIC_FILE_HPP
