#include "run_output.hpp"

#include <algorithm>
#include <tessera/core/base/atomic_file.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/md/case/restart_section.hpp>
#include <tessera/md/case/run_section.hpp>
#include <tessera/md/case/thermo_section.hpp>
#include <tessera/md/case/trajectory_section.hpp>
#include <tessera/md/case/units_section.hpp>
#include <tessera/md/io/restart.hpp>
#include <utility>

namespace tessera::command_line {
namespace {

/// The columns that frames have, each once.
std::vector<std::size_t> frame_columns(const cases::Case& c, const Columns& columns) {
  const auto& section = c.get<md::TrajectorySection>();
  std::vector<std::string> names;
  if (section.velocities) names.emplace_back("velocities");
  if (section.forces) names.emplace_back("forces");
  names.insert(names.end(), section.columns.begin(), section.columns.end());
  std::vector<std::size_t> indices;
  for (const std::string& name : names) {
    try {
      const std::size_t index = columns.find(name);
      if (std::find(indices.begin(), indices.end(), index) == indices.end())
        indices.push_back(index);
    } catch (const SelectionError& error) {
      throw InputError({c.path.string(), 0, "trajectory.columns", name}, error.what());
    }
  }
  return indices;
}

std::filesystem::path made(std::filesystem::path folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "creating", error.message());
  return folder;
}

}  // namespace

RunOutput::RunOutput(const cases::Case& c, const md::Units& units, md::Simulation& simulation,
                     std::filesystem::path folder)
    : case_(c),
      frame_columns_(frame_columns(c, simulation.columns())),
      folder_(made(std::move(folder))) {
  const auto mode_of = [&](const std::filesystem::path& path, bool& skip) {
    skip = simulation.clock().step() > 0 && std::filesystem::exists(path);
    return skip ? OutputFile::Mode::append : OutputFile::Mode::replace;
  };
  // The first row and frame of a continued run are the last ones of the run before.
  const std::filesystem::path thermo = folder_ / c.get<md::ThermoSection>().file;
  const OutputFile::Mode thermo_mode = mode_of(thermo, skip_first_row_);
  thermo_.emplace(thermo, units, thermo_mode, simulation.thermo());
  if (c.get<md::TrajectorySection>().every > 0) {
    const std::filesystem::path trajectory = folder_ / c.get<md::TrajectorySection>().file;
    const OutputFile::Mode trajectory_mode = mode_of(trajectory, skip_first_frame_);
    trajectory_.emplace(trajectory, simulation.types(), trajectory_mode);
  }
}

void RunOutput::write_thermo(const md::ThermoRow& row) {
  if (!std::exchange(skip_first_row_, false)) thermo_->write(row);
}

void RunOutput::write_frame(const md::Simulation& simulation, const md::ThermoRow& row) {
  if (!trajectory_ || std::exchange(skip_first_frame_, false)) return;
  const md::System system = simulation.system();
  md::ExtendedXyzWriter::Frame frame;
  frame.box = system.box;
  frame.step = row.step;
  frame.time = row.time;
  frame.potential_energy = row.potential_energy;
  if (row.terms.size() > 1)
    for (const md::TermEnergy& term : row.terms)
      frame.energies.emplace_back("energy_" + term.term, term.energy);
  frame.ids = system.ids;
  frame.type = system.type;
  frame.positions = system.positions;
  for (const std::size_t index : frame_columns_)
    frame.columns.push_back(simulation.columns().host_column(index));
  trajectory_->write(frame);
}

std::filesystem::path RunOutput::restart_path() const {
  return folder_ / case_.get<md::RestartSection>().file;
}

void RunOutput::write_restart(const md::Simulation& simulation) const {
  RestartFile file;
  md::put_description(file, std::string(md::units_of(case_).name), simulation.description());
  simulation.save(file);
  file.write(restart_path());
}

void RunOutput::write_summary(const nlohmann::ordered_json& summary) const {
  write_file_atomically(folder_ / "summary.json", summary.dump(2) + "\n");
}

double atom_steps_per_second(const RunResult& result, std::int64_t atoms) {
  if (!(result.seconds > 0)) return 0;
  return static_cast<double>(result.steps) * static_cast<double>(atoms) / result.seconds;
}

}  // namespace tessera::command_line
