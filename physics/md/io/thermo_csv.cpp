#include <string_view>
#include <tessera/md/io/number_text.hpp>
#include <tessera/md/io/thermo_csv.hpp>

namespace tessera::md {
namespace {

std::string header(const Units& units) {
  std::string text = "step";
  const auto column = [&](std::string_view name, const std::string& unit) {
    text += "," + std::string(name) + " [" + unit + "]";
  };
  const std::string energy(units.energy);
  const std::string pressure(units.pressure);
  column("time", std::string(units.time));
  column("temperature", std::string(units.temperature));
  column("potential_energy", energy);
  column("kinetic_energy", energy);
  column("total_energy", energy);
  column("pressure", pressure);
  for (const char* name : {"xx", "yy", "zz", "xy", "xz", "yz"}) {
    column(std::string("pressure_") + name, pressure);
  }
  const std::string momentum =
      std::string(units.mass) + " " + std::string(units.length) + "/" + std::string(units.time);
  for (const char* name : {"x", "y", "z"})
    column(std::string("momentum_") + name, momentum);
  return text + "\n";
}

}  // namespace

ThermoCsv::ThermoCsv(const std::filesystem::path& path, const Units& units, OutputFile::Mode mode)
    : file_(path, mode) {
  if (file_.size() == 0) file_.append(header(units));
}

void ThermoCsv::write(const ThermoRow& row) {
  std::string text;
  append_number(text, row.step);
  const auto put = [&](double value) {
    text += ',';
    append_number(text, value);
  };
  put(row.time);
  put(row.temperature);
  put(row.potential_energy);
  put(row.kinetic_energy);
  put(row.potential_energy + row.kinetic_energy);
  put(row.pressure);
  for (const double component : row.pressure_tensor)
    put(component);
  for (const double component : row.momentum)
    put(component);
  text += '\n';
  file_.append(text);
}

}  // namespace tessera::md
