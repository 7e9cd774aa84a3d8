#include "apps/tessera/tune_replay.hpp"

#include "apps/tessera/table.hpp"
#include "core/tuning/landscape.hpp"
#include "core/tuning/statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

constexpr double good = 0.95;

struct Replay {
  std::vector<double> evaluations;  ///< number until a good candidate, for each seed
  std::vector<double> reached;      ///< share of the best speed after a tenth of the candidates
};

double reached_within(const Landscape& landscape, const std::string& strategy, std::uint64_t seed,
                      std::size_t group, std::size_t evaluations) {
  const auto search = make_strategy(strategy, landscape.candidates, seed);
  Measured measured;
  double best = 0;
  while (measured.size() < evaluations) {
    const auto next = search->next(measured, std::min(group, evaluations - measured.size()));
    if (next.empty()) break;
    for (const std::size_t c : next) {
      const Measurement& m = landscape.measurements[c];
      measured[c] = m;
      if (m.counts()) best = std::max(best, landscape.best_seconds() / m.seconds);
    }
  }
  return best;
}

Replay replay(const Landscape& landscape, const std::string& strategy, int seeds,
              std::size_t group) {
  Replay found;
  const auto tenth =
      static_cast<std::size_t>(std::ceil(0.1 * static_cast<double>(landscape.candidates.size())));
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto s = static_cast<std::uint64_t>(seed);
    found.evaluations.push_back(
        static_cast<double>(evaluations_to(landscape, strategy, s, good, group)));
    found.reached.push_back(reached_within(landscape, strategy, s, group, tenth));
    // One seed is enough: this strategy does not depend on it.
    if (strategy == "exhaustive") break;
  }
  std::sort(found.evaluations.begin(), found.evaluations.end());
  return found;
}

}  // namespace

void replay_strategies(const std::vector<std::string>& files, int seeds, int group, bool json) {
  Table table({"landscape", ">candidates", ">good %", "strategy", ">median", ">%", ">27 of 30",
               ">%", ">speed with 10 %"});
  ordered_json all = ordered_json::array();
  for (const std::string& file : files) {
    const Landscape landscape = read_landscape(file);
    const auto n = static_cast<double>(landscape.candidates.size());
    for (const std::string& strategy : strategy_names()) {
      const Replay r = replay(landscape, strategy, seeds, static_cast<std::size_t>(group));
      const double median = median_of(r.evaluations);
      const auto at =
          static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(r.evaluations.size())) - 1);
      const double most = r.evaluations[at];
      const double reached = median_of(r.reached);
      const double share = landscape.share_within(good);
      table.add({std::filesystem::path(file).stem().string(), fmt::format("{:.0f}", n),
                 fmt::format("{:.1f}", 100 * share), strategy, fmt::format("{:.0f}", median),
                 fmt::format("{:.1f}", 100 * median / n), fmt::format("{:.0f}", most),
                 fmt::format("{:.1f}", 100 * most / n), fmt::format("{:.3f}", reached)});
      all.push_back({{"landscape", file},
                     {"candidates", landscape.candidates.size()},
                     {"valid", landscape.valid()},
                     {"within_5_percent", share},
                     {"strategy", strategy},
                     {"group", group},
                     {"evaluations", r.evaluations},
                     {"median", median},
                     {"27_of_30", most},
                     {"speed_with_a_tenth", reached}});
    }
  }
  if (json)
    fmt::print("{}\n", all.dump(2));
  else
    table.print(stdout);
}

}  // namespace tessera::command_line
