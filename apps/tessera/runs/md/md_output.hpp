#ifndef TESSERA_APPS_TESSERA_RUNS_MD_MD_OUTPUT_HPP
#define TESSERA_APPS_TESSERA_RUNS_MD_MD_OUTPUT_HPP

#include "apps/tessera/case_run.hpp"
#include "apps/tessera/run_folder.hpp"
#include "apps/tessera/run_streams.hpp"
#include "core/case/case.hpp"
#include "core/memory/device.hpp"
#include "physics/md/io/extended_xyz.hpp"
#include "physics/md/io/thermo_csv.hpp"
#include "physics/md/simulation/simulation.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Output of a run of molecular dynamics: rows for the terminal, thermo.csv, trajectory, restart
/// files, summary.json.

namespace tessera::command_line {

/// The output files of one run. They are opened after the simulation was set up, so that bad input
/// leaves no files.
class MdOutput {
 public:
  /// A run that continues in its folder truncates the streams at the positions in its restart file.
  /// \throws FileError; InputError when the streams are shorter than the restart file says.
  MdOutput(const cases::Case& c, const md::Units& units, md::Simulation& simulation,
           const RunFolder& folder, RunStreams streams);

  /// Writes a row. Rows and frames up to the last mark of their stream exist already and are
  /// skipped.
  void write_thermo(const md::ThermoRow& row);
  void write_frame(md::Simulation& simulation, const md::ThermoRow& row);
  /// Whether thermo.csv continues the rows of the run that is continued.
  [[nodiscard]] bool thermo_goes_on() const { return thermo_goes_on_; }
  /// The file appears atomically.
  void write_restart(const md::Simulation& simulation);

  [[nodiscard]] std::filesystem::path restart_path() const;

 private:
  const cases::Case& case_;
  std::vector<std::size_t> frame_columns_;
  const RunFolder& folder_;
  RunStreams streams_;
  bool thermo_goes_on_ = false;
  std::optional<md::ThermoCsv> thermo_;
  std::optional<md::ExtendedXyzWriter> trajectory_;
};

/// Files that a run of this case writes, except its summary.
[[nodiscard]] std::vector<RunFile> md_files(const cases::Case& c);

/// Checks that the file formats support the case. \throws InputError
void check_formats(const cases::Case& c, const std::vector<md::AtomType>& types);

struct MdResult : RunResult {
  md::ThermoRow first;
  md::ThermoRow last;
};

[[nodiscard]] double atom_steps_per_second(const RunResult& result, std::int64_t atoms);

[[nodiscard]] nlohmann::ordered_json md_summary(const cases::Case& c, const md::Units& units,
                                                const Context& context,
                                                const md::Simulation& simulation,
                                                const MdResult& result);

/// Prints the tables of the terminal.
void print_md_start(const cases::Case& c, const md::Units& units, const Context& context,
                    const md::Simulation& simulation);
void print_thermo_titles(const md::ThermoRow& like, const md::Units& units);
void print_thermo(const md::ThermoRow& row, std::int64_t atoms);
void print_md_end(const md::Simulation& simulation, const RunResult& result);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUNS_MD_MD_OUTPUT_HPP
