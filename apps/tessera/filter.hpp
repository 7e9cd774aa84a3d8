#ifndef TESSERA_APPS_TESSERA_FILTER_HPP
#define TESSERA_APPS_TESSERA_FILTER_HPP

#include "apps/tessera/command.hpp"
#include "core/operations/registry.hpp"

#include <string>
#include <vector>

/// \file
/// Selects the implementations for a command.

namespace tessera::command_line {

struct Filter {
  std::string operation;       ///< full or short name, empty: all
  std::string implementation;  ///< "<backend>.portable", ...; empty: all
  std::string precision;       ///< empty: all
  std::string backend = "all";
  int device = -1;  ///< number of the device; -1: the default of each backend

  /// The options --operation, --implementation, --precision, --backend and --device.
  [[nodiscard]] std::vector<Option> options();

  /// \throws SelectionError for a name that does not exist.
  [[nodiscard]] std::vector<std::string> operations() const;
  /// \throws SelectionError as above, ArgumentError where no implementation remains, OrdinalError
  ///         when no backend of the implementations has the device.
  [[nodiscard]] std::vector<const ImplementationBase*> implementations() const;
  /// Opens a device for an implementation. Uses the default device where the backend of the
  /// implementation has no device of number `device`: on a machine with GPUs the number selects a
  /// GPU, and host backends ignore it.
  /// \throws RefusalError when no device of this machine can be used.
  [[nodiscard]] Context open(const ImplementationBase& one) const;

 private:
  void check_device(const std::vector<const ImplementationBase*>& found) const;
  [[nodiscard]] std::string nothing_matches() const;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_FILTER_HPP
