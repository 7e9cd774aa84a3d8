#include <fstream>
#include <tessera/core/base/error.hpp>
#include <tessera/md/io/number_text.hpp>
#include <tessera/md/io/thermo_csv.hpp>
#include <utility>

namespace tessera::md {
namespace {

std::string header(const ThermoRow& like, const Units& units) {
  std::string text = "step";
  for (const ThermoColumn& column : columns_of(like, units)) {
    text += "," + column.name;
    if (!column.unit.empty()) text += " [" + column.unit + "]";
  }
  return text;
}

}  // namespace

ThermoCsv::ThermoCsv(OutputFile file, const Units& units, const ThermoRow& like)
    : units_(units), file_(std::move(file)), header_size_(0) {
  const std::string expected = header(like, units);
  header_size_ = std::ssize(expected) + 1;
  if (file_.size() == 0) {
    file_.append(expected + "\n");
    return;
  }
  std::string found;
  std::getline(std::ifstream(file_.path()), found);
  if (found != expected)
    throw InputError({file_.path().string(), 1, "columns", found},
                     "expected those of the run that continues it, " + expected +
                         "; give the run another folder or file");
}

void ThermoCsv::write(const ThermoRow& row) {
  std::string text;
  append_number(text, row.step);
  for (const ThermoColumn& column : columns_of(row, units_)) {
    text += ',';
    append_number(text, column.value);
  }
  text += '\n';
  file_.append(text);
}

}  // namespace tessera::md
