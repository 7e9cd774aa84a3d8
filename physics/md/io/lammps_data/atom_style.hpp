#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOM_STYLE_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOM_STYLE_HPP

#include "physics/md/io/lammps_data.hpp"
#include "physics/md/io/lammps_data/header.hpp"

#include <array>
#include <string>
#include <vector>

/// \file
/// The columns of the Atoms section in each style, and what else an atom of it may be part of.
/// Internal to the reader.

namespace tessera::md::lammps {

inline constexpr std::array all_styles = {AtomStyle::atomic, AtomStyle::charge,    AtomStyle::bond,
                                          AtomStyle::angle,  AtomStyle::molecular, AtomStyle::full};

[[nodiscard]] bool has_molecule(AtomStyle style);
[[nodiscard]] bool has_charge(AtomStyle style);
[[nodiscard]] bool same_columns(AtomStyle one, AtomStyle other);
/// Without image flags.
[[nodiscard]] int column_count(AtomStyle style);
/// Their names.
[[nodiscard]] std::string columns(AtomStyle style);
/// As a list.
[[nodiscard]] std::string names_of(const std::vector<AtomStyle>& styles);

/// A keyword of what the header announces and atoms of the style cannot have ("bonds", "angles",
/// ...), as LAMMPS judges it; empty where there is nothing.
[[nodiscard]] std::string unknown_to(AtomStyle style, const Header& header);
/// The styles to which nothing of the header is unknown.
[[nodiscard]] std::vector<AtomStyle> styles_for(const Header& header);

/// Whether it is a style of LAMMPS whose atoms have more than place, type, charge and molecule.
[[nodiscard]] bool is_richer_style(std::string_view style);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_ATOM_STYLE_HPP
