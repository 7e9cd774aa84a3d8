#ifndef TESSERA_CORE_BASE_ATOMIC_FILE_HPP
#define TESSERA_CORE_BASE_ATOMIC_FILE_HPP

#include "core/base/output_file.hpp"

#include <filesystem>
#include <string_view>

/// \file
/// Files that appear whole or not at all.

namespace tessera {

/// A file written beside its final name as `<name>.<letters>.part`, a name that nothing else has;
/// `commit` puts it in place in one step. An object destroyed before that removes the part file and
/// leaves what was there before.
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

  /// The part file, for who writes it by other means; what they have open is closed before commit.
  [[nodiscard]] const std::filesystem::path& part() const noexcept { return file_.path(); }

 private:
  std::filesystem::path path_;
  OutputFile file_;
  bool committed_ = false;
};

/// Removes the part files that ended processes left beside `path`. Only for who knows that nobody
/// else writes it now. What cannot be removed stays.
void remove_part_files(const std::filesystem::path& path);

/// For what is written at the end of long work, at its start. \throws FileError when there is
/// something else than a file at `path`, or no file can be made in its folder.
void require_writable(const std::filesystem::path& path);

/// Replaces the contents of `path` by `text`, whole or not at all. \throws FileError
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_ATOMIC_FILE_HPP
