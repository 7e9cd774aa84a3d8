#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOM_STYLE_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOM_STYLE_HPP

#include "physics/md/io/lammps_data.hpp"
#include "physics/md/io/lammps_data/header.hpp"

#include <array>
#include <string>
#include <vector>

/// \file
/// The columns of the Atoms section in each style, and the bonds, angles, ... that its atoms may
/// have. Internal to the reader.

namespace tessera::md::lammps {

inline constexpr std::array all_styles = {AtomStyle::atomic, AtomStyle::charge,    AtomStyle::bond,
                                          AtomStyle::angle,  AtomStyle::molecular, AtomStyle::full};

[[nodiscard]] bool has_molecule(AtomStyle style);
[[nodiscard]] bool has_charge(AtomStyle style);
[[nodiscard]] bool same_columns(AtomStyle one, AtomStyle other);
/// Number of columns without image flags.
[[nodiscard]] int column_count(AtomStyle style);
/// Names of the columns, separated by blanks.
[[nodiscard]] std::string columns(AtomStyle style);
/// Names of the styles, separated by commas.
[[nodiscard]] std::string names_of(const std::vector<AtomStyle>& styles);

/// A keyword of the header for relations ("bonds", "angles", ...) that atoms of the style cannot
/// have by the rules of LAMMPS; empty if there is none.
[[nodiscard]] std::string unknown_to(AtomStyle style, const Header& header);
/// The styles whose atoms may have all properties and relations that the header announces.
[[nodiscard]] std::vector<AtomStyle> styles_for(const Header& header);

/// Whether atoms of a LAMMPS style have more properties than position, type, charge and molecule.
[[nodiscard]] bool is_richer_style(std::string_view style);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOM_STYLE_HPP
