#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOMS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOMS_HPP

#include "physics/md/io/id_index.hpp"
#include "physics/md/io/lammps_data/reading.hpp"
#include "physics/md/io/lammps_data/type_labels.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Atoms of a LAMMPS data file. Internal to the reader.

namespace tessera::md::lammps {

class Atoms {
 public:
  Atoms(Reading& reading, const TypeLabels& types)
      : reading_(reading), types_(types), asked_(reading.options.atom_style) {}

  /// Reads the section whose keyword is the current line into the system.
  void read();
  /// \throws InputError for an id that occurs twice.
  [[nodiscard]] IdIndex index() const;

 private:
  [[nodiscard]] AtomStyle find_style();
  /// Error for a missing style, which suggests the styles that fit the rows. Advances the scanner
  /// through the section.
  [[nodiscard]] InputError style_missing();
  /// Whether the current line may be an atom of the style.
  [[nodiscard]] bool fits(AtomStyle style);
  void read_atom();
  double read_coordinate(const std::string& column, std::int64_t id);
  void place(std::int64_t id, std::array<double, 3>& position,
             std::array<std::int32_t, 3>& image) const;
  [[nodiscard]] InputError bad_field(const std::string& column, std::int64_t id,
                                     std::string_view value, const std::string& expected);
  [[nodiscard]] InputError wrong_columns();

  Reading& reading_;
  const TypeLabels& types_;
  std::optional<AtomStyle> asked_;
  AtomStyle style_ = AtomStyle::atomic;
  std::vector<std::int64_t> lines_;
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOMS_HPP
