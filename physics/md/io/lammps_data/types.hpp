#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/md/io/lammps_data/reading.hpp>
#include <vector>

/// \file
/// Types of atoms in a LAMMPS data file: Masses and Atom Type Labels. Internal to the reader.

namespace tessera::md::lammps {

class AtomTypes {
 public:
  explicit AtomTypes(Reading& reading) : reading_(reading) {}

  void read_masses();
  void read_labels();
  /// Names the types by their labels, else by comments that tell them apart, else by numbers.
  void set_names();

  /// The type, counted from 0, that a number or a label stands for.
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view field) const;
  /// The next column of a row, counted from 0.
  std::int32_t read_type(const std::string& field_name);

 private:
  Reading& reading_;
  std::map<std::string, std::int32_t, std::less<>> labels_;
  std::vector<std::string> mass_comments_;
};

}  // namespace tessera::md::lammps
