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
/// Extended XYZ (as described by ASE, "extxyz", and by OVITO, "XYZ file reader"): frames of a
/// count, a line of key=value pairs with Lattice and Properties, and one row for each atom.

namespace tessera::md {

struct ExtendedXyzOptions {
  std::optional<std::int64_t> frame;            ///< counted from 0; not given or -1: the last
  std::optional<std::array<bool, 3>> periodic;  ///< instead of the file's pbc
  std::vector<AtomType> types;                  ///< the species that may occur, with their masses
  /// Without `types` and without a column of masses: masses of the elements, or 1 for every
  /// species.
  bool element_masses = false;
  /// What a velocity in units of ASE is in those of the case (Units::ase_velocity).
  double ase_velocity = 1;
  int dimensions = 3;  ///< of the system; with 2 nothing depends on the box along z
};

/// Reads one frame. Columns may come in any order: species (or type), pos, velo (vel, velocity,
/// velocities), momenta as ASE writes them, masses (mass), images (image flags: the unwrapped
/// position is pos + images x Lattice), id, charge (charges, initial_charges); forces, energies and
/// stress_volume are passed over; other columns are named in `report`. Where there are velocities
/// momenta are not needed; else the velocity is the momentum by the mass in its row, or by that of
/// its type. Without id atoms count from 1. Without `types` in the options types are numbered as
/// their species appear and have the masses of the column.
///
/// Without pbc the directions are periodic of which Lattice has a vector. One that is missing, or
/// that is zeros, as programs write systems without a cell, is a direction that is not periodic:
/// the box spans the atoms there, and at least a unit of length. What rounding has left of zeros
/// in a turned cell (1e-12 of its longest vector) is taken as zero. The report warns of a box that
/// spans atoms, and of frames that are left out because none was asked for.
///
/// \throws InputError naming file, line, field and value: missing, truncated or malformed file; no
///         such frame; more rows than atoms; no vector of a periodic direction; a Lattice that is
///         not "lx 0 0 xy ly 0 xz yz lz"; a tilt in a direction that is not periodic; unknown
///         species; NaN or infinite number; duplicate id; two masses for one species. Atoms may be
///         outside of the box in directions that are not periodic.
[[nodiscard]] System read_extended_xyz(const std::filesystem::path& path,
                                       const ExtendedXyzOptions& options = {},
                                       ReadReport* report = nullptr);

/// Frames appended to one file. Each is written without a buffer, so that all complete frames are
/// in the file when the process ends for whatever reason; when the system refuses part of a frame
/// the file is cut back to the frame before.
class ExtendedXyzWriter {
 public:
  struct Frame {
    Box box;
    std::int64_t step = 0;
    double time = 0;
    std::optional<double> potential_energy;
    std::vector<std::pair<std::string, double>> energies;  ///< further keys of the comment line
    double ase_velocity = 1;  ///< what a velocity in units of ASE is in those of the frame
    std::span<const std::int64_t> ids;
    std::span<const std::int32_t> type;
    std::span<const std::array<double, 3>> positions;
    /// Written between pos and id; velocities and charges under the names that readers know, velo
    /// and charge. Behind velocities come momenta in the units of ASE and the masses that they were
    /// made with: ASE takes its velocities from these.
    std::vector<HostColumn> columns;
  };

  /// \param types names become the species. Programs like ASE accept elements alone: a name that is
  ///        none is replaced by the symbol of an element that is not in use, and the pairs are put
  ///        on the comment line as type_names="H=A He=B", which the reader above turns back.
  /// \throws ArgumentError as check_types().
  ExtendedXyzWriter(OutputFile file, const std::vector<AtomType>& types);

  /// \throws ArgumentError for more types than there are elements, and for a name that no reader
  ///         gets back: with blanks, quotes or '='.
  static void check_types(const std::vector<AtomType>& types);

  /// Columns species, pos, those of the frame, id; numbers with 17 significant digits.
  /// \throws ArgumentError when an array has the wrong size or an atom a type that does not exist;
  ///         FileError when the system refuses.
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
