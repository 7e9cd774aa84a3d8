#ifndef TESSERA_PHYSICS_MD_IO_THERMO_CSV_HPP
#define TESSERA_PHYSICS_MD_IO_THERMO_CSV_HPP

#include "core/base/csv_file.hpp"
#include "physics/md/thermo/thermo.hpp"
#include "physics/md/units.hpp"

#include <cstdint>

/// \file
/// Thermodynamic state of a run as comma-separated values.

namespace tessera::md {

/// Appends rows to one file; each row is complete in the file when `write` returns. The first line
/// names the columns with their units, as in "time [tau]"; numbers have 17 significant digits.
class ThermoCsv {
 public:
  /// \param file empty, or with rows after which the new ones are appended
  /// \param like a row with the same columns as those to be written
  /// \throws FileError; InputError if the file has other columns.
  ThermoCsv(OutputFile file, const Units& units, const ThermoRow& like = {});

  /// \throws FileError
  void write(const ThermoRow& row);

  [[nodiscard]] OutputFile& file() { return csv_.file(); }
  /// Length of the first line in bytes.
  [[nodiscard]] std::int64_t header_size() const { return csv_.header_size(); }

 private:
  const Units& units_;
  CsvFile csv_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_THERMO_CSV_HPP
