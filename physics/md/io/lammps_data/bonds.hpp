#pragma once

#include <array>
#include <cstdint>
#include <tessera/md/io/id_index.hpp>
#include <tessera/md/io/lammps_data/reading.hpp>
#include <vector>

/// \file
/// Bond Coeffs and Bonds of a LAMMPS data file. Internal to the reader.

namespace tessera::md::lammps {

class Bonds {
 public:
  explicit Bonds(Reading& reading) : reading_(reading) {}

  /// Reads the section whose keyword is the current line. \returns false, with a warning, where it
  /// is of a style that is not read.
  bool read_coefficients();
  /// Atoms stay ids until all sections are read.
  void read();
  /// Puts the bonds into the system.
  void assign(const IdIndex& index);

 private:
  struct Row {
    std::array<std::int64_t, 2> atoms{};  ///< ids
    std::int32_t type = 0;
    std::int64_t line = 0;
  };

  std::int32_t read_type(const std::string& field_name);

  Reading& reading_;
  std::vector<Row> rows_;
};

}  // namespace tessera::md::lammps
