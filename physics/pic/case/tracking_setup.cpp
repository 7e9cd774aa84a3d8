#include "physics/pic/case/tracking_setup.hpp"

#include "core/base/error.hpp"
#include "core/base/lost_warnings.hpp"
#include "core/base/physical_memory.hpp"
#include "core/case/continued_case.hpp"
#include "physics/pic/case/beam_section.hpp"
#include "physics/pic/case/bunch_moments_of.hpp"
#include "physics/pic/case/bunch_of_file.hpp"
#include "physics/pic/case/bunch_section.hpp"
#include "physics/pic/case/lattice_section.hpp"
#include "physics/pic/case/run_section.hpp"
#include "physics/pic/case/space_charge_section.hpp"
#include "physics/pic/physical_constants.hpp"
#include "physics/pic/simulation/tracking_restart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tessera::pic {
namespace {

using cases::Case;

[[noreturn]] void refuse_key(const cases::Origin& origin, const std::string& key,
                             const std::string& value, const std::string& message) {
  throw InputError({origin.file, origin.line, key, value}, message);
}

/// Length along the beam over which a current is spread; 0 if the case gives none.
double length_of_charge(const Case& c) {
  const auto* const space_charge = c.find<SpaceChargeSection>();
  if (space_charge != nullptr && space_charge->period) return *space_charge->period;
  return c.get<BunchSection>().length.value_or(0);
}

/// Checks only that the bunch fits in host memory: a device reports its own lack of memory.
void check_memory(const BunchSection& section) {
  // Coordinates in double, their copies on the way to a device and as rows, ids and flags.
  constexpr std::int64_t bytes_of_particle = 6 * 8 * 3 + 4 * 8;
  const std::int64_t most = physical_memory_bytes() / bytes_of_particle;
  if (section.particles > most)
    refuse_key(
        section.origin, "bunch.particles", std::to_string(section.particles),
        "more than the memory of this machine holds, expected at most " + std::to_string(most));
}

HostBunch generated_bunch(const Case& c, const BeamLine& line) {
  const auto& section = c.get<BunchSection>();
  check_memory(section);
  BunchDescription description;
  description.kind = section.kind;
  description.particles = section.particles;
  description.seed = section.seed;
  description.cutoff = section.cutoff;
  description.match_moments = section.match_moments;
  std::copy(section.mean.begin(), section.mean.end(), description.mean);
  set_covariance(section, line, description);
  try {
    return {generate_bunch(description), {}, {}, {}};
  } catch (const ArgumentError& error) {
    refuse_key(section.origin, "bunch", "", error.what());
  }
}

/// Checks the cells of a fixed domain, which does not depend on the bunch; kicks check those of
/// others.
void check_point_cells(const SpaceChargeSection& section, const SpaceChargeOptions& kick) {
  const DomainRule& rule = kick.domain;
  if (kick.green != GreenKind::point || kick.walls || rule.kind != DomainKind::fixed) return;
  double spacing[3];
  double nodes[3];
  for (int a = 0; a < 3; ++a) {
    nodes[a] = static_cast<double>(rule.nodes[a]);
    spacing[a] = (a == 2 && rule.periodic_z ? rule.period : rule.size[a]) / nodes[a];
  }
  const double stretch = stretch_of_cells(
      spacing, rule.periodic_z ? PoissonBoundary::periodic_z : PoissonBoundary::open);
  const double longest = longest_point_cell(nodes);
  if (stretch > longest)
    refuse_key(section.origin, "space_charge.green", "point",
               refusal_of_point_cells(stretch, longest));
}

/// \param charge_of_file charge of a macro-particle of weight 1 according to the bunch's file; 0:
/// unknown.
TrackingOptions options_of(const Case& c, double particles, double charge_of_file) {
  const auto& beam = c.get<BeamSection>();
  TrackingOptions options;
  options.precision = c.precision;
  options.rest_energy = beam.rest_energy();
  options.charge_state = beam.charge_state();
  options.determinism = c.get<RunSection>().determinism;
  const auto* const space_charge = c.find<SpaceChargeSection>();
  options.space_charge = space_charge != nullptr && space_charge->enabled;
  if (space_charge != nullptr) options.kick = space_charge->options(beam.reference().gamma());
  if (options.space_charge) check_point_cells(*space_charge, options.kick);
  if (options.space_charge && !beam.has_intensity() && charge_of_file == 0)
    refuse_key(beam.origin, "beam.particles", "",
               "missing key, expected particles, bunch_charge or current: the charge of the bunch "
               "for [space_charge]");
  const double length = length_of_charge(c);
  if (beam.current && length == 0)
    refuse_key(beam.origin, "beam.current", cases::text_of(*beam.current),
               "expected bunch.length or space_charge.period beside it, over which it is spread");
  options.macro_charge =
      beam.has_intensity() ? beam.total_charge(length) / particles : charge_of_file;
  if (!std::isfinite(options.macro_charge))
    refuse_key(beam.origin, "beam", "", "the charge of a macro-particle is not finite");
  return options;
}

void read_restart_file(const Case& c, const BunchSection& section, TrackingSetup& setup) {
  const std::filesystem::path path = section.restart.path;
  setup.inputs.push_back({"bunch.restart", path});
  RestartFile file = RestartFile::read(path);
  if (!file.has("line.steps"))
    throw InputError({path.string(), 0, "line.steps", {}},
                     "expected a restart file of a beam, this one is of another kind");
  if (file.has(cases::physics_field))
    for (const std::string& line :
         cases::differences(file.text(cases::physics_field), physics_of(c)))
      setup.warnings.push_back(path.string() + ": " + line);
  setup.continued = std::move(file);
}

}  // namespace

TrackingSetup set_up_tracking(const Case& c) {
  if (c.kind != "pic")
    throw InputError({c.path.string(), 0, "kind", c.kind},
                     "no beam is tracked in cases of this kind, expected pic");
  const auto& beam = c.get<BeamSection>();
  const auto& section = c.get<BunchSection>();
  const auto& lattice = c.get<LatticeSection>();
  TrackingSetup setup;
  const LostWarnings lost(setup.warnings);
  const BuiltLattice built =
      build_lattice(lattice, {beam.rest_energy(), beam.charge_state(), beam.reference()});
  setup.plan = tracking_plan(built.line, built.kicks);
  auto particles = static_cast<double>(section.particles);
  double charge_of_file = 0;
  if (!section.restart.empty()) {
    read_restart_file(c, section, setup);
    setup.begun = load_tracking(*setup.continued, setup.plan).step;
    particles = total_weight(Tracking::bunch_of(*setup.continued));
  } else if (!section.file.empty()) {
    BunchOfFile read = bunch_of_file(c);
    setup.inputs.push_back({"bunch.file", read.path});
    setup.warnings = std::move(read.warnings);
    setup.bunch = std::move(read.bunch);
    particles = total_weight(setup.bunch);
    charge_of_file = read.particles_per_weight * beam.charge_state() * elementary_charge;
  } else {
    setup.bunch = generated_bunch(c, built.line);
  }
  setup.options = options_of(c, particles, charge_of_file);
  const std::int64_t turns = c.get<RunSection>().turns;
  if (turns > std::int64_t{1} << 40)
    throw InputError({c.path.string(), 0, "run.turns", std::to_string(turns)},
                     "expected at most 2^40");
  const std::int64_t steps_of_turn = setup.plan.steps_of_turn();
  setup.steps = turns == 0 ? 0 : turns * steps_of_turn - setup.begun % steps_of_turn;
  return setup;
}

std::string physics_of(const Case& c) {
  constexpr std::array<std::string_view, 5> physical = {"precision", "beam.", "lattice.",
                                                        "space_charge.", "run.determinism"};
  return cases::physics_of(c, physical);
}

}  // namespace tessera::pic
