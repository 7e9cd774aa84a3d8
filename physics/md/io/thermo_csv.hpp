#pragma once

#include <filesystem>
#include <string>
#include <tessera/core/base/output_file.hpp>
#include <tessera/md/thermo/thermo.hpp>
#include <tessera/md/units.hpp>

/// \file
/// Thermodynamic state of a run as comma-separated values.

namespace tessera::md {

/// Rows appended to one file, each complete in it when `write` returns. The first line names the
/// columns with their units, as in "time [tau]"; numbers have 17 significant digits.
class ThermoCsv {
 public:
  /// \param like a row with the columns of those to come.
  /// \throws FileError; InputError when a file to append to has other columns.
  ThermoCsv(const std::filesystem::path& path, const Units& units,
            OutputFile::Mode mode = OutputFile::Mode::replace, const ThermoRow& like = {});

  /// \throws FileError
  void write(const ThermoRow& row);

 private:
  const Units& units_;
  OutputFile file_;
};

}  // namespace tessera::md
