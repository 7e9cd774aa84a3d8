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
  /// Names the types by their labels, else by comments that tell them apart, else by numbers, and
  /// gives them the masses of the caller, which win over those of the file.
  /// \throws InputError for a type that has no mass, and for a mass of a type that there is not.
  void complete();

  [[nodiscard]] const TypeLabels& labels() const { return labels_; }
  /// The next column of a row, counted from 0.
  std::int32_t read_type(const std::string& field_name) { return labels_.read_type(field_name); }

 private:
  void set_names();
  void take_masses();
  /// By its name or number. \throws InputError where there is none.
  [[nodiscard]] std::size_t type_of(const std::string& name) const;

  Reading& reading_;
  TypeLabels labels_;
  std::vector<bool> has_mass_;
  std::vector<std::string> mass_comments_;
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_TYPES_HPP
