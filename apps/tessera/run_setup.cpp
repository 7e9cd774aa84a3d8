#include "run_setup.hpp"

#include <tessera/core/base/error.hpp>
#include <tessera/md/atoms_source.hpp>
#include <tessera/md/pair_force/pair_force_cases.hpp>
#include <variant>

#include "selection_options.hpp"

namespace tessera::command_line {
namespace {

KnobValue knob_value(const std::string& field, const app::Parameter& parameter) {
  if (const auto* integer = std::get_if<std::int64_t>(&parameter.value)) return *integer;
  if (const auto* real = std::get_if<double>(&parameter.value)) return *real;
  if (const auto* flag = std::get_if<bool>(&parameter.value)) return std::int64_t{*flag};
  throw InputError({parameter.origin.file, parameter.origin.line, field,
                    '"' + std::get<std::string>(parameter.value) + '"'},
                   "expected a number");
}

/// Names the place in the case where a wrong name was written.
template <class Action>
void at(const app::Origin& origin, const std::string& field, const Action& action) {
  try {
    action();
  } catch (const SelectionError& error) {
    throw InputError({origin.file, origin.line, field, {}}, error.what());
  }
}

}  // namespace

Choices choices_of(const app::Case& c) {
  Choices choices = *configured_choices();
  for (const auto& [operation, entry] : c.selection)
    at(entry.origin, "selection." + operation,
       [&] { choices.choose(registry(), operation, entry.implementation); });
  for (const auto& [operation, parameters] : c.parameters)
    for (const auto& [text, parameter] : parameters) {
      const std::string field = "parameters." + operation + "." + text;
      const KnobName name = knob_name(text);
      at(parameter.origin, field, [&] {
        choices.set_knob(registry(), operation, name.implementation, name.knob,
                         knob_value(field, parameter));
      });
    }
  return choices;
}

RunSetup set_up_run(const app::Case& c) {
  RunSetup setup;
  setup.units = &md::units_from_name(c.units);
  setup.options.precision = c.precision;
  setup.options.time_step = c.run.time_step;
  setup.options.skin = c.neighbor.skin;
  setup.options.rebuild_every = c.neighbor.every;
  setup.initial = app::build_system(c);
  setup.coefficients = app::build_pair_table(c, setup.initial.system);
  return setup;
}

std::unique_ptr<TrialSource> trial_source_of(const app::Case& c) {
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
  source->time_step = c.run.time_step;
  auto pair = std::make_shared<md::PairForceCase>();
  pair->name = source->name;
  pair->box = system.box;
  pair->positions = source->positions();
  pair->types = system.type;
  pair->coefficients = setup.coefficients;
  if (pair->coefficients.form().reads_charge()) pair->charges = system.charges;
  pair->skin = c.neighbor.skin;
  source->pair = std::move(pair);
  return source;
}

}  // namespace tessera::command_line
