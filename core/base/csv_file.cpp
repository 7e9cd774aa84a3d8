#include "core/base/csv_file.hpp"

#include "core/base/error.hpp"

#include <fstream>
#include <iterator>
#include <utility>

namespace tessera {

CsvFile::CsvFile(OutputFile file, const std::string& header)
    : file_(std::move(file)), header_size_(std::ssize(header) + 1) {
  if (file_.size() == 0) {
    append(header);
    return;
  }
  std::string found;
  std::ifstream stream(file_.path());
  std::getline(stream, found);
  if (found != header)
    throw InputError({file_.path().string(), 1, "columns", found},
                     "expected those of the run that continues it, " + header +
                         "; give the run another folder or file");
}

}  // namespace tessera
