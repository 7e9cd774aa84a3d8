#ifndef TESSERA_APPS_TESSERA_FILTER_HPP
#define TESSERA_APPS_TESSERA_FILTER_HPP

#include "apps/tessera/command.hpp"
#include "core/operations/registry.hpp"

#include <string>
#include <vector>

/// \file
/// Which implementations a command is about.

namespace tessera::command_line {

struct Filter {
  std::string operation;       ///< full or short name, empty: all
  std::string implementation;  ///< "<backend>.portable", ...; empty: all
  std::string precision;       ///< empty: all
  std::string backend = "all";
  int device = -1;  ///< number of the device; -1: that of each backend

  /// --operation, --implementation, --precision, --backend and --device.
  [[nodiscard]] std::vector<Option> options();

  /// \throws SelectionError for a name that does not exist.
  [[nodiscard]] std::vector<std::string> operations() const;
  /// \throws SelectionError as above, ArgumentError where nothing is left, OrdinalError when no
  ///         backend of the implementations has the device.
  [[nodiscard]] std::vector<const ImplementationBase*> implementations() const;
  /// A device for one of them; the number is that of a GPU wherever a host is one too.
  /// \throws RefusalError when none can be used on this machine.
  [[nodiscard]] Context open(const ImplementationBase& one) const;

 private:
  void check_device(const std::vector<const ImplementationBase*>& found) const;
  [[nodiscard]] std::string nothing_matches() const;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_FILTER_HPP
