#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tessera/core/case/case.hpp>
#include <tessera/core/memory/device.hpp>
#include <tessera/md/io/extended_xyz.hpp>
#include <tessera/md/io/thermo_csv.hpp>
#include <tessera/md/simulation/simulation.hpp>
#include <vector>

/// \file
/// What a run writes: rows for the terminal, thermo.csv, trajectory, restart files, summary.json.

namespace tessera::command_line {

/// Streams of one run. Files are opened when the simulation stands, so that bad input leaves none.
class RunOutput {
 public:
  /// A run that continues from a restart file appends to streams that are there.
  /// \throws FileError; InputError when those have other columns.
  RunOutput(const cases::Case& c, const md::Units& units, md::Simulation& simulation,
            std::filesystem::path folder);

  void write_thermo(const md::ThermoRow& row);
  void write_frame(const md::Simulation& simulation, const md::ThermoRow& row);
  /// Appears whole or not at all.
  void write_restart(const md::Simulation& simulation) const;
  void write_summary(const nlohmann::ordered_json& summary) const;

  [[nodiscard]] std::filesystem::path restart_path() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  const cases::Case& case_;
  std::vector<std::size_t> frame_columns_;
  std::filesystem::path folder_;
  std::optional<md::ThermoCsv> thermo_;
  std::optional<md::ExtendedXyzWriter> trajectory_;
  bool skip_first_row_ = false;
  bool skip_first_frame_ = false;
};

/// How a run ended.
struct RunResult {
  std::string status = "completed";  ///< or "stopped"
  std::string error;                 ///< why it stopped
  int exit_code = 0;
  std::int64_t steps = 0;  ///< done in this run
  double seconds = 0;      ///< for the steps, output included
  md::ThermoRow first;
  md::ThermoRow last;
};

[[nodiscard]] double atom_steps_per_second(const RunResult& result, std::int64_t atoms);

/// Everything about a finished run.
[[nodiscard]] nlohmann::ordered_json summary_of(const cases::Case& c, const md::Units& units,
                                                const Context& context,
                                                const md::Simulation& simulation,
                                                const RunResult& result);

/// Tables of the terminal.
void print_start(const cases::Case& c, const md::Units& units, const Context& context,
                 const md::Simulation& simulation);
void print_thermo_titles(const md::ThermoRow& like, const md::Units& units);
void print_thermo(const md::ThermoRow& row, std::int64_t atoms);
void print_end(const md::Simulation& simulation, const RunResult& result,
               const std::filesystem::path& folder);

}  // namespace tessera::command_line
