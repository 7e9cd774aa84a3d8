#include "filter.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tessera/core/base/error.hpp>

namespace tessera::command_line {

void Filter::add_to(CLI::App& command) {
  command
      .add_option("--operation", operation,
                  "Only this operation, by its full name or the last part of it")
      ->type_name("OP");
  command.add_option("--implementation", implementation, "Only this implementation")
      ->type_name("NAME");
  command.add_option("--precision", precision, "Only this precision: double, mixed or single")
      ->type_name("P");
  command.add_option("--backend", backend, "Only implementations of this backend, or all")
      ->type_name("B");
}

std::vector<std::string> Filter::operations() const {
  if (operation.empty()) return registry().operations();
  return {registry().operation(operation)};
}

std::vector<const ImplementationBase*> Filter::implementations() const {
  std::optional<Precision> wanted;
  if (!precision.empty()) wanted = precision_from_name(precision);
  if (backend != "all" && backend != "host") (void)registry().unavailable(backend);

  std::vector<const ImplementationBase*> found;
  std::set<std::string> names;
  for (const std::string& op : operations()) {
    for (const ImplementationBase* candidate : registry().implementations(op)) {
      const ImplementationInfo& info = candidate->info();
      names.insert(info.name);
      if (!implementation.empty() && info.name != implementation) continue;
      if (wanted && info.precision != *wanted) continue;
      if (backend != "all" && info.backend != backend) continue;
      found.push_back(candidate);
    }
  }
  if (!implementation.empty() && names.count(implementation) == 0)
    throw SelectionError("implementation", implementation, {names.begin(), names.end()});
  return found;
}

}  // namespace tessera::command_line
