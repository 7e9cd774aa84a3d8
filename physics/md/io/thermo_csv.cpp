#include "physics/md/io/thermo_csv.hpp"

#include "physics/md/io/number_text.hpp"

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
    : units_(units), csv_(std::move(file), header(like, units)) {}

void ThermoCsv::write(const ThermoRow& row) {
  std::string text;
  append_number(text, row.step);
  for (const ThermoColumn& column : columns_of(row, units_)) {
    text += ',';
    append_number(text, column.value);
  }
  csv_.append(text);
}

}  // namespace tessera::md
