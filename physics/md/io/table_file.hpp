#ifndef TESSERA_PHYSICS_MD_IO_TABLE_FILE_HPP
#define TESSERA_PHYSICS_MD_IO_TABLE_FILE_HPP

#include "physics/md/pair_potential/tabulated_pair.hpp"

#include <filesystem>
#include <string>

/// \file
/// Files of tabulated pair potentials (LAMMPS documentation, "pair_style table"):
///
///     # a comment
///     KEYWORD
///     N 512 R 0.9 2.5        number of points; R, RSQ or BITMAP with two distances replaces the
///                            distances of the rows by points equally spaced in r or r^2, or by
///                            those of a bitmap of r^2 (bitmap_distances.hpp)
///     1 0.9 energy force     rows: number, distance, energy, force
///
/// in any number of sections. FPRIME and its two numbers are read and ignored: forces depend only
/// on the energy and the force of each point.

namespace tessera::md {

/// Reads the section with this keyword; an empty keyword reads the only section.
/// \throws InputError naming file, line, field and what was expected: no such section, fewer than
///         two points, fewer or more rows than announced, rows out of order, distances that are not
///         positive or do not increase, or differ from the bitmap, numbers that are not finite,
///         and, if forces are checked, forces that are not -dE/dr of the energies
///         (md/pair_potential/table_forces.hpp).
[[nodiscard]] TabulatedPair read_pair_table_file(const std::filesystem::path& path,
                                                 const std::string& keyword,
                                                 TableForces forces = TableForces::checked);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_TABLE_FILE_HPP
