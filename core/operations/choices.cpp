#include "core/operations/choices.hpp"

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

/// Accepts an implementation that exists in at least one precision.
void require_implementation(const Registry& registry, const std::string& operation,
                            const std::string& name, std::vector<std::string> candidates) {
  for (const ImplementationBase* i : registry.implementations(operation))
    candidates.push_back(i->info().name);
  if (std::find(candidates.begin(), candidates.end(), name) == candidates.end())
    throw SelectionError("implementation of " + operation, name, candidates,
                         registry.reason_left_out(operation, name));
}

/// Reason why an implementation was chosen, as RankedImplementation::reason.
std::string reason_of(const Choice& choice) {
  if (choice.source == ChoiceSource::tuned && !choice.evidence.text.empty())
    return choice.evidence.text;
  if (choice.implementation == "auto") return "first in the default order";
  switch (choice.source) {
    case ChoiceSource::configured:
      return "chosen when this library was configured";
    case ChoiceSource::tuned:
      return "the fastest measured";
    case ChoiceSource::tool:
      return "set by a tuning tool";
    case ChoiceSource::restart:
      return "as in the continued run";
    case ChoiceSource::pin:
      return "pinned";
    case ChoiceSource::default_order:
    case ChoiceSource::user:
      break;
  }
  return "asked for";
}

}  // namespace

void Choice::apply(const ParameterValues& values) {
  if (values.empty()) return;
  for (const auto& [parameter, value] : values)
    parameters[parameter] = value;
  advised = values;
  evidence = {};
  source = std::max(source, ChoiceSource::tool);
}

void Choices::add_text(const Registry& registry, const std::string& text, ChoiceSource source) {
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
    choose(registry, part.substr(0, equals), part.substr(equals + 1), source);
  }
}

void Choices::choose(const Registry& registry, const std::string& operation,
                     const std::string& implementation, ChoiceSource source) {
  const std::string full = registry.operation(operation);
  require_implementation(registry, full, implementation, {"auto"});
  Entry& entry = entries_[full];
  if (entry.source > source) return;
  entry.implementation = implementation;
  entry.source = source;
}

void Choices::set_parameter(const Registry& registry, const std::string& operation,
                            const std::string& implementation, const std::string& parameter,
                            const ParameterValue& value, ChoiceSource source) {
  const std::string full = registry.operation(operation);
  if (!implementation.empty()) require_implementation(registry, full, implementation, {});
  Entry& entry = entries_[full];
  const std::string& owner = implementation.empty() ? entry.implementation : implementation;
  std::vector<std::string> candidates;
  bool found = false;
  for (const ImplementationBase* i : registry.implementations(full)) {
    if (owner != "auto" && i->info().name != owner) continue;
    for (const ParameterInfo& info : i->info().parameters) {
      candidates.push_back(info.name);
      if (!is_name_of(info, parameter)) continue;
      found = true;
      const ParameterValue checked = checked_parameter_value(info, value);
      auto& settings = entry.parameters[i->info().name];
      const auto at = settings.find(info.name);
      if (at == settings.end() || at->second.source <= source)
        settings[info.name] = {checked, source};
    }
  }
  if (!found)
    throw SelectionError("parameter of " + full + (owner == "auto" ? "" : "=" + owner), parameter,
                         candidates);
}

Choice Choices::of(const std::string& operation) const {
  const auto at = entries_.find(operation);
  if (at == entries_.end()) return {};
  return {at->second.implementation,
          parameters(operation, at->second.implementation),
          at->second.source,
          {}};
}

ParameterValues Choices::parameters(const std::string& operation,
                                    const std::string& implementation) const {
  ParameterValues values;
  const auto entry = entries_.find(operation);
  if (entry == entries_.end()) return values;
  const auto settings = entry->second.parameters.find(implementation);
  if (settings == entry->second.parameters.end()) return values;
  for (const auto& [parameter, setting] : settings->second)
    values[parameter] = setting.value;
  return values;
}

const std::shared_ptr<const Choices>& configured_choices() {
  static const std::shared_ptr<const Choices> configured = [] {
    auto choices = std::make_shared<Choices>();
    choices->add_text(registry(), build_info().selection, ChoiceSource::configured);
    choices->use_tuned(registry().tuned_choices());
    choices->use_external_tuner(true);
    return choices;
  }();
  return configured;
}

const std::shared_ptr<const Choices>& untuned_choices() {
  static const std::shared_ptr<const Choices> untuned = [] {
    auto choices = std::make_shared<Choices>(*configured_choices());
    choices->use_tuned(nullptr);
    choices->use_external_tuner(false);
    return choices;
  }();
  return untuned;
}

const Choices& choices_of(const Context& context) {
  return context.choices ? *context.choices : *configured_choices();
}

std::optional<TunedOffer> tuned_offer(const Registry& registry, const std::string& operation,
                                      Precision precision, const ProblemKey& problem,
                                      const Context& context) {
  const Choices& choices = choices_of(context);
  if (!choices.tuned() || problem == ProblemKey{}) return {};
  const DeviceProperties& device = context.opened().properties();
  const Choice chosen = choices.of(operation);
  // Measurements override an automatic choice and the choice of the configuration.
  const bool decides = chosen.implementation == "auto" || chosen.source <= ChoiceSource::configured;
  if (!decides && !chosen.parameters.empty()) return {};
  std::optional<TunedChoice> found = choices.tuned()->find(
      operation, precision, problem, device, decides ? std::string() : chosen.implementation);
  if (!found || (!decides && found->parameters.empty())) return {};
  TunedOffer offer{std::move(*found), decides, {}};
  if (!choices.parameters(operation, offer.choice.implementation).empty())
    offer.skipped = "other parameters were set";
  const std::vector<const ImplementationBase*> known =
      registry.implementations(operation, precision);
  if (std::none_of(known.begin(), known.end(), [&](const ImplementationBase* i) {
        return i->info().name == offer.choice.implementation;
      }))
    offer.skipped = "this build has no " + offer.choice.implementation;
  return offer;
}

std::vector<RankedImplementation> rank(
    const Registry& registry, const std::string& operation, Precision precision,
    const Context& context, const std::function<Refusal(const ImplementationBase&)>& refusal_of,
    const std::optional<TunedOffer>& offer) {
  const DeviceProperties& home = context.opened().properties();
  constexpr int ahead_of_all = 1000;
  // Among portable bodies, the body of the backend that holds the state comes first.
  const auto order = [&](const ImplementationBase* i) {
    const bool at_home = i->info().backend == home.backend;
    const int given = i->info().priority;
    if (!at_home || given <= priority::outside) return given;
    const int own = given < priority::hand_tuned ? priority::hand_tuned - 1 : given;
    return home.exclusive ? own + ahead_of_all : own;
  };
  std::vector<const ImplementationBase*> candidates =
      registry.implementations(operation, precision);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const auto* a, const auto* b) { return order(a) > order(b); });
  Choice choice = choices_of(context).of(operation);
  const bool tuned = offer && offer->skipped.empty();
  if (tuned && offer->decides)
    choice = {offer->choice.implementation, offer->choice.parameters, ChoiceSource::tuned,
              offer->choice.evidence};
  if (choice.source == ChoiceSource::restart && choice.implementation != "auto" &&
      std::none_of(candidates.begin(), candidates.end(), [&](const ImplementationBase* i) {
        return i->info().name == choice.implementation && !refusal_of(*i);
      }))
    choice = {};  // saved by a run in another precision or on another device
  const bool automatic = choice.implementation == "auto";
  if (!automatic) (void)registry.find(operation, precision, choice.implementation);

  std::vector<RankedImplementation> rows;
  std::string winner;
  for (const ImplementationBase* candidate : candidates) {
    RankedImplementation row{operation,
                             candidate->info().name,
                             false,
                             automatic ? ChoiceSource::default_order : choice.source,
                             {}};
    const Refusal refusal = refusal_of(*candidate);
    const bool eligible = automatic ? candidate->info().priority > priority::reference
                                    : row.implementation == choice.implementation;
    if (refusal) {
      row.reason = *refusal;
    } else if (eligible && winner.empty()) {
      row.chosen = true;
      row.reason = reason_of(choice);
      if (tuned && !offer->decides) row.reason += ", " + offer->choice.evidence.text;
      winner = row.implementation;
    } else if (!automatic) {
      row.reason = choice.implementation + " was " +
                   (choice.source == ChoiceSource::user    ? "asked for"
                    : choice.source == ChoiceSource::tuned ? "the fastest measured"
                                                           : "chosen");
    } else if (candidate->info().priority <= priority::reference) {
      row.reason = "the oracle runs only on request";
    } else {
      row.reason = "comes after " + winner + " in the default order";
      if (!candidate->info().origin.empty()) row.reason += ": it is external; select it or tune it";
    }
    if (offer && !offer->skipped.empty() && offer->choice.implementation == row.implementation)
      row.reason += "; a tuning record is ignored: " + offer->skipped;
    rows.push_back(std::move(row));
  }
  return rows;
}

Context for_parts(const Registry& registry, const std::string& operation, Precision precision,
                  const std::string& backend, const Context& context) {
  const Choices& choices = choices_of(context);
  const std::string chosen = choices.of(operation).implementation;
  const std::vector<const ImplementationBase*> all = registry.implementations(operation, precision);
  const bool fits =
      chosen == "auto" || std::any_of(all.begin(), all.end(), [&](const ImplementationBase* i) {
        return i->info().name == chosen && i->info().backend == backend;
      });
  if (fits) return context;
  Context parts = context;
  auto own = std::make_shared<Choices>(choices);
  own->choose(registry, operation, "auto", ChoiceSource::user);
  parts.choices = std::move(own);
  return parts;
}

std::vector<RankedImplementation> rank(const Registry& registry, const std::string& operation,
                                       Precision precision, const Context& context) {
  return rank(registry, operation, precision, context,
              [&](const ImplementationBase& i) { return i.can_run_on(context); });
}

}  // namespace tessera
