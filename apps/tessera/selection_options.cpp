#include "apps/tessera/selection_options.hpp"

#include "core/base/error.hpp"

namespace tessera::command_line {

ParameterName parameter_name(const std::string& text) {
  // Names of implementations contain dots, names of parameters do not.
  const std::size_t dot = text.rfind('.');
  if (dot == std::string::npos) return {{}, text};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

Option SelectionOptions::select_option() {
  return {"--select", &selected, "Implementation that runs an operation, or auto; may be repeated",
          "OP=IMPL"};
}

Option SelectionOptions::parameter_option() {
  return {
      "--parameter", &parameters,
      "Parameter of the implementation that runs an operation, or of a named one; may be repeated",
      "OP[.IMPL].NAME=VALUE"};
}

Option SelectionOptions::no_tune_option() {
  return {"--no-tune", &no_tune, "Ignore the records of 'tessera tune'"};
}

void SelectionOptions::add_to(Choices& choices, const std::string& implementation) const {
  if (no_tune) choices.use_tuned(nullptr);
  for (const std::string& text : selected)
    choices.add_text(registry(), text);
  for (const std::string& text : parameters) {
    const std::size_t equals = text.find('=');
    const std::size_t dot = text.find('.');
    if (dot == std::string::npos || equals == std::string::npos || equals < dot)
      throw InputError({{}, 0, "parameter", text}, "expected OPERATION.NAME=VALUE");
    const ParameterName name = parameter_name(text.substr(dot + 1, equals - dot - 1));
    choices.set_parameter(registry(), text.substr(0, dot),
                          name.implementation.empty() ? implementation : name.implementation,
                          name.parameter,
                          parameter_value_from_text(name.parameter, text.substr(equals + 1)));
  }
}

}  // namespace tessera::command_line
