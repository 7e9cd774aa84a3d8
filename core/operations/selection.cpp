#include <algorithm>
#include <tessera/core/base/build_info.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/selection.hpp>

namespace tessera {
namespace {

/// Parameters may be given for an implementation of any precision; the names must exist somewhere.
bool implementation_exists(const Registry& registry, const std::string& operation,
                           const std::string& name, std::vector<std::string>& candidates) {
  for (const ImplementationBase* i : registry.implementations(operation)) {
    if (i->info().name == name) return true;
    if (std::find(candidates.begin(), candidates.end(), i->info().name) == candidates.end())
      candidates.push_back(i->info().name);
  }
  return false;
}

}  // namespace

Selection Selection::from_text(const Registry& registry, const std::string& text) {
  Selection selection;
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = text.find_first_of(";,", start);
    if (end == std::string::npos) end = text.size();
    const std::string part = text.substr(start, end - start);
    start = end + 1;
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == part.size())
      throw InputError({{}, 0, "selection", part}, "expected operation=implementation");
    selection.set(registry, part.substr(0, equals), part.substr(equals + 1));
  }
  return selection;
}

Selection Selection::configured(const Registry& registry) {
  return from_text(registry, build_info().selection);
}

void Selection::set(const Registry& registry, const std::string& operation,
                    const std::string& implementation) {
  const std::string full = registry.operation(operation);
  std::vector<std::string> candidates{"auto"};
  if (implementation != "auto" &&
      !implementation_exists(registry, full, implementation, candidates))
    throw SelectionError("implementation of " + full, implementation, candidates);
  choices_[full] = implementation;
}

void Selection::set_parameter(const Registry& registry, const std::string& operation,
                              const std::string& name, KnobValue value) {
  const std::string full = registry.operation(operation);
  std::vector<std::string> candidates;
  for (const ImplementationBase* i : registry.implementations(full)) {
    for (const KnobInfo& knob : i->info().knobs) {
      if (knob.name == name) {
        parameters_[full][name] = value;
        return;
      }
      if (std::find(candidates.begin(), candidates.end(), knob.name) == candidates.end())
        candidates.push_back(knob.name);
    }
  }
  throw SelectionError("parameter of " + full, name, candidates);
}

void Selection::merge(const Selection& other) {
  for (const auto& [operation, choice] : other.choices_)
    choices_[operation] = choice;
  for (const auto& [operation, parameters] : other.parameters_)
    for (const auto& [name, value] : parameters)
      parameters_[operation][name] = value;
}

std::string Selection::choice(const std::string& operation) const {
  const auto at = choices_.find(operation);
  return at == choices_.end() ? "auto" : at->second;
}

Parameters Selection::parameters(const std::string& operation) const {
  const auto at = parameters_.find(operation);
  return at == parameters_.end() ? Parameters{} : at->second;
}

std::vector<SelectionRow> rank(
    const Registry& registry, const Selection& selection, const std::string& operation,
    Precision precision, const Context& context,
    const std::function<Refusal(const ImplementationBase&)>& refusal_of) {
  // Among portable bodies the one of the backend that holds the state comes first.
  const auto order = [&](const ImplementationBase* i) {
    const bool at_home = i->info().backend == context.device->properties().backend;
    const bool portable =
        i->info().priority > priority::reference && i->info().priority < priority::hand_tuned;
    return at_home && portable ? priority::hand_tuned - 1 : i->info().priority;
  };
  std::vector<const ImplementationBase*> candidates =
      registry.implementations(operation, precision);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const auto* a, const auto* b) { return order(a) > order(b); });
  const std::string choice = selection.choice(operation);
  if (choice != "auto") (void)registry.find(operation, precision, choice);

  std::vector<SelectionRow> rows;
  std::string winner;
  for (const ImplementationBase* candidate : candidates) {
    SelectionRow row{operation, candidate->info().name, false, {}};
    const Refusal refusal = refusal_of(*candidate);
    const bool eligible = choice == "auto" ? candidate->info().priority > priority::reference
                                           : row.implementation == choice;
    if (refusal) {
      row.reason = *refusal;
    } else if (eligible && winner.empty()) {
      row.chosen = true;
      row.reason = choice == "auto" ? "first in the default order" : "asked for";
      winner = row.implementation;
    } else if (choice != "auto") {
      row.reason = choice + " was asked for";
    } else if (candidate->info().priority <= priority::reference) {
      row.reason = "the oracle runs only when asked for";
    } else {
      row.reason = "comes after " + winner + " in the default order";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<SelectionRow> rank(const Registry& registry, const Selection& selection,
                               const std::string& operation, Precision precision,
                               const Context& context) {
  return rank(registry, selection, operation, precision, context,
              [&](const ImplementationBase& i) { return i.can_run_on(context); });
}

}  // namespace tessera
