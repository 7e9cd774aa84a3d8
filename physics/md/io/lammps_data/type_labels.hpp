#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPE_LABELS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPE_LABELS_HPP

#include "physics/md/io/lammps_data/reading.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// Types of atoms or bonds, by their numbers and by the labels of a section "... Type Labels".
/// Internal to the reader.

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

  /// The type, counted from 0, with this number or label.
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view field) const;
  /// Text of an error for a field that is not a type: the types that were expected.
  [[nodiscard]] std::string expected(std::string_view field) const;
  /// Reads the next column of a row, a type. \returns its index, counted from 0.
  std::int32_t read_type(const std::string& field_name);

 private:
  [[nodiscard]] std::int64_t count() const { return reading_.header.count_of(kind_ + " types"); }

  Reading& reading_;
  std::string kind_;
  std::map<std::string, std::int32_t, std::less<>> types_;
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPE_LABELS_HPP
