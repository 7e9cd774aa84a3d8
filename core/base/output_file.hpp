#ifndef TESSERA_CORE_BASE_OUTPUT_FILE_HPP
#define TESSERA_CORE_BASE_OUTPUT_FILE_HPP

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// \file
/// Files that a run appends to and that stay readable when the run ends early.

namespace tessera {

/// A file for appending without a user-space buffer: data that `append` has written survive the end
/// of the process. Not copyable; the destructor closes the file.
class OutputFile {
 public:
  enum class Mode {
    replace,
    append,  ///< to a regular file, created where missing; does not follow a symbolic link
    create   ///< a new file; fails where the path exists, also as a symbolic link
  };

  /// \throws FileError when the file cannot be opened.
  explicit OutputFile(const std::filesystem::path& path, Mode mode = Mode::replace);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes all of `bytes` or, when the system refuses (a full disk), none: the file is truncated
  /// to its previous length.
  /// \throws FileError
  void append(std::string_view bytes);

  /// Truncates the file to its first `size` bytes. \throws FileError
  void cut_back(std::int64_t size);

  /// Returns when the contents have reached the storage device. \throws FileError
  void synchronize();

  /// \throws FileError when the system reports a delayed write failure.
  void close();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

 private:
  std::filesystem::path path_;
  std::int64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_OUTPUT_FILE_HPP
