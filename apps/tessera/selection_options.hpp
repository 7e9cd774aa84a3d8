#ifndef TESSERA_APPS_TESSERA_SELECTION_OPTIONS_HPP
#define TESSERA_APPS_TESSERA_SELECTION_OPTIONS_HPP

#include "apps/tessera/command.hpp"
#include "core/operations/choices.hpp"

#include <string>
#include <vector>

/// \file
/// --select and --parameter, as every command that runs something takes them.

namespace tessera::command_line {

/// A knob as a user names it behind the operation: "skin", or "<implementation>.skin" for one
/// implementation.
struct KnobName {
  std::string implementation;  ///< empty: not named
  std::string knob;
};
[[nodiscard]] KnobName knob_name(const std::string& text);

struct SelectionOptions {
  std::vector<std::string> selected;  ///< "operation=implementation"
  std::vector<std::string>
      parameters;  ///< "operation.knob=value", "operation.implementation.knob=value"

  [[nodiscard]] Option select_option();
  [[nodiscard]] Option parameter_option();
  [[nodiscard]] Option no_tune_option();

  bool no_tune = false;  ///< without the user's tuning database

  /// Puts these on top of other choices, implementations before parameters.
  /// \param implementation whom parameters without a name of their own are for; empty: as
  /// Choices::set_knob decides.
  /// \throws SelectionError for unknown names, InputError for anything malformed.
  void add_to(Choices& choices, const std::string& implementation = {}) const;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_SELECTION_OPTIONS_HPP
