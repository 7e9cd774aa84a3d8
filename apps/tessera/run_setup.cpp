#include "run_setup.hpp"

#include <tessera/core/base/error.hpp>
#include <variant>

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

Selection selection_of(const app::Case& c) {
  Selection selection = Selection::configured(registry());
  for (const auto& [operation, choice] : c.selection)
    at(choice.origin, "selection." + operation,
       [&] { selection.set(registry(), operation, choice.implementation); });
  for (const auto& [operation, parameters] : c.parameters)
    for (const auto& [name, parameter] : parameters) {
      const std::string field = "parameters." + operation + "." + name;
      at(parameter.origin, field, [&] {
        selection.set_parameter(registry(), operation, name, knob_value(field, parameter));
      });
    }
  return selection;
}

RunSetup set_up_run(const app::Case& c, const Selection& selection) {
  RunSetup setup;
  setup.units = &md::units_from_name(c.units);
  setup.selection = selection_of(c);
  setup.selection.merge(selection);
  setup.options.precision = c.precision;
  setup.options.time_step = c.run.time_step;
  setup.options.skin = c.neighbor.skin;
  setup.options.rebuild_every = c.neighbor.every;
  setup.initial = app::build_system(c);
  setup.coefficients = app::build_pair_table(c, setup.initial.system);
  return setup;
}

}  // namespace tessera::command_line
