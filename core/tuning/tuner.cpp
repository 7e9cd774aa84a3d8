#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tessera/core/tuning/statistics.hpp>
#include <tessera/core/tuning/tuner.hpp>
#include <utility>

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

/// The fastest few that are not the untuned one, and the fastest of each implementation; ties go to
/// the first.
std::vector<std::size_t> finalists_of(const Measured& measured,
                                      const std::vector<Candidate>& candidates, int most) {
  std::vector<std::size_t> order;
  for (const auto& [c, m] : measured)
    if (c != 0 && m.counts()) order.push_back(c);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return measured.at(a).seconds < measured.at(b).seconds;
  });
  std::vector<std::size_t> chosen;
  std::vector<std::string> seen;
  for (const std::size_t c : order) {
    const std::string& implementation = candidates[c].implementation;
    const bool best = std::find(seen.begin(), seen.end(), implementation) == seen.end();
    if (best) seen.push_back(implementation);
    if (best || chosen.size() < static_cast<std::size_t>(most)) chosen.push_back(c);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void compare(Evaluator& evaluator, const TunerOptions& options, TuningResult& result) {
  const std::vector<std::size_t> finalists =
      finalists_of(result.measured, evaluator.candidates(), options.finalists);
  if (finalists.empty()) return;
  const std::vector<std::vector<double>> ratios = evaluator.compare(finalists, options.rounds);
  const std::vector<double>& yardstick = ratios.back();
  if (options.stop && options.stop()) {
    result.stopped = true;
    return;
  }
  // A wrong one is no alternative: anything else is better.
  const bool untuned_fails = yardstick.empty() || !result.measured.at(0).counts();
  if (untuned_fails) result.ratio = std::numeric_limits<double>::infinity();
  // What the untuned one shows against itself, and how well either median is known.
  const double own = std::abs(median_of(yardstick) - 1) + 2 * error_of_median(yardstick);
  result.noise = own;
  for (std::size_t k = 0; k < finalists.size(); ++k) {
    if (ratios[k].empty()) continue;
    result.compared.emplace_back(finalists[k], ratios[k]);
    const double ratio = median_of(ratios[k]);
    const double noise = std::max(own, 2 * error_of_median(ratios[k]));
    if (ratio < result.ratio && (untuned_fails || 1 - ratio > noise)) {
      result.ratio = ratio;
      result.winner = finalists[k];
      result.kept_default = false;
      result.noise = noise;
    }
  }
  if (!std::isfinite(result.ratio)) result.ratio = 1;
  result.compared.emplace_back(0, yardstick);
}

}  // namespace

TuningResult search(Evaluator& evaluator, const TunerOptions& options, Measured known) {
  const Clock::time_point start = Clock::now();
  const std::vector<Candidate>& candidates = evaluator.candidates();
  const auto strategy = make_strategy(options.strategy, candidates, options.seed);
  TuningResult result;
  result.measured = std::move(known);
  for (const auto& entry : result.measured)
    result.order.push_back(entry.first);
  const auto most = options.evaluations > 0
                        ? std::min(candidates.size(), static_cast<std::size_t>(options.evaluations))
                        : candidates.size();
  const auto asked_to_stop = [&] { return options.stop && options.stop(); };
  const auto out_of_time = [&] {
    const std::chrono::duration<double> passed = Clock::now() - start;
    return options.seconds > 0 && passed.count() >= options.seconds;
  };
  // However little time there is, what runs untuned is measured.
  while (result.measured.size() < most && !asked_to_stop() &&
         (result.measured.empty() || !out_of_time())) {
    const std::vector<std::size_t> next =
        strategy->next(result.measured, std::min(options.group, most - result.measured.size()));
    if (next.empty()) break;
    const std::vector<Measurement> found = evaluator.measure(next);
    for (std::size_t k = 0; k < next.size(); ++k) {
      if (!found[k].known()) continue;
      result.measured[next[k]] = found[k];
      result.order.push_back(next[k]);
    }
    if (options.progress) options.progress(result.measured);
  }
  result.stopped = asked_to_stop();
  const auto untuned = result.measured.find(0);
  if (untuned != result.measured.end() && !untuned->second.counts())
    result.note = "what runs untuned, " + to_string(candidates.front()) + ", is " +
                  std::string(name(untuned->second.outcome)) + ": " + untuned->second.reason;
  if (!result.stopped) compare(evaluator, options, result);
  return result;
}

}  // namespace tessera
