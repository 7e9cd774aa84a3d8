#include "apps/tessera/filter.hpp"

#include "core/base/error.hpp"
#include "core/operations/open_device.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace tessera::command_line {
namespace {

// The oracle runs on any host and has no backend of its own.
constexpr const char* oracle_backend = "host";

int devices_of(const std::string& backend) {
  return static_cast<int>(registry().devices(backend).size());
}

}  // namespace

std::vector<Option> Filter::options() {
  return {{"--operation", &operation,
           "Only this operation, by its full name or the last part of it", "OP"},
          {"--implementation", &implementation, "Only this implementation", "NAME"},
          {"--precision", &precision, "Only this precision: double, mixed or single", "P"},
          {"--backend", &backend, "Only implementations of this backend, or all", "B"},
          {"--device", &device, "Number of the device of a backend that has several", "N",
           Option::Range::not_negative}};
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
  if (!implementation.empty() && names.count(implementation) == 0) {
    std::string left_out;
    for (const std::string& op : operations())
      if (left_out.empty()) left_out = registry().reason_left_out(op, implementation);
    throw SelectionError("implementation", implementation, {names.begin(), names.end()}, left_out);
  }
  if (found.empty()) throw ArgumentError(nothing_matches());
  if (device >= 0) check_device(found);
  return found;
}

Context Filter::open(const ImplementationBase& one) const {
  const std::string& home = one.info().backend;
  if (device < 0 || home == oracle_backend || device >= devices_of(home))
    return open_for(registry(), one);
  return open_for(registry(), one, device);
}

/// Requires that at least one backend of the implementations has a device of the number `device`.
void Filter::check_device(const std::vector<const ImplementationBase*>& found) const {
  std::string most;
  int count = 0;
  for (const ImplementationBase* i : found) {
    const std::string& home = i->info().backend;
    // The oracle has no device; for a backend that cannot be opened, open() reports the reason.
    if (home == oracle_backend || !registry().unavailable(home).empty()) continue;
    const int devices = devices_of(home);
    if (devices > count || most.empty()) most = home;
    count = std::max(count, devices);
  }
  if (!most.empty() && device >= count) throw OrdinalError(most, device, count);
}

std::string Filter::nothing_matches() const {
  std::string of;
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty() && value != "all") of += (of.empty() ? "" : ", ") + (what + (" " + value));
  };
  add("operation", operation);
  add("implementation", implementation);
  add("precision", precision);
  add("backend", backend);
  std::string text = "no implementation matches " + of;
  if (backend == "all" || backend == "host") return text;
  const std::string reason = registry().unavailable(backend);
  return reason.empty() ? text : text + ": the backend is " + reason;
}

}  // namespace tessera::command_line
