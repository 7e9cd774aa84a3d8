#include "core/operations/registry.hpp"

#include "core/base/error.hpp"
#include "core/execution/spinning_threads.hpp"
#include "core/operations/backend_hint.hpp"

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

std::string short_name(std::string_view operation) {
  const auto slash = operation.rfind('/');
  return std::string(slash == std::string_view::npos ? operation : operation.substr(slash + 1));
}

}  // namespace

void Registry::add_backend(BackendInfo info, BackendDevices devices) {
  backends_.push_back({std::move(info), std::move(devices)});
}

void Registry::add_missing_backend(std::string name, std::string reason) {
  BackendInfo info;
  info.name = std::move(name);
  info.priority = -1;
  info.not_built = std::move(reason);
  backends_.push_back({std::move(info), {}});
}

void Registry::add_left_out(LeftOut implementation) {
  left_out_.push_back(std::move(implementation));
}

void Registry::add_operation(std::string name, std::string summary, TrialsFactory trials,
                             Prepare prepare) {
  operations_.push_back({std::move(name), std::move(summary), std::move(trials), prepare, {}});
}

void Registry::add(std::unique_ptr<ImplementationBase> implementation) {
  if (!implementation) throw ArgumentError("Registry::add", "implementation", "a null pointer");
  if (!origin_.empty()) implementation->comes_from_outside(origin_);
  const ImplementationInfo& info = implementation->info();
  const auto at = std::find_if(operations_.begin(), operations_.end(),
                               [&](const Operation& o) { return o.name == info.operation; });
  if (at == operations_.end())
    throw ArgumentError("implementation " + info.name + " is for '" + info.operation +
                        "', which is not an operation of this build");
  for (const auto& other : at->implementations)
    if (other->info().name == info.name && other->info().precision == info.precision)
      throw ArgumentError(info.operation + "=" + info.name + " (" +
                          std::string(tessera::name(info.precision)) + ") is registered twice");
  at->implementations.push_back(std::move(implementation));
}

void Registry::add_from(const std::string& origin, const std::function<void(Registry&)>& plugin) {
  const std::string former = std::exchange(origin_, origin);
  try {
    plugin(*this);
  } catch (...) {
    origin_ = former;
    throw;
  }
  origin_ = former;
}

std::shared_ptr<const TunedChoices> Registry::tuned_choices() const {
  return tuned_choices_ ? tuned_choices_() : nullptr;
}

std::string Registry::operation(std::string_view name) const {
  std::vector<std::string> matches;
  for (const Operation& o : operations_) {
    if (o.name == name) return o.name;
    if (short_name(o.name) == name) matches.push_back(o.name);
  }
  if (matches.size() == 1) return matches.front();
  throw SelectionError(matches.empty() ? "operation" : "(ambiguous) operation", std::string(name),
                       matches.empty() ? operations() : matches);
}

std::vector<std::string> Registry::operations() const {
  std::vector<std::string> names;
  names.reserve(operations_.size());
  for (const Operation& o : operations_)
    names.push_back(o.name);
  return names;
}

const Registry::Operation& Registry::get(const std::string& operation) const {
  for (const Operation& o : operations_)
    if (o.name == operation) return o;
  throw SelectionError("operation", operation, operations());
}

const std::string& Registry::summary(const std::string& operation) const {
  return get(operation).summary;
}

Prepare Registry::prepare(const std::string& operation) const {
  return get(operation).prepare;
}

std::shared_ptr<Trials> Registry::trials(const std::string& operation) const {
  return get(operation).trials();
}

std::vector<const ImplementationBase*> Registry::implementations(
    const std::string& operation) const {
  std::vector<const ImplementationBase*> found;
  for (const auto& i : get(operation).implementations)
    found.push_back(i.get());
  return found;
}

std::vector<const ImplementationBase*> Registry::implementations(const std::string& operation,
                                                                 Precision precision) const {
  std::vector<const ImplementationBase*> found;
  for (const auto& i : get(operation).implementations)
    if (i->info().precision == precision) found.push_back(i.get());
  return found;
}

const ImplementationBase& Registry::find(const std::string& operation, Precision precision,
                                         const std::string& name) const {
  std::vector<std::string> candidates;
  for (const ImplementationBase* i : implementations(operation, precision)) {
    if (i->info().name == name) return *i;
    candidates.push_back(i->info().name);
  }
  throw SelectionError(
      "implementation of " + operation + " in " + std::string(tessera::name(precision)), name,
      candidates, reason_left_out(operation, name));
}

std::string Registry::reason_left_out(const std::string& operation, const std::string& name) const {
  const std::string backend = name.substr(0, name.find('.'));
  for (const Backend& b : backends_)
    if (b.info.name == backend && !b.info.not_built.empty())
      return "backend " + backend + " is not built: " + b.info.not_built;
  for (const LeftOut& one : left_out_)
    if (one.operation == operation && one.name == name) return one.reason;
  return {};
}

std::vector<BackendInfo> Registry::backends() const {
  std::vector<BackendInfo> infos;
  for (const Backend& b : backends_)
    infos.push_back(b.info);
  return infos;
}

const Registry::Backend& Registry::get_backend(const std::string& name) const {
  std::vector<std::string> names;
  std::string list;
  for (const Backend& b : backends_) {
    if (b.info.name == name) return b;
    list += (names.empty() ? "" : ", ") + b.info.name;
    names.push_back(b.info.name);
  }
  if (const std::string hint = backend_hint(name, backends()); !hint.empty())
    throw InputError({{}, 0, "backend", name}, "expected one of " + list + ": " + hint);
  throw SelectionError("backend", name, names);
}

std::string Registry::unavailable(const std::string& backend) const {
  const Backend& b = get_backend(backend);
  if (!b.info.not_built.empty()) return "not built: " + b.info.not_built;
  return b.devices.unavailable ? b.devices.unavailable() : std::string{};
}

std::vector<DeviceProperties> Registry::devices(const std::string& backend) const {
  const Backend& b = get_backend(backend);
  std::vector<DeviceProperties> found;
  if (!unavailable(backend).empty()) return found;
  for (int ordinal = 0; ordinal < b.devices.count(); ++ordinal)
    found.push_back(b.devices.describe(ordinal));
  return found;
}

Context Registry::open(const std::string& backend, std::optional<int> ordinal) const {
  const Backend* chosen = nullptr;
  if (backend == "auto") {
    for (const Backend& b : backends_) {
      if (chosen != nullptr && b.info.priority <= chosen->info.priority) continue;
      if (unavailable(b.info.name).empty()) chosen = &b;
    }
    if (chosen == nullptr) throw RefusalError("backend auto", "no backend is available");
  } else {
    chosen = &get_backend(backend);
    if (const std::string reason = unavailable(backend); !reason.empty())
      throw RefusalError("backend " + backend, reason);
  }
  const int number = ordinal ? *ordinal : chosen->devices.default_ordinal();
  if (const int count = chosen->devices.count(); number < 0 || number >= count)
    throw OrdinalError(chosen->info.name, number, count);
  std::shared_ptr<Device> device = chosen->devices.open(number);
  if (device->memory() == MemorySpace::host) warn_of_spinning(device->properties().concurrency);
  const Stream stream = device->default_stream();
  return {std::move(device), stream};
}

void* Registry::find_part(std::type_index type,
                          const std::function<std::shared_ptr<void>()>& make) {
  const std::lock_guard lock(parts_->mutex);
  std::shared_ptr<void>& part = parts_->by_type[type];
  if (!part) part = make();
  return part.get();
}

Registry& registry() {
  static Registry instance = [] {
    Registry r;
    register_all(r);
    return r;
  }();
  return instance;
}

}  // namespace tessera
