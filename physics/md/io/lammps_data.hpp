#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/md/io/read_report.hpp>
#include <tessera/md/system.hpp>

/// \file
/// LAMMPS data files (documentation page "read_data command"), read and written.

namespace tessera::md {

/// Columns of the Atoms section; each may be followed by three image flags.
enum class AtomStyle {
  atomic,  ///< id type x y z
  charge,  ///< id type q x y z
  full,    ///< id molecule type q x y z
};

[[nodiscard]] std::string_view name(AtomStyle style);
/// \throws SelectionError when `text` is none of atomic, charge, full.
[[nodiscard]] AtomStyle atom_style_from_name(std::string_view text);

struct LammpsDataOptions {
  /// Needed when the Atoms section carries no style comment ("Atoms # atomic"). Must agree with it
  /// when it does.
  std::optional<AtomStyle> atom_style;
  /// A data file does not say which directions are periodic.
  std::array<bool, 3> periodic = {true, true, true};
};

/// Reads a data file; the box may be tilted ("xy xz yz"). Sections may come in any order. Read are
/// Masses, Atom Type Labels, Pair Coeffs and PairIJ Coeffs (of the style in their comment),
/// Atoms, Velocities, Bonds and Bond Coeffs (of harmonic: K r0), and the atoms of Angles and
/// Dihedrals; other topology and coefficients are counted, skipped and put in `report`. Types are
/// named by their labels, else by one-word comments behind the masses ("1 39.948 # Ar"), else "1",
/// "2", ... Atoms keep the order of the file; those outside a periodic box are wrapped and their
/// image flags adjusted.
/// \throws InputError naming file, line, field and value: missing, truncated or malformed file;
///         counts that differ from the header; tilts in directions that are not periodic; a box in
///         general vectors (avec, bvec, cvec); no or non-positive mass; type out of
///         range; duplicate id; NaN or infinite number; atom outside a direction that is not
///         periodic; missing velocity of an atom; bond, angle or dihedral with a missing atom, or
///         with one twice; bond of a type out of range; unknown section.
[[nodiscard]] System read_lammps_data(const std::filesystem::path& path,
                                      const LammpsDataOptions& options = {},
                                      ReadReport* report = nullptr);

struct LammpsWriteOptions {
  std::optional<AtomStyle> atom_style;  ///< default: the smallest that holds what `system` has
  std::string units;                    ///< stated on the title line
};

/// Writes atoms with image flags, velocities and bonds (no angles and dihedrals, whose types are
/// not kept) where there are any, and coefficients: PairIJ Coeffs when all pairs are there, Pair
/// Coeffs when just those of equal types are. Numbers have 17 significant digits: reading returns
/// the same bits, for the box up to the rounding of lower + length. The file appears whole or not
/// at all.
/// \throws ArgumentError when the pair coefficients are neither of the two, or of no style that
///         reading knows, or an array has the wrong size; FileError when the system refuses.
void write_lammps_data(const std::filesystem::path& path, const System& system,
                       const LammpsWriteOptions& options = {});

}  // namespace tessera::md
