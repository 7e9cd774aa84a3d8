#ifndef TESSERA_CORE_BASE_CSV_FILE_HPP
#define TESSERA_CORE_BASE_CSV_FILE_HPP

#include "core/base/output_file.hpp"

#include <cstdint>
#include <string>

/// \file
/// Tables of comma-separated values that a run appends to.

namespace tessera {

/// Appends rows to one file. Each row is complete in the file when `append` returns. The first line
/// has the names of the columns.
class CsvFile {
 public:
  /// \param file is empty or has rows from an earlier run.
  /// \throws FileError; InputError when the file has other columns.
  CsvFile(OutputFile file, const std::string& header);

  /// \param row has no line ending. \throws FileError
  void append(const std::string& row) { file_.append(row + '\n'); }

  [[nodiscard]] OutputFile& file() { return file_; }
  /// Size of the first line in bytes.
  [[nodiscard]] std::int64_t header_size() const { return header_size_; }

 private:
  OutputFile file_;
  std::int64_t header_size_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_CSV_FILE_HPP
