#include "core/tuning/candidates.hpp"

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/reasons.hpp"
#include "core/operations/choices.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace tessera {
namespace {

/// A tuning parameter and the values to try.
struct Axis {
  std::string parameter;
  std::vector<ParameterValue> values;
};

/// Whether `key` is the name of a parameter behind `qualifier`, "openmp.cluster." or nothing.
bool is_key_of(const std::string& key, const std::string& qualifier,
               const ParameterInfo& parameter) {
  return key.starts_with(qualifier) && is_name_of(parameter, key.substr(qualifier.size()));
}

void require_known(const Registry& registry, const TrialRun& run, const CandidateLimits& limits) {
  const ImplementationInfo& one = run.info();
  std::vector<std::string> implementations;
  std::vector<std::string> parameters;
  std::set<std::string> known_keys;
  for (const ImplementationBase* i : registry.implementations(one.operation, one.precision)) {
    const std::string& name = i->info().name;
    implementations.push_back(name);
    for (const ParameterInfo& parameter : i->info().parameters) {
      parameters.push_back(parameter.name);
      parameters.push_back(name + "." + parameter.name);
      for (const auto& [key, values] : limits.values)
        if (is_key_of(key, "", parameter) || is_key_of(key, name + ".", parameter))
          known_keys.insert(key);
    }
  }
  std::vector<std::string> named = limits.implementations;
  if (!limits.chosen.empty()) named.push_back(limits.chosen);
  for (const std::string& name : named)
    if (std::find(implementations.begin(), implementations.end(), name) == implementations.end())
      throw SelectionError("implementation of " + one.operation, name, implementations,
                           registry.reason_left_out(one.operation, name));
  for (const auto& [key, values] : limits.values)
    if (!known_keys.contains(key))
      throw SelectionError("parameter of " + one.operation, key, parameters);
}

std::vector<ParameterValue> values_of(const ParameterInfo& parameter,
                                      const std::string& implementation,
                                      const CandidateLimits& limits) {
  // Values for one implementation take precedence over those for all.
  for (const std::string& qualifier : {implementation + ".", std::string()})
    for (const auto& [key, given] : limits.values) {
      if (!is_key_of(key, qualifier, parameter)) continue;
      std::vector<ParameterValue> values;
      for (const ParameterValue& value : given)
        values.push_back(checked_parameter_value(parameter, value));
      return values;
    }
  std::vector<ParameterValue> values = parameter.values;
  if (std::find(values.begin(), values.end(), parameter.default_value) == values.end())
    values.push_back(parameter.default_value);
  return values;
}

bool is_wanted(const ImplementationInfo& info, const CandidateLimits& limits) {
  if (!limits.chosen.empty() && info.name != limits.chosen) return false;
  if (info.priority <= priority::reference && info.name != limits.chosen) return false;
  return limits.implementations.empty() ||
         std::find(limits.implementations.begin(), limits.implementations.end(), info.name) !=
             limits.implementations.end();
}

ParameterValues defaults_of(const std::vector<ParameterInfo>& parameters) {
  ParameterValues values;
  for (const ParameterInfo& parameter : parameters)
    values[parameter.name] = parameter.default_value;
  return values;
}

template <class Call>
void for_each_combination(const std::vector<Axis>& axes, const Call& call) {
  std::vector<std::size_t> at(axes.size(), 0);
  while (true) {
    ParameterValues values;
    for (std::size_t a = 0; a < axes.size(); ++a)
      values[axes[a].parameter] = axes[a].values[at[a]];
    call(std::move(values));
    std::size_t a = axes.size();
    while (a > 0 && ++at[a - 1] == axes[a - 1].values.size())
      at[--a] = 0;
    if (a == 0) return;
  }
}

}  // namespace

std::string to_string(const Candidate& candidate) {
  std::string text = candidate.implementation;
  for (const auto& [name, value] : candidate.parameters)
    text += " " + name + "=" + to_string(value);
  return text;
}

std::string to_string(const RefusedCandidates& refused) {
  std::string text = refused.implementation;
  if (!refused.whole())
    text +=
        ", " + std::to_string(refused.count) + " of " + std::to_string(refused.of) + " candidates";
  return text + ": " + refused.reason;
}

Candidates find_candidates(const Registry& registry, TrialRun& run, const CandidateLimits& limits) {
  require_known(registry, run, limits);
  const std::string operation = run.info().operation;
  const Precision precision = run.info().precision;
  // Only the choices of the configuration, because the search must not depend on earlier tuning.
  Choices configured;
  configured.add_text(registry, build_info().selection, ChoiceSource::configured);
  if (!limits.chosen.empty()) configured.choose(registry, operation, limits.chosen);
  Context context = run.context();
  context.choices = std::make_shared<const Choices>(std::move(configured));
  const DeviceProperties& device = context.opened().properties();

  Candidates found;
  const std::vector<RankedImplementation> ranked =
      rank(registry, operation, precision, context, [&](const ImplementationBase& i) {
        run.use(i, {});
        return run.can_run();
      });
  for (const RankedImplementation& row : ranked) {
    const ImplementationBase& i = registry.find(operation, precision, row.implementation);
    if (!row.chosen) continue;
    found.all.push_back({row.implementation, defaults_of(i.parameters_on(device))});
    found.defaults.push_back(0);
  }
  for (const RankedImplementation& row : ranked) {
    const ImplementationBase& i = registry.find(operation, precision, row.implementation);
    if (!is_wanted(i.info(), limits)) continue;
    std::vector<RefusedCandidates> refused;  // combinations of this implementation
    const auto note = [&](const std::string& reason) -> RefusedCandidates& {
      for (RefusedCandidates& one : refused)
        if (one.reason == reason) return one;
      return refused.emplace_back(RefusedCandidates{row.implementation, reason});
    };
    if (const Refusal refusal = i.can_run_on(context)) {
      found.refused.push_back(note(*refusal));
      continue;
    }
    std::vector<Axis> axes;
    for (const ParameterInfo& parameter : i.parameters_on(device))
      axes.push_back({parameter.name, values_of(parameter, row.implementation, limits)});
    std::int64_t combinations = 0;
    for_each_combination(axes, [&](ParameterValues parameters) {
      ++combinations;
      try {
        run.use(i, parameters);
        if (const Refusal refusal = run.can_run()) {
          ++note(*refusal).count;
          return;
        }
        if (!i.is_canonical(device, parameters)) {
          ++found.inert;
          return;
        }
      } catch (const InputError& error) {
        ++note(error.expected()).count;
        return;
      }
      Candidate candidate{row.implementation, std::move(parameters)};
      if (!found.all.empty() && candidate == found.all.front()) return;
      if (candidate.parameters == defaults_of(i.parameters_on(device)))
        found.defaults.push_back(found.all.size());
      found.all.push_back(std::move(candidate));
    });
    for (RefusedCandidates& one : refused) {
      one.of = combinations;
      found.refused.push_back(std::move(one));
    }
  }
  if (found.all.empty()) {
    Reasons reasons;
    for (const RankedImplementation& row : ranked)
      if (registry.find(operation, precision, row.implementation).info().priority >
          priority::reference)
        reasons.add(row.implementation, row.reason);
    throw RefusalError(operation + " in " + std::string(name(precision)), reasons.text());
  }
  return found;
}

}  // namespace tessera
