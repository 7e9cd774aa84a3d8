#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_HPP

#include "physics/md/io/read_report.hpp"
#include "physics/md/system.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Reading and writing of LAMMPS data files (documentation page "read_data command").

namespace tessera::md {

/// Columns of the Atoms section; each may be followed by three image flags.
enum class AtomStyle {
  atomic,     ///< id type x y z
  charge,     ///< id type q x y z
  bond,       ///< id molecule type x y z, with bonds
  angle,      ///< the same, with bonds and angles
  molecular,  ///< the same, with bonds, angles, dihedrals and impropers
  full,       ///< id molecule type q x y z, with all of these
};

[[nodiscard]] std::string_view name(AtomStyle style);
/// \throws SelectionError when `text` is none of these.
[[nodiscard]] AtomStyle atom_style_from_name(std::string_view text);

struct LammpsDataOptions {
  /// Required if no style follows the keyword Atoms ("Atoms # atomic"). Overrides the style of the
  /// file, with a warning if that style has other columns.
  std::optional<AtomStyle> atom_style;
  /// Periodic directions, which a data file does not state.
  std::array<bool, 3> periodic = {true, true, true};
  /// Masses of types, named by label, by the comment after the mass, or by number. They override
  /// the masses of the file.
  std::vector<AtomType> masses = {};
  /// Pair potential of a section of coefficients without a style; empty: lj/cut.
  std::string pair_potential = {};
  /// Whether the caller has its own coefficients of pairs (bonds): coefficients of the file that do
  /// not fit are then ignored with a warning instead of an error.
  bool own_pairs = false;
  bool own_bonds = false;
  std::string bond_potential = "harmonic";  ///< of rows of Bond Coeffs that state no style
};

/// Reads a data file. The box may be tilted ("xy xz yz") or defined by vectors of any direction
/// (avec, bvec, cvec); positions and velocities are then rotated into the frame of Box. Sections
/// may come in any order, labels before their use. The reader uses Masses, Atom and Bond Type
/// Labels, Pair Coeffs and PairIJ Coeffs (of the style in their comment, or in their rows if all
/// have the same), Atoms, Velocities, Bonds and Bond Coeffs (of the bond potentials), and the atoms
/// of Angles and Dihedrals; it skips other topology and coefficients and lists them in `report`.
/// Suffixes of accelerated variants of a style ("/omp", "/kk", ...) are ignored. Types are named by
/// their labels, else by one-word comments behind the masses ("1 39.948 # Ar"), else "1", "2", ...
/// Atoms keep the order of the file; atoms outside a periodic box are wrapped and their image flags
/// adjusted.
/// \throws InputError naming file, line, field and value: missing, truncated or malformed file;
///         counts that differ from the header; tilts in directions that are not periodic; box
///         vectors that are not right-handed; a type without a mass, or with one that is not
///         positive; an unknown atom style, or one without the bonds, angles, ... that the header
///         announces; type out of range; duplicate id; NaN or infinite number; atom outside a
///         direction that is not periodic; missing velocity of an atom; bond, angle or dihedral
///         with a missing atom, or with one twice; bond of a type out of range; unknown section.
[[nodiscard]] System read_lammps_data(const std::filesystem::path& path,
                                      const LammpsDataOptions& options = {},
                                      ReadReport* report = nullptr);

struct LammpsWriteOptions {
  std::optional<AtomStyle>
      atom_style;     ///< default: the style with the fewest columns that has all data of `system`
  std::string units;  ///< stated on the title line
};

/// Writes atoms with image flags, velocities and bonds with their labels if there are any, and
/// coefficients: PairIJ Coeffs if all pairs have coefficients, Pair Coeffs if exactly the pairs of
/// equal types have them. Angles and dihedrals are not written, because their types are not stored.
/// Numbers have 17 significant digits: reading returns the same bits, for the box up to the
/// rounding of lower + length. The file appears complete or not at all.
/// \throws ArgumentError if pair coefficients are given for other sets of pairs or are of a style
/// that the reader does not know, if an array has the wrong size, or for bonds in a style without
/// them; FileError if writing fails.
void write_lammps_data(const std::filesystem::path& path, const System& system,
                       const LammpsWriteOptions& options = {});

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_HPP
