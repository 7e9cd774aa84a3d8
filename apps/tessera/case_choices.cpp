#include "apps/tessera/case_choices.hpp"

#include "apps/tessera/selection_options.hpp"
#include "core/base/error.hpp"

#include <string>

namespace tessera::command_line {
namespace {

/// Adds the line of the case to errors about a wrong name or value.
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

Choices choices_of(const cases::Case& c, Choices choices) {
  // Variables instead of structured bindings, which Clang 15 cannot capture.
  for (const auto& selected : c.selection) {
    const auto& operation = selected.first;
    const auto& entry = selected.second;
    at(entry.origin, "selection." + operation,
       [&] { choices.choose(registry(), operation, entry.implementation); });
  }
  for (const auto& given : c.parameters)
    for (const auto& named : given.second) {
      const auto& operation = given.first;
      const auto& parameter = named.second;
      const std::string field = "parameters." + operation + "." + named.first;
      const ParameterName name = parameter_name(named.first);
      at(parameter.origin, field, [&] {
        choices.set_parameter(registry(), operation, name.implementation, name.parameter,
                              parameter.value);
      });
    }
  return choices;
}

}  // namespace tessera::command_line
