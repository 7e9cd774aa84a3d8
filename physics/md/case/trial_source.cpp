#include "physics/md/case/trial_source.hpp"

#include "physics/md/atoms_source.hpp"
#include "physics/md/case/integrator_section.hpp"
#include "physics/md/case/run_setup.hpp"
#include "physics/md/pair_force/pair_force_cases.hpp"
#include "physics/md/simulation/small_tilts.hpp"

#include <array>
#include <utility>
#include <vector>

namespace tessera::md {
namespace {

TrialSource::Column flat(const std::vector<std::array<double, 3>>& rows) {
  TrialSource::Column column{3, {}};
  for (const auto& row : rows)
    column.values.insert(column.values.end(), row.begin(), row.end());
  return column;
}

}  // namespace

std::unique_ptr<TrialSource> trial_source(const cases::Case& c) {
  RunSetup setup = set_up_run(c);
  System& system = setup.initial.system;
  // With large tilts coordinates become large and lose more digits than trials of kernels tolerate.
  make_tilts_small(system);
  auto source = std::make_unique<AtomsSource>();
  source->name = c.path.filename().string();
  source->items = system.size();
  source->columns["positions"] = flat(system.positions);
  source->columns["velocities"] = flat(system.velocities);
  TrialSource::Column& mass = source->columns["mass"];
  for (const std::int32_t type : system.type)
    mass.values.push_back(system.types[static_cast<std::size_t>(type)].mass);
  for (const AtomType& type : system.types)
    source->force_to_accel.push_back(setup.units->force_to_accel / type.mass);
  source->box = system.box;
  source->types = system.type;
  source->time_step = setup.options.time_step;
  // Fused steps include all terms and integrators of cases; trials time those of the pairs alone.
  source->fused_steps = setup.options.rebuild_every == 0;
  source->determinism = setup.options.determinism;
  auto pair = std::make_shared<PairForceCase>();
  pair->name = source->name;
  pair->box = system.box;
  pair->positions = source->positions();
  pair->types = setup.pair.classes.empty() ? system.type : setup.pair.classes;
  pair->coefficients = setup.pair.coefficients;
  if (pair->coefficients.potential().reads(AtomData::charge)) pair->charges = system.charges;
  pair->excluded_from = setup.pair.exclusions.offsets;
  pair->excluded = setup.pair.exclusions.partners;
  pair->skin = setup.pair.skin;
  source->pair = std::move(pair);
  return source;
}

}  // namespace tessera::md
