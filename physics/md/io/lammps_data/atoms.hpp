#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/md/io/id_index.hpp>
#include <tessera/md/io/lammps_data/reading.hpp>
#include <tessera/md/io/lammps_data/types.hpp>
#include <vector>

/// \file
/// Atoms of a LAMMPS data file. Internal to the reader.

namespace tessera::md::lammps {

class Atoms {
 public:
  /// \param asked the style that the user gave.
  Atoms(Reading& reading, const AtomTypes& types, std::optional<AtomStyle> asked)
      : reading_(reading), types_(types), asked_(asked) {}

  /// Reads the section whose keyword is the current line into the system.
  void read();
  /// \throws InputError for an id that comes twice.
  [[nodiscard]] IdIndex index() const;

 private:
  [[nodiscard]] AtomStyle find_style();
  [[nodiscard]] InputError style_missing();
  void read_atom();
  double read_coordinate(const std::string& column, std::int64_t id);
  void place(std::int64_t id, std::array<double, 3>& position,
             std::array<std::int32_t, 3>& image) const;
  [[nodiscard]] InputError bad_field(const std::string& column, std::int64_t id,
                                     std::string_view value, const std::string& expected);
  [[nodiscard]] InputError wrong_columns();

  Reading& reading_;
  const AtomTypes& types_;
  std::optional<AtomStyle> asked_;
  AtomStyle style_ = AtomStyle::atomic;
  std::vector<std::int64_t> lines_;
};

}  // namespace tessera::md::lammps
