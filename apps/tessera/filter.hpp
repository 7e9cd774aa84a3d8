#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tessera/core/operations/registry.hpp>
#include <vector>

/// \file
/// Which implementations a command is about.

namespace tessera::command_line {

struct Filter {
  std::string operation;       ///< full or short name, empty: all
  std::string implementation;  ///< "<backend>.portable", ...; empty: all
  std::string precision;       ///< empty: all
  std::string backend = "all";

  /// Adds --operation, --implementation, --precision and --backend.
  void add_to(CLI::App& command);

  /// \throws SelectionError for a name that does not exist.
  [[nodiscard]] std::vector<std::string> operations() const;
  [[nodiscard]] std::vector<const ImplementationBase*> implementations() const;
};

}  // namespace tessera::command_line
