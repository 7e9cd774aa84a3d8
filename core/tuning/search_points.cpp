#include "core/tuning/search_points.hpp"

#include <algorithm>

namespace tessera {
namespace {

bool is_number(const ParameterValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

double number(const ParameterValue& value) {
  if (const auto* const i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  return std::get<double>(value);
}

bool before(const ParameterValue& a, const ParameterValue& b) {
  if (is_number(a) && is_number(b)) return number(a) < number(b);
  return to_string(a) < to_string(b);
}

}  // namespace

SearchPoints::SearchPoints(const std::vector<Candidate>& candidates) : count_(candidates.size()) {
  std::map<std::string, std::vector<ParameterValue>> values;
  std::vector<ParameterValue> implementations;
  const auto add_once = [](std::vector<ParameterValue>& all, const ParameterValue& value) {
    if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
  };
  for (const Candidate& c : candidates) {
    add_once(implementations, c.implementation);
    for (const auto& [parameter, value] : c.parameters)
      add_once(values[parameter], value);
  }
  const auto direction = [&](const std::string& name, std::vector<ParameterValue>& all) {
    std::sort(all.begin(), all.end(), before);
    directions_.push_back({name, std::all_of(all.begin(), all.end(), is_number), all.size()});
  };
  direction("implementation", implementations);
  for (auto& [parameter, all] : values)
    direction(parameter, all);

  coordinates_.assign(count_ * directions_.size(), lacking);
  const auto rank = [](const std::vector<ParameterValue>& all, const ParameterValue& value) {
    const auto at = std::find(all.begin(), all.end(), value) - all.begin();
    return all.size() < 2 ? 0.0 : static_cast<double>(at) / static_cast<double>(all.size() - 1);
  };
  for (std::size_t c = 0; c < count_; ++c) {
    double* const row = &coordinates_[c * directions_.size()];
    row[0] = rank(implementations, candidates[c].implementation);
    for (std::size_t d = 1; d < directions_.size(); ++d) {
      const auto at = candidates[c].parameters.find(directions_[d].name);
      if (at != candidates[c].parameters.end())
        row[d] = rank(values[directions_[d].name], at->second);
    }
  }
}

}  // namespace tessera
