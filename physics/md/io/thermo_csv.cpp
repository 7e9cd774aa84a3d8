#include <fstream>
#include <tessera/core/base/error.hpp>
#include <tessera/md/io/number_text.hpp>
#include <tessera/md/io/thermo_csv.hpp>

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

ThermoCsv::ThermoCsv(const std::filesystem::path& path, const Units& units, OutputFile::Mode mode,
                     const ThermoRow& like)
    : units_(units), file_(path, mode) {
  const std::string expected = header(like, units);
  if (file_.size() == 0) {
    file_.append(expected + "\n");
    return;
  }
  std::string found;
  std::getline(std::ifstream(path), found);
  if (found != expected)
    throw InputError({path.string(), 1, "columns", found},
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
