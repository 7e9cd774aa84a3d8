#ifndef TESSERA_PHYSICS_MD_IO_THERMO_CSV_HPP
#define TESSERA_PHYSICS_MD_IO_THERMO_CSV_HPP

#include "core/base/csv_file.hpp"
#include "physics/md/thermo/thermo.hpp"
#include "physics/md/units.hpp"

#include <cstdint>

/// \file
/// Thermodynamic state of a run as comma-separated values.

namespace tessera::md {

/// Rows appended to one file, each complete in it when `write` returns. The first line names the
/// columns with their units, as in "time [tau]"; numbers have 17 significant digits.
class ThermoCsv {
 public:
  /// \param file empty, or with rows to go on from.
  /// \param like a row with the columns of those to come.
  /// \throws FileError; InputError when the file has other columns.
  ThermoCsv(OutputFile file, const Units& units, const ThermoRow& like = {});

  /// \throws FileError
  void write(const ThermoRow& row);

  [[nodiscard]] OutputFile& file() { return csv_.file(); }
  /// Bytes of the first line.
  [[nodiscard]] std::int64_t header_size() const { return csv_.header_size(); }

 private:
  const Units& units_;
  CsvFile csv_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_THERMO_CSV_HPP
