#include "run_setup.hpp"

#include <tessera/core/base/error.hpp>
#include <tessera/md/atoms_source.hpp>
#include <tessera/md/case/build_pair_table.hpp>
#include <tessera/md/case/neighbor_section.hpp>
#include <tessera/md/case/pair_section.hpp>
#include <tessera/md/case/run_section.hpp>
#include <tessera/md/case/step_parts.hpp>
#include <tessera/md/case/units_section.hpp>
#include <tessera/md/pair_force/pair_force_cases.hpp>

#include "selection_options.hpp"

namespace tessera::command_line {
namespace {

/// Names the place in the case where a wrong name or value was written.
template <class Action>
void at(const cases::Origin& origin, const std::string& field, const Action& action) {
  try {
    action();
  } catch (const SelectionError& error) {
    throw InputError({origin.file, origin.line, field, {}}, error.what());
  } catch (const InputError& error) {
    throw InputError({origin.file, origin.line, field, error.where().value}, error.expected());
  }
}

}  // namespace

Choices choices_of(const cases::Case& c) {
  Choices choices = *configured_choices();
  for (const auto& [operation, entry] : c.selection)
    at(entry.origin, "selection." + operation,
       [&] { choices.choose(registry(), operation, entry.implementation); });
  for (const auto& [operation, parameters] : c.parameters)
    for (const auto& [text, parameter] : parameters) {
      const std::string field = "parameters." + operation + "." + text;
      const KnobName name = knob_name(text);
      at(parameter.origin, field, [&] {
        choices.set_knob(registry(), operation, name.implementation, name.knob, parameter.value);
      });
    }
  return choices;
}

RunSetup set_up_run(const cases::Case& c) {
  RunSetup setup;
  setup.units = &md::units_of(c);
  setup.options.precision = c.precision;
  setup.options.time_step = c.get<md::RunSection>().time_step;
  setup.options.rebuild_every = c.get<md::NeighborSection>().every;
  setup.initial = md::build_system(c);
  setup.pair = {md::build_pair_table(c, setup.initial.system), c.get<md::NeighborSection>().skin};
  try {
    setup.parts = md::build_step_parts(c, setup.initial.system, setup.pair, setup.initial.warnings);
  } catch (const ParticleError& error) {
    throw InputError({c.path.string(), 0, "bond", {}}, error.what());
  }
  return setup;
}

std::unique_ptr<TrialSource> trial_source_of(const cases::Case& c) {
  const RunSetup setup = set_up_run(c);
  const md::System& system = setup.initial.system;
  auto source = std::make_unique<md::AtomsSource>();
  source->name = c.path.filename().string();
  source->items = system.size();
  const auto flat = [](const std::vector<std::array<double, 3>>& rows) {
    TrialSource::Column column{3, {}};
    for (const auto& row : rows)
      column.values.insert(column.values.end(), row.begin(), row.end());
    return column;
  };
  source->columns["positions"] = flat(system.positions);
  source->columns["velocities"] = flat(system.velocities);
  TrialSource::Column& mass = source->columns["mass"];
  for (const std::int32_t type : system.type)
    mass.values.push_back(system.types[static_cast<std::size_t>(type)].mass);
  for (const md::AtomType& type : system.types)
    source->force_to_accel.push_back(setup.units->force_to_accel / type.mass);
  source->box = system.box;
  source->types = system.type;
  source->time_step = c.get<md::RunSection>().time_step;
  auto pair = std::make_shared<md::PairForceCase>();
  pair->name = source->name;
  pair->box = system.box;
  pair->positions = source->positions();
  pair->types = system.type;
  pair->coefficients = setup.pair.coefficients;
  if (pair->coefficients.form().reads_charge()) pair->charges = system.charges;
  pair->skin = c.get<md::NeighborSection>().skin;
  source->pair = std::move(pair);
  return source;
}

}  // namespace tessera::command_line
