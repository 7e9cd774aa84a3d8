#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPE_LABELS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPE_LABELS_HPP

#include "physics/md/io/lammps_data/reading.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// The types of atoms, or of bonds, by their numbers and by the labels that a section "... Type
/// Labels" gives them. Internal to the reader.

namespace tessera::md::lammps {

class TypeLabels {
 public:
  /// \param kind "atom" or "bond".
  TypeLabels(Reading& reading, const std::string& kind);

  /// Reads the section whose keyword is the current line.
  void read();
  [[nodiscard]] const std::map<std::string, std::int32_t, std::less<>>& by_label() const {
    return types_;
  }

  /// The type, counted from 0, that a number or a label stands for.
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view field) const;
  /// The words for what was expected where there is none.
  [[nodiscard]] std::string expected(std::string_view field) const;
  /// The next column of a row, counted from 0.
  std::int32_t read_type(const std::string& field_name);

 private:
  [[nodiscard]] std::int64_t count() const { return reading_.header.count_of(kind_ + " types"); }

  Reading& reading_;
  std::string kind_;
  std::map<std::string, std::int32_t, std::less<>> types_;
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPE_LABELS_HPP
