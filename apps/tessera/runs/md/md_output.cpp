#include "apps/tessera/runs/md/md_output.hpp"

#include "core/base/error.hpp"
#include "physics/md/case/continued_case.hpp"
#include "physics/md/case/restart_section.hpp"
#include "physics/md/case/run_section.hpp"
#include "physics/md/case/thermo_section.hpp"
#include "physics/md/case/trajectory_section.hpp"
#include "physics/md/case/units_section.hpp"
#include "physics/md/io/restart.hpp"

#include <algorithm>
#include <utility>

namespace tessera::command_line {
namespace {

/// Indices of the columns that the frames contain, each once.
std::vector<std::size_t> frame_columns(const cases::Case& c, const Columns& columns) {
  const auto& section = c.get<md::TrajectorySection>();
  std::vector<std::string> names;
  if (section.velocities) names.emplace_back("velocities");
  if (section.forces) names.emplace_back("forces");
  if (section.images) names.emplace_back("images");
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

/// Adds energies and stresses by atom, which no step needs and which are computed for this frame.
void add_by_atom(const md::TrajectorySection& section, md::Simulation& simulation,
                 std::vector<HostColumn>& columns) {
  if (!section.energies && !section.stresses) return;
  md::AtomThermo atoms = simulation.by_atom();
  if (section.energies) columns.push_back({"energies", 1, std::move(atoms.energies)});
  if (!section.stresses) return;
  std::vector<double> components;
  components.reserve(6 * atoms.stresses.size());
  for (const auto& stress : atoms.stresses)
    components.insert(components.end(), stress.begin(), stress.end());
  columns.push_back({"stress_volume", 6, std::move(components)});
}

}  // namespace

std::vector<RunFile> md_files(const cases::Case& c) {
  std::vector<RunFile> files;
  files.push_back({"thermo.file", c.get<md::ThermoSection>().file});
  if (c.get<md::TrajectorySection>().every > 0)
    files.push_back({"trajectory.file", c.get<md::TrajectorySection>().file});
  files.push_back({"restart.file", c.get<md::RestartSection>().file});
  return files;
}

void check_formats(const cases::Case& c, const std::vector<md::AtomType>& types) {
  const std::string file = c.path.string();
  for (const md::AtomType& type : types) {
    try {
      static_cast<void>(nlohmann::json(type.name).dump());
    } catch (const nlohmann::json::exception&) {
      throw InputError({file, 0, "types", {}},
                       "the name of a type is not UTF-8, the encoding of summary.json");
    }
  }
  if (c.get<md::TrajectorySection>().every == 0) return;
  try {
    md::ExtendedXyzWriter::check_types(types);
  } catch (const ArgumentError& error) {
    throw InputError({file, 0, "trajectory.every", {}}, error.what());
  }
}

MdOutput::MdOutput(const cases::Case& c, const md::Units& units, md::Simulation& simulation,
                   const RunFolder& folder, RunStreams streams)
    : case_(c),
      frame_columns_(frame_columns(c, simulation.columns())),
      folder_(folder),
      streams_(folder.goes_on() ? std::move(streams) : RunStreams()) {
  const std::string& thermo = c.get<md::ThermoSection>().file;
  const std::string& trajectory = c.get<md::TrajectorySection>().file;
  const bool frames = c.get<md::TrajectorySection>().every > 0;
  check_stream(folder_.path() / thermo, streams_.last(thermo));
  if (frames) check_stream(folder_.path() / trajectory, streams_.last(trajectory));
  // RunFolder ensures that existing files belong to this run.
  const auto opened = [&](const std::string& name) {
    return OutputFile(folder_.path() / name, OutputFile::Mode::append);
  };
  thermo_goes_on_ = streams_.has(thermo);
  thermo_.emplace(opened(thermo), units, simulation.thermo());
  if (frames) trajectory_.emplace(opened(trajectory), simulation.types());
  const auto go_to_mark = [&](const std::string& name, OutputFile& file, std::int64_t begin) {
    const std::int64_t size = std::max(begin, streams_.last(name).size);
    if (file.size() > size) file.cut_back(size);
    streams_.add(name, {streams_.last(name).step, file.size()});
  };
  go_to_mark(thermo, thermo_->file(), thermo_->header_size());
  if (frames) go_to_mark(trajectory, trajectory_->file(), 0);
}

void MdOutput::write_thermo(const md::ThermoRow& row) {
  const std::string& name = case_.get<md::ThermoSection>().file;
  if (row.step <= streams_.last(name).step) return;
  thermo_->write(row);
  streams_.add(name, {row.step, thermo_->file().size()});
}

void MdOutput::write_frame(md::Simulation& simulation, const md::ThermoRow& row) {
  const std::string& name = case_.get<md::TrajectorySection>().file;
  if (!trajectory_ || row.step <= streams_.last(name).step) return;
  const md::System system = simulation.system();
  md::ExtendedXyzWriter::Frame frame;
  frame.box = system.box;
  frame.step = row.step;
  frame.time = row.time;
  frame.potential_energy = row.potential_energy;
  frame.ase_velocity = md::units_of(case_).ase_velocity;
  if (row.terms.size() > 1)
    for (const md::TermEnergy& term : row.terms)
      frame.energies.emplace_back("energy_" + term.term, term.energy);
  frame.ids = system.ids;
  frame.type = system.type;
  frame.positions = system.positions;
  for (const std::size_t index : frame_columns_)
    frame.columns.push_back(simulation.columns().host_column(index));
  add_by_atom(case_.get<md::TrajectorySection>(), simulation, frame.columns);
  trajectory_->write(frame);
  streams_.add(name, {row.step, trajectory_->file().size()});
}

std::filesystem::path MdOutput::restart_path() const {
  return folder_.path() / case_.get<md::RestartSection>().file;
}

void MdOutput::write_restart(const md::Simulation& simulation) {
  RestartFile file;
  md::put_description(file, std::string(md::units_of(case_).name), simulation.description());
  file.put_text(cases::physics_field, md::physics_of(case_));
  simulation.save(file);
  file.put_text("run.identity", folder_.identity());
  streams_.save(file, simulation.clock().step());
  // The restart file must not outlive the rows that it refers to, so the streams are synchronized
  // first.
  thermo_->file().synchronize();
  if (trajectory_) trajectory_->file().synchronize();
  file.write(restart_path());
}

double atom_steps_per_second(const RunResult& result, std::int64_t atoms) {
  if (!(result.seconds > 0)) return 0;
  return static_cast<double>(result.steps) * static_cast<double>(atoms) / result.seconds;
}

}  // namespace tessera::command_line
