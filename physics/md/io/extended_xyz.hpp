#ifndef TESSERA_PHYSICS_MD_IO_EXTENDED_XYZ_HPP
#define TESSERA_PHYSICS_MD_IO_EXTENDED_XYZ_HPP

#include "core/base/output_file.hpp"
#include "core/state/columns.hpp"
#include "physics/md/io/read_report.hpp"
#include "physics/md/system.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Extended XYZ (as described by ASE, "extxyz", and by OVITO, "XYZ file reader"): each frame has a
/// line with the number of atoms, a line of key=value pairs with Lattice and Properties, and one
/// row for each atom.

namespace tessera::md {

struct ExtendedXyzOptions {
  std::optional<std::int64_t> frame;            ///< counted from 0; absent or -1: the last
  std::optional<std::array<bool, 3>> periodic;  ///< overrides pbc of the file
  std::vector<AtomType> types;  ///< allowed species with their masses; empty: any species
  /// Source of masses if neither `types` nor a column of the file has them: true: the masses of the
  /// elements; false: 1 for every species.
  bool element_masses = false;
  /// A velocity of one ASE unit in units of the case (Units::ase_velocity).
  double ase_velocity = 1;
  int dimensions = 3;  ///< of the system; with 2 nothing depends on the box along z
};

/// Reads one frame. Columns may come in any order: species (or type), pos, velo (vel, velocity,
/// velocities), momenta as ASE writes them, masses (mass), images (image flags: the unwrapped
/// position is pos + images x Lattice), id, charge (charges, initial_charges). Forces, energies and
/// stress_volume are skipped; `report` names other columns. Velocities take precedence over
/// momenta. Without velocities, the velocity is the momentum divided by the mass in its row, or by
/// the mass of its type. Without id atoms count from 1. Without `types` in the options types are
/// numbered in the order in which their species appear and have the masses of the column.
///
/// Without pbc the periodic directions are those with a vector in Lattice. A missing vector, or a
/// vector of zeros, as programs write systems without a cell, means a direction that is not
/// periodic: there the box spans the atoms, and at least a unit of length. Components up to 1e-12
/// of the longest vector, which rounding leaves in a rotated cell, are taken as zero. The report
/// warns of a box that spans atoms, and of skipped frames if `frame` is absent.
///
/// \throws InputError naming file, line, field and value: missing, truncated or malformed file; no
///         such frame; more rows than atoms; no vector of a periodic direction; a Lattice that is
///         not "lx 0 0 xy ly 0 xz yz lz"; a tilt in a direction that is not periodic; unknown
///         species; NaN or infinite number; duplicate id; two masses for one species. Atoms may be
///         outside of the box in directions that are not periodic.
[[nodiscard]] System read_extended_xyz(const std::filesystem::path& path,
                                       const ExtendedXyzOptions& options = {},
                                       ReadReport* report = nullptr);

/// Appends frames to one file. Writes are not buffered, so that all complete frames are in the file
/// however the process ends. If writing part of a frame fails, the file is truncated to the frame
/// before.
class ExtendedXyzWriter {
 public:
  struct Frame {
    Box box;
    std::int64_t step = 0;
    double time = 0;
    std::optional<double> potential_energy;
    std::vector<std::pair<std::string, double>> energies;  ///< further keys of the comment line
    double ase_velocity = 1;  ///< a velocity of one ASE unit in units of the frame
    std::span<const std::int64_t> ids;
    std::span<const std::int32_t> type;
    std::span<const std::array<double, 3>> positions;
    /// Written between pos and id; velocities and charges under the names that readers know, velo
    /// and charge. Velocities are followed by momenta in ASE units and the masses used for them:
    /// ASE computes its velocities from these.
    std::vector<HostColumn> columns;
  };

  /// \param types names become the species. Programs such as ASE accept only elements: the symbol
  ///         of an unused element replaces any other name, and the comment line lists the
  ///         replacements as type_names="H=A He=B", which the reader above reverses.
  /// \throws ArgumentError as check_types().
  ExtendedXyzWriter(OutputFile file, const std::vector<AtomType>& types);

  /// \throws ArgumentError for more types than there are elements, and for a name that readers
  ///         cannot restore: with blanks, quotes or '='.
  static void check_types(const std::vector<AtomType>& types);

  /// Columns species, pos, the columns of the frame, id; numbers with 17 significant digits.
  /// \throws ArgumentError if an array has the wrong size or an atom a type that does not exist;
  ///         FileError if writing fails.
  void write(const Frame& frame);

  [[nodiscard]] OutputFile& file() { return file_; }

 private:
  void check(const Frame& frame) const;
  [[nodiscard]] const std::string& species_of(const Frame& frame, std::size_t atom) const;
  void append_comment(const Frame& frame);

  OutputFile file_;
  std::vector<std::string> species_;
  std::vector<double> masses_;
  std::string type_names_;
  std::string text_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_EXTENDED_XYZ_HPP
