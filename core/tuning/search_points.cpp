#include "core/tuning/search_points.hpp"

#include <algorithm>

namespace tessera {
namespace {

bool is_number(const KnobValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

double number(const KnobValue& value) {
  if (const auto* const i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  return std::get<double>(value);
}

bool before(const KnobValue& a, const KnobValue& b) {
  if (is_number(a) && is_number(b)) return number(a) < number(b);
  return to_string(a) < to_string(b);
}

}  // namespace

SearchPoints::SearchPoints(const std::vector<Candidate>& candidates) : count_(candidates.size()) {
  std::map<std::string, std::vector<KnobValue>> values;
  std::vector<KnobValue> implementations;
  const auto add_once = [](std::vector<KnobValue>& all, const KnobValue& value) {
    if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
  };
  for (const Candidate& c : candidates) {
    add_once(implementations, c.implementation);
    for (const auto& [knob, value] : c.knobs)
      add_once(values[knob], value);
  }
  const auto direction = [&](const std::string& name, std::vector<KnobValue>& all) {
    std::sort(all.begin(), all.end(), before);
    directions_.push_back({name, std::all_of(all.begin(), all.end(), is_number), all.size()});
  };
  direction("implementation", implementations);
  for (auto& [knob, all] : values)
    direction(knob, all);

  coordinates_.assign(count_ * directions_.size(), lacking);
  const auto rank = [](const std::vector<KnobValue>& all, const KnobValue& value) {
    const auto at = std::find(all.begin(), all.end(), value) - all.begin();
    return all.size() < 2 ? 0.0 : static_cast<double>(at) / static_cast<double>(all.size() - 1);
  };
  for (std::size_t c = 0; c < count_; ++c) {
    double* const row = &coordinates_[c * directions_.size()];
    row[0] = rank(implementations, candidates[c].implementation);
    for (std::size_t d = 1; d < directions_.size(); ++d) {
      const auto at = candidates[c].knobs.find(directions_[d].name);
      if (at != candidates[c].knobs.end()) row[d] = rank(values[directions_[d].name], at->second);
    }
  }
}

}  // namespace tessera
