#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tessera/core/operations/selection.hpp>
#include <vector>

/// \file
/// --select and --parameter, as every command that runs something takes them.

namespace tessera::command_line {

struct SelectionOptions {
  std::vector<std::string> choices;     ///< "pair_force=openmp.portable"
  std::vector<std::string> parameters;  ///< "pair_force.skin=0.3"

  /// Adds --select.
  void add_select_to(CLI::App& command);
  /// Adds --parameter.
  void add_parameter_to(CLI::App& command);

  /// The choice made at configure time with these on top.
  /// \throws SelectionError for unknown names, InputError for anything malformed.
  [[nodiscard]] Selection selection() const;

  /// These alone, to be merged over another selection.
  [[nodiscard]] Selection selection_on_top() const;
};

}  // namespace tessera::command_line
