#include "tests/campaigns/outside_input.hpp"

#include "apps/tessera/case/read_case.hpp"
#include "core/base/error.hpp"
#include "core/base/input_file.hpp"
#include "core/case/case_registry.hpp"
#include "core/state/saved_choices.hpp"
#include "core/trials/trial_line.hpp"
#include "physics/md/case/run_setup.hpp"
#include "physics/md/case/system_section.hpp"
#include "physics/md/io/extended_xyz.hpp"
#include "physics/md/io/id_index.hpp"
#include "physics/md/io/lammps_data.hpp"
#include "physics/md/io/restart.hpp"
#include "physics/md/io/table_file.hpp"
#include "physics/pic/case/bunch_section.hpp"
#include "physics/pic/case/lattice_section.hpp"
#include "physics/pic/case/tracking_setup.hpp"
#include "physics/pic/io/bunch_table.hpp"
#include "physics/pic/io/openpmd_read.hpp"
#include "physics/pic/simulation/tracking_restart.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tessera::campaign {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw Fault(std::string("accepted, but ") + what);
}

template <class Values>
bool all_finite(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

void check_system(const md::System& system) {
  const auto atoms = static_cast<std::size_t>(system.size());
  require(!find_fault(system.box), "the box has a fault");
  require(!md::find_plane_fault(system), "what has two dimensions is no plane");
  for (const md::AtomType& type : system.types)
    require(type.mass > 0 && std::isfinite(type.mass), "a mass is no mass");
  require(system.ids.size() == atoms && system.positions.size() == atoms, "a column is short");
  for (const std::size_t size : {system.images.size(), system.velocities.size(),
                                 system.charges.size(), system.molecules.size()})
    require(size == 0 || size == atoms, "an optional column is short");
  for (const std::int32_t type : system.type)
    require(type >= 0 && type < std::ssize(system.types), "a type is out of range");
  for (const auto& position : system.positions)
    require(all_finite(position), "a position is not finite");
  for (const auto& velocity : system.velocities)
    require(all_finite(velocity), "a velocity is not finite");
  require(all_finite(system.charges), "a charge is not finite");
  require(!md::IdIndex(system.ids).duplicate(), "two atoms have one id");
  for (const md::PairCoefficient& pair : system.pair_coefficients) {
    require(std::min(pair.type_i, pair.type_j) >= 0 &&
                std::max(pair.type_i, pair.type_j) < std::ssize(system.types),
            "a pair of types is out of range");
    for (const auto& [name, value] : pair.values)
      require(std::isfinite(value), "a pair coefficient is not finite");
  }
  for (const md::Bond& bond : system.bonds) {
    for (const std::int32_t atom : bond.atoms)
      require(atom >= 0 && atom < system.size(), "a bond has no atom");
    require(bond.type >= 0 && bond.type < system.bond_types, "a bond has no type");
  }
  for (const md::BondCoefficient& bond : system.bond_coefficients)
    require(all_finite(bond.values), "a bond coefficient is not finite");
}

/// Whether a case is small enough for a campaign; large bunches and long lattices are no faults.
bool is_small_beam(const cases::Case& c) {
  constexpr std::int64_t most = 100000;
  const auto& lattice = c.get<pic::LatticeSection>();
  const auto elements =
      std::max(std::ssize(lattice.elements), std::ssize(lattice.sequence)) * lattice.repeat;
  double kicks = static_cast<double>(lattice.kicks.value_or(1));
  for (const pic::ElementEntry& element : lattice.elements) {
    kicks = std::max(kicks, static_cast<double>(element.kicks.value_or(0)));
    if (lattice.kick_length)
      for (const auto& [key, value] : element.numbers)
        if (key == "length") kicks = std::max(kicks, std::abs(value) / *lattice.kick_length);
  }
  return c.get<pic::BunchSection>().particles < most && lattice.repeat < most &&
         static_cast<double>(elements) * kicks < static_cast<double>(most);
}

void check_beam(const pic::TrackingSetup& setup) {
  require(all_finite(setup.bunch.coordinates), "a coordinate of the bunch is not finite");
  require(std::isfinite(setup.options.macro_charge), "the charge is not finite");
  require(std::isfinite(setup.plan.length), "the length of the lattice is not finite");
  const double momentum = setup.plan.reference.beta_gamma;
  require(momentum > 0 && std::isfinite(momentum), "the reference particle has no momentum");
}

bool is_small(const cases::Case& c) {
  const auto* const system = c.find<md::SystemSection>();
  if (system == nullptr || !system->lattice) return true;
  double cells = 1;
  for (const auto count : system->cells)
    cells *= static_cast<double>(count);
  return cells < 10000;
}

void read_case(const std::filesystem::path& path) {
  const cases::Case c = app::read_case(path);
  static_cast<void>(cases::case_registry().effective_toml(c));
  if (c.kind == "pic") {
    if (is_small_beam(c)) check_beam(pic::set_up_tracking(c));
    return;
  }
  if (!is_small(c)) return;
  check_system(md::set_up_run(c).initial.system);
}

void read_data(const std::filesystem::path& path) {
  // Reads the file for a caller with own coefficients, for whom unsuitable ones in the file are no
  // error, and then for one without.
  md::LammpsDataOptions own;
  own.own_pairs = true;
  own.own_bonds = true;
  check_system(md::read_lammps_data(path, own));
  check_system(md::read_lammps_data(path));
}

void read_xyz(const std::filesystem::path& path) {
  for (const std::optional<std::int64_t> frame : {std::optional<std::int64_t>{}, {0}, {-1}}) {
    md::ExtendedXyzOptions options;
    options.frame = frame;
    check_system(md::read_extended_xyz(path, options));
  }
}

void read_restart(const std::filesystem::path& path) {
  const md::Restart restart = md::read_restart(path);
  check_system(restart.system);
  require(restart.clock.step() >= 0, "the step is below zero");
  require(std::isfinite(restart.clock.time()), "the time is not finite");
  static_cast<void>(load_scalars(restart.file));
}

/// Reads a restart file of the sample beam, with nine steps per turn.
void read_beam(const std::filesystem::path& path) {
  const RestartFile file = RestartFile::read(path);
  const pic::HostBunch bunch = pic::Tracking::bunch_of(file);
  require(all_finite(bunch.coordinates) && all_finite(bunch.weights), "a particle is not finite");
  pic::TrackingPlan plan;
  plan.steps.resize(9);
  const pic::TrackingNumbers numbers = pic::load_tracking(file, plan);
  require(numbers.step >= 0 && numbers.kick.kicks >= 0, "a count is below zero");
  static_cast<void>(load_choices(file));
}

void read_table(const std::filesystem::path& path) {
  for (const auto forces : {md::TableForces::file, md::TableForces::checked}) {
    const md::TabulatedPair table = md::read_pair_table_file(path, "LJ", forces);
    try {
      md::check_tabulated_pair(table);
    } catch (const ArgumentError& error) {
      throw Fault(std::string("accepted, but ") + error.what());
    }
  }
}

void read_trial(const std::filesystem::path& path) {
  static_cast<void>(trial_spec(registry(), read_file(path), {path.string(), 1, {}, {}}));
}

void check_bunch(const pic::BunchRows& rows) {
  const std::size_t particles = rows.coordinates.size() / 6;
  require(rows.coordinates.size() == 6 * particles, "a row is short");
  require(all_finite(rows.coordinates), "a coordinate is not finite");
  require(rows.weights.empty() || rows.weights.size() == particles, "weights are missing");
  require(all_finite(rows.weights), "a weight is not finite");
  require(rows.ids.empty() || rows.ids.size() == particles, "ids are missing");
}

void read_bunch(const std::filesystem::path& path) {
  for (const auto coordinates :
       {pic::LongitudinalCoordinates::cdt_dpop, pic::LongitudinalCoordinates::t_pt})
    check_bunch(pic::read_bunch_table(path, pic::ReferenceParticle{2}, coordinates));
}

void read_openpmd(const std::filesystem::path& path) {
  for (const auto coordinates :
       {pic::LongitudinalCoordinates::cdt_dpop, pic::LongitudinalCoordinates::t_pt}) {
    pic::OpenPmdQuery query;
    query.accelerator = coordinates;
    query.reference = pic::ReferenceParticle{2};
    query.rest_energy = 938.272e6;
    query.charge_state = 1;
    if (coordinates == pic::LongitudinalCoordinates::t_pt) query.snapshot = pic::Snapshot::as_it_is;
    const pic::BunchFromFile bunch = pic::read_openpmd(path, query);
    check_bunch(bunch);
    const pic::BeamReference& reference = bunch.reference;
    require(reference.particle.beta_gamma > 0 && reference.rest_energy > 0,
            "the reference particle is none");
    require(all_finite(std::vector<double>{reference.particle.beta_gamma, reference.rest_energy,
                                           reference.charge_state, reference.path, bunch.time,
                                           bunch.particles_per_weight}),
            "a number is not finite");
    require(bunch.particles_per_weight >= 0, "a weight stands for less than nothing");
  }
}

void check_message(const std::string& message, const std::filesystem::path& path) {
  constexpr std::size_t most = 5000;
  if (message.size() > most)
    throw Fault("a message of " + std::to_string(message.size()) + " bytes");
  if (std::any_of(message.begin(), message.end(),
                  [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw Fault("control characters in: " + message);
  if (message.find(path.filename().string()) == std::string::npos &&
      message.find(path.parent_path().string()) == std::string::npos)
    throw Fault("no file is named in: " + message);
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {"beam", read_beam},       {"bunch", read_bunch}, {"case", read_case},
      {"data", read_data},       {"extxyz", read_xyz},  {"openpmd", read_openpmd},
      {"restart", read_restart}, {"table", read_table}, {"trial", read_trial}};
  return all;
}

const Format& format(std::string_view name) {
  for (const Format& candidate : formats())
    if (candidate.name == name) return candidate;
  throw std::out_of_range("no such format: " + std::string(name));
}

Outcome read_outside_input(const Format& format, const std::filesystem::path& path) {
  try {
    format.read(path);
    return {true, {}};
  } catch (const InputError& error) {
    check_message(error.what(), path);
    return {false, error.what()};
  } catch (const Fault&) {
    throw;
  } catch (const std::exception& error) {
    throw Fault(std::string("no error for users: ") + error.what());
  }
}

}  // namespace tessera::campaign
