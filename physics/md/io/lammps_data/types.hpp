#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPES_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPES_HPP

#include "physics/md/io/lammps_data/reading.hpp"
#include "physics/md/io/lammps_data/type_labels.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Types of atoms in a LAMMPS data file: Masses and Atom Type Labels. Internal to the reader.

namespace tessera::md::lammps {

class AtomTypes {
 public:
  explicit AtomTypes(Reading& reading) : reading_(reading), labels_(reading, "atom") {}

  void read_masses();
  void read_labels() { labels_.read(); }
  /// Names the types by their labels, else by comments if these are distinct, else by numbers, and
  /// sets the masses from the options, which override the masses of the file.
  /// \throws InputError for a type without a mass, and for a mass of a type that does not exist.
  void complete();

  [[nodiscard]] const TypeLabels& labels() const { return labels_; }
  /// Reads the next column of a row, a type. \returns its index, counted from 0.
  std::int32_t read_type(const std::string& field_name) { return labels_.read_type(field_name); }

 private:
  void set_names();
  void take_masses();
  /// Index of a type by its name or number. \throws InputError if there is no such type.
  [[nodiscard]] std::size_t type_of(const std::string& name) const;

  Reading& reading_;
  TypeLabels labels_;
  std::vector<bool> has_mass_;
  std::vector<std::string> mass_comments_;
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPES_HPP
