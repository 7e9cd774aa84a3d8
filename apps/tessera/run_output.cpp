#include "run_output.hpp"

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

std::filesystem::path made(std::filesystem::path folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "creating", error.message());
  return folder;
}

}  // namespace

RunOutput::RunOutput(const cases::Case& c, const md::Units& units, md::Simulation& simulation,
                     std::filesystem::path folder)
    : case_(c), folder_(made(std::move(folder))) {
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
    trajectory_.emplace(trajectory, simulation.types(),
                        md::ExtendedXyzWriter::Columns{c.get<md::TrajectorySection>().velocities,
                                                       c.get<md::TrajectorySection>().forces},
                        trajectory_mode);
  }
}

void RunOutput::write_thermo(const md::ThermoRow& row) {
  if (!std::exchange(skip_first_row_, false)) thermo_->write(row);
}

void RunOutput::write_frame(const md::Simulation& simulation, const md::ThermoRow& row) {
  if (!trajectory_ || std::exchange(skip_first_frame_, false)) return;
  const md::System system = simulation.system();
  const std::vector<std::array<double, 3>> forces = case_.get<md::TrajectorySection>().forces
                                                        ? simulation.forces()
                                                        : std::vector<std::array<double, 3>>{};
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
  if (case_.get<md::TrajectorySection>().velocities) frame.velocities = system.velocities;
  frame.forces = forces;
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
