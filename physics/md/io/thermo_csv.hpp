#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tessera/core/base/output_file.hpp>
#include <tessera/md/units.hpp>

/// \file
/// Thermodynamic state of a run as comma-separated values.

namespace tessera::md {

/// One row; totals over all atoms, in the unit system of the file.
struct ThermoRow {
  std::int64_t step = 0;
  double time = 0;
  double temperature = 0;
  double potential_energy = 0;
  double kinetic_energy = 0;
  double pressure = 0;                                         ///< a third of the trace
  std::array<double, 6> pressure_tensor = {0, 0, 0, 0, 0, 0};  ///< xx yy zz xy xz yz
  std::array<double, 3> momentum = {0, 0, 0};
};

/// Rows appended to one file, each complete in it when `write` returns. The first line names the
/// columns with their units, as in "time [tau]"; numbers have 17 significant digits.
class ThermoCsv {
 public:
  /// \throws FileError
  ThermoCsv(const std::filesystem::path& path, const Units& units,
            OutputFile::Mode mode = OutputFile::Mode::replace);

  /// Total energy is written beside its two parts. \throws FileError
  void write(const ThermoRow& row);

 private:
  OutputFile file_;
};

}  // namespace tessera::md
