#ifndef TESSERA_CORE_BASE_CSV_FILE_HPP
#define TESSERA_CORE_BASE_CSV_FILE_HPP

#include "core/base/output_file.hpp"

#include <cstdint>
#include <string>

/// \file
/// Tables of comma-separated values that a run appends to.

namespace tessera {

/// Rows appended to one file, each complete in it when `append` returns. The first line names the
/// columns.
class CsvFile {
 public:
  /// \param file empty, or with rows to go on from.
  /// \throws FileError; InputError when the file has other columns.
  CsvFile(OutputFile file, const std::string& header);

  /// \param row without the end of the line. \throws FileError
  void append(const std::string& row) { file_.append(row + '\n'); }

  [[nodiscard]] OutputFile& file() { return file_; }
  /// Bytes of the first line.
  [[nodiscard]] std::int64_t header_size() const { return header_size_; }

 private:
  OutputFile file_;
  std::int64_t header_size_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_CSV_FILE_HPP
