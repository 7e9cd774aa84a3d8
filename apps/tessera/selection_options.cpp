#include "selection_options.hpp"

#include <tessera/core/base/error.hpp>

namespace tessera::command_line {

void SelectionOptions::add_select_to(CLI::App& command) {
  command
      .add_option("--select", choices,
                  "Implementation to run an operation, e.g. pair_force=reference; may be repeated")
      ->allow_extra_args(false)
      ->type_name("OP=IMPL");
}

void SelectionOptions::add_parameter_to(CLI::App& command) {
  command
      .add_option("--parameter", parameters,
                  "Parameter of the implementations of an operation; may be repeated")
      ->allow_extra_args(false)
      ->type_name("OP.NAME=VALUE");
}

Selection SelectionOptions::selection() const {
  Selection selection = Selection::configured(registry());
  selection.merge(selection_on_top());
  return selection;
}

Selection SelectionOptions::selection_on_top() const {
  Selection selection;
  for (const std::string& text : choices)
    selection.merge(Selection::from_text(registry(), text));
  for (const std::string& text : parameters) {
    const std::size_t dot = text.find('.');
    const std::size_t equals = text.find('=');
    if (dot == std::string::npos || equals == std::string::npos || equals < dot)
      throw InputError({{}, 0, "parameter", text}, "expected OPERATION.NAME=VALUE");
    const std::string name = text.substr(dot + 1, equals - dot - 1);
    selection.set_parameter(registry(), text.substr(0, dot), name,
                            knob_value_from_text(name, text.substr(equals + 1)));
  }
  return selection;
}

}  // namespace tessera::command_line
