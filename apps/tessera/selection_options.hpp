#ifndef TESSERA_APPS_TESSERA_SELECTION_OPTIONS_HPP
#define TESSERA_APPS_TESSERA_SELECTION_OPTIONS_HPP

#include "apps/tessera/command.hpp"
#include "core/operations/choices.hpp"

#include <string>
#include <vector>

/// \file
/// --select and --parameter, common to all commands that run operations.

namespace tessera::command_line {

/// Name of a tuning parameter after the name of the operation: "skin", or "<implementation>.skin"
/// for one implementation.
struct ParameterName {
  std::string implementation;  ///< empty: not given
  std::string parameter;
};
[[nodiscard]] ParameterName parameter_name(const std::string& text);

struct SelectionOptions {
  std::vector<std::string> selected;  ///< "operation=implementation"
  /// "operation.parameter=value", "operation.implementation.parameter=value"
  std::vector<std::string> parameters;

  [[nodiscard]] Option select_option();
  [[nodiscard]] Option parameter_option();
  [[nodiscard]] Option no_tune_option();

  bool no_tune = false;  ///< ignore the user's tuning database

  /// Adds the selected implementations and then the parameters to `choices`.
  /// \param implementation target of parameters that name no implementation; empty: as
  /// Choices::set_parameter decides.
  /// \throws SelectionError for unknown names, InputError for malformed text.
  void add_to(Choices& choices, const std::string& implementation = {}) const;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_SELECTION_OPTIONS_HPP
