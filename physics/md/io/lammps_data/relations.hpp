#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_RELATIONS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_RELATIONS_HPP

#include "physics/md/io/id_index.hpp"
#include "physics/md/io/lammps_data/reading.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// The atoms of Angles or Dihedrals in a LAMMPS data file. No operation computes their forces, but
/// they may restrict which atoms count as near by bonds. Internal to the reader.

namespace tessera::md::lammps {

template <std::size_t N>
class Relations {
 public:
  /// \param section keyword of the section
  Relations(Reading& reading, std::string section)
      : reading_(reading), section_(std::move(section)) {}

  [[nodiscard]] const std::string& section() const { return section_; }
  /// Keyword of their number in the header, for instance "angles".
  [[nodiscard]] const std::string& plural() const { return find_section(section_)->count; }

  /// Stores the ids of atoms until all sections are read.
  void read();
  void assign(const IdIndex& index, std::vector<std::array<std::int32_t, N>>& atoms) const;

 private:
  struct Row {
    std::array<std::int64_t, N> atoms{};  ///< ids
    std::int64_t line = 0;
  };

  Reading& reading_;
  std::string section_;
  std::vector<Row> rows_;
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_RELATIONS_HPP
