#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tessera/core/base/precision.hpp>
#include <tessera/md/generate/lattice.hpp>
#include <tessera/md/io/lammps_data.hpp>
#include <tessera/md/mixing/mixing.hpp>
#include <tessera/md/pair_form/coefficient_table.hpp>
#include <tessera/md/units.hpp>
#include <variant>
#include <vector>

/// \file
/// A case: what `tessera run CASE.toml` reads, as plain data. docs/case_reference.md describes
/// every key; lengths, energies, times, masses and temperatures are in the unit system of the case.

namespace tessera::app {

/// Where a value was written, for messages about it that come later than reading.
struct Origin {
  std::string file;  ///< as given on the command line; "--set key=value" for an override
  std::int64_t line = 0;

  // Two cases are equal when they say the same, wherever they say it.
  friend bool operator==(const Origin&, const Origin&) { return true; }
};

/// Data file or restart file to start from; paths are relative to the folder of the case file.
struct FileSource {
  enum class Format { lammps_data, extended_xyz, restart };

  std::string file;  ///< as written
  Format format = Format::lammps_data;
  std::optional<md::AtomStyle> atom_style;  ///< of a data file
  std::int64_t frame = 0;                   ///< of an extended XYZ file, -1 the last

  friend bool operator==(const FileSource&, const FileSource&) = default;
};

struct LatticeSource {
  md::Lattice lattice = md::Lattice::fcc;
  std::optional<double> density;   ///< number density; or
  std::optional<double> constant;  ///< edge of the cubic cell
  std::array<std::int64_t, 3> cells = {1, 1, 1};
  std::vector<std::string> site_types;  ///< name of a type for each site of a cell, or empty
  double jitter = 0;
  std::uint64_t jitter_seed = 0;

  friend bool operator==(const LatticeSource&, const LatticeSource&) = default;
};

struct TypeEntry {
  std::string name;
  double mass = 1;
  Origin origin;

  friend bool operator==(const TypeEntry&, const TypeEntry&) = default;
};

/// A type by its name or by its number, counted from 1.
using TypeReference = std::variant<std::string, std::int64_t>;

struct CoefficientEntry {
  std::array<TypeReference, 2> types;
  md::CoefficientValues values;  ///< by the names of the pair form
  Origin origin;

  friend bool operator==(const CoefficientEntry&, const CoefficientEntry&) = default;
};

struct SystemSection {
  std::variant<FileSource, LatticeSource> source;
  std::optional<std::array<bool, 3>> periodic;  ///< default: what the file says, else all
  std::vector<TypeEntry> types;                 ///< empty: those of the file; one of mass 1
  Origin origin;

  friend bool operator==(const SystemSection&, const SystemSection&) = default;
};

struct VelocitySection {
  double temperature = 0;
  std::uint64_t seed = 0;
  Origin origin;

  friend bool operator==(const VelocitySection&, const VelocitySection&) = default;
};

struct PairSection {
  std::string style = "lj/cut";
  md::CoefficientValues values;  ///< for all pairs, by the names of the pair form
  md::MixingRule mixing = md::MixingRule::geometric;
  std::vector<CoefficientEntry> coefficients;
  Origin origin;

  friend bool operator==(const PairSection&, const PairSection&) = default;
};

struct NeighborSection {
  double skin = 0;
  /// Rebuild interval in steps; 0: when an atom has moved so far that a pair could be missed.
  std::int64_t every = 0;

  friend bool operator==(const NeighborSection&, const NeighborSection&) = default;
};

struct RunSection {
  std::int64_t steps = 0;  ///< 0: forces and thermodynamic state of the start, nothing else
  double time_step = 0;

  friend bool operator==(const RunSection&, const RunSection&) = default;
};

/// Output files are relative to the output folder of the run. `every` is in steps; 0 means never,
/// for thermo first and last step only.
struct ThermoSection {
  std::int64_t every = 100;
  std::string file = "thermo.csv";

  friend bool operator==(const ThermoSection&, const ThermoSection&) = default;
};

struct TrajectorySection {
  std::int64_t every = 0;
  std::string file = "trajectory.xyz";
  bool velocities = false;
  bool forces = false;

  friend bool operator==(const TrajectorySection&, const TrajectorySection&) = default;
};

struct RestartSection {
  std::int64_t every = 0;
  std::string file = "restart.tessera";

  friend bool operator==(const RestartSection&, const RestartSection&) = default;
};

/// What a user chose for an operation. Names are checked by whoever holds the registry.
struct ImplementationEntry {
  std::string implementation;
  Origin origin;

  friend bool operator==(const ImplementationEntry&, const ImplementationEntry&) = default;
};

struct Parameter {
  std::variant<std::int64_t, double, bool, std::string> value;
  Origin origin;

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Case {
  std::filesystem::path path;  ///< of the case file, as given
  std::string title;
  std::string units = "lj";
  Precision precision = Precision::double_precision;
  std::string backend = "auto";
  SystemSection system;
  std::optional<VelocitySection> velocities;
  PairSection pair;
  NeighborSection neighbor;
  RunSection run;
  ThermoSection thermo;
  TrajectorySection trajectory;
  RestartSection restart;
  std::map<std::string, ImplementationEntry> selection;                ///< by operation
  std::map<std::string, std::map<std::string, Parameter>> parameters;  ///< by operation, by knob

  /// `file` as it can be opened: relative to the folder of the case file.
  [[nodiscard]] std::filesystem::path input_path(const std::string& file) const;

  /// Equal contents, wherever they were written.
  friend bool operator==(const Case& a, const Case& b);
};

/// Reads and checks a case file.
/// \param overrides each "key=value" as given to --set: a dotted key and a TOML value, applied
/// before
///        anything is checked. A number in the key picks an element of an array, from 0
///        ("pair.coefficients.0.epsilon=2"). A value that is no TOML but a plain word stands for a
///        string ("units=real").
/// \throws InputError with file, line, key and value: malformed TOML, unknown key (with the nearest
///         known one), missing key, wrong type, value outside its range, keys that exclude each
///         other, malformed override.
[[nodiscard]] Case read_case(const std::filesystem::path& path,
                             const std::vector<std::string>& overrides = {});

/// The case with every default filled in, as TOML that reads back to an equal case.
[[nodiscard]] std::string effective_toml(const Case& c);

}  // namespace tessera::app
