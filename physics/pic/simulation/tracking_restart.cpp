#include "physics/pic/simulation/tracking_restart.hpp"

#include <array>
#include <cmath>

namespace tessera::pic {
namespace {

constexpr const char* steps_field = "line.steps";
constexpr const char* ladder_field = "domain.step";
constexpr const char* spacing_field = "domain.spacing";
constexpr const char* counts_field = "kick.counts";

/// Largest accepted count: far above any real one, and additions to it cannot overflow.
constexpr std::int64_t most_counted = std::int64_t{1} << 60;

void require_counted(const RestartFile& file, const char* field, std::int64_t count) {
  if (count < 0 || count > most_counted)
    throw file.error(field, "expected 0 to " + std::to_string(most_counted), std::to_string(count));
}

}  // namespace

void save(const TrackingNumbers& numbers, const TrackingPlan& plan, RestartFile& file) {
  const DomainState& domain = numbers.kick.domain;
  file.put("step", numbers.step);
  file.put(steps_field, plan.steps_of_turn());
  file.put<std::int64_t>(ladder_field, std::span<const std::int64_t>(domain.step));
  file.put<double>(spacing_field, std::span<const double>(domain.spacing));
  const std::array counts = {domain.asked, domain.kept, numbers.kick.kicks, numbers.outside,
                             numbers.on_grid};
  file.put<std::int64_t>(counts_field, std::span<const std::int64_t>(counts));
}

TrackingNumbers load_tracking(const RestartFile& file, const TrackingPlan& plan) {
  TrackingNumbers numbers;
  numbers.step = file.value<std::int64_t>("step");
  require_counted(file, "step", numbers.step);
  const auto steps = file.value<std::int64_t>(steps_field);
  if (steps != plan.steps_of_turn())
    throw file.error(steps_field,
                     "the line of the case has " + std::to_string(plan.steps_of_turn()) +
                         " steps, expected the line that the run was in",
                     std::to_string(steps));
  const auto ladder = file.get<std::int64_t>(ladder_field, 3);
  const auto spacing = file.get<double>(spacing_field, 3);
  const auto counts = file.get<std::int64_t>(counts_field, 5);
  DomainState& domain = numbers.kick.domain;
  for (std::size_t a = 0; a < 3; ++a) {
    domain.step[a] = ladder[a];
    domain.spacing[a] = spacing[a];
  }
  domain.asked = counts[0];
  domain.kept = counts[1];
  numbers.kick.kicks = counts[2];
  numbers.outside = counts[3];
  numbers.on_grid = counts[4];
  for (const std::int64_t count : counts)
    require_counted(file, counts_field, count);
  try {
    static_cast<void>(Domain(DomainRule{}, domain));
  } catch (const ArgumentError& error) {
    throw file.error(ladder_field, error.what());
  }
  return numbers;
}

}  // namespace tessera::pic
