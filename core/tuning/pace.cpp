#include "core/tuning/pace.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

/// Minimum and maximum share of the remaining time that is reserved for comparisons.
constexpr double share_of_comparisons = 1.0 / 3;
constexpr double most_of_comparisons = 2.0 / 3;
/// Share of the budget that must be left for another pass of measurements and comparisons.
constexpr double worth = 0.12;
/// A search is skipped after this number of consecutive turns without a measurement.
constexpr int most_idle = 2;

class Pacer {
 public:
  Pacer(const std::vector<PacedSearch*>& searches, const Pace& pace) : pace_(pace) {
    for (PacedSearch* const search : searches)
      turns_.push_back({search});
  }

  void run() {
    const double budget = left();
    while (true) {
      const bool measured = measure();
      if (stopped()) break;
      if (measured) compare();
      const bool more = std::any_of(turns_.begin(), turns_.end(),
                                    [&](const Turn& turn) { return turn.search->has_more(); });
      if (!more || evaluations_left() == 0 || !std::isfinite(budget) || left() < worth * budget)
        break;
    }
  }

 private:
  struct Turn {
    PacedSearch* search;
    double spent = 0;  ///< seconds, or evaluations where their number is limited
    int count = 0;
    int idle = 0;          ///< consecutive turns without a measurement
    bool compared = true;  ///< whether a comparison followed the last measurement
  };

  [[nodiscard]] double left() const { return pace_.until - pace_.clock(); }
  [[nodiscard]] bool stopped() const { return pace_.stop && pace_.stop(); }
  [[nodiscard]] std::int64_t evaluations_left() const {
    if (pace_.evaluations == 0) return std::numeric_limits<std::int64_t>::max();
    std::int64_t done = 0;
    for (const Turn& turn : turns_)
      done += turn.search->measured();
    return std::max<std::int64_t>(0, pace_.evaluations - done);
  }

  /// The search that, after its next turn, would have used the smallest part of its share.
  [[nodiscard]] Turn* next() {
    double cost = 0;
    int count = 0;
    for (const Turn& turn : turns_) {
      cost += turn.spent;
      count += turn.count;
    }
    Turn* chosen = nullptr;
    double least = 0;
    for (Turn& turn : turns_) {
      if (!turn.search->has_more() || turn.idle >= most_idle) continue;
      const double expected = turn.count > 0 ? turn.spent / turn.count : cost / std::max(1, count);
      const double after = (turn.spent + std::max(expected, 1e-9)) / turn.search->share();
      if (chosen == nullptr || after < least) {
        chosen = &turn;
        least = after;
      }
    }
    return chosen;
  }

  /// Part of `time` in seconds that is reserved for the comparisons.
  [[nodiscard]] double reserve(double time) const {
    if (!std::isfinite(time)) return 0;
    double needed = 0;
    for (const Turn& turn : turns_)
      if (turn.count > 0) needed += turn.search->least_seconds_of_comparison();
    return std::clamp(needed, share_of_comparisons * time, most_of_comparisons * time);
  }

  /// \returns whether any candidate was measured.
  bool measure() {
    const double time = left();
    bool measured = false;
    for (Turn& turn : turns_)
      turn.idle = 0;
    while (!stopped() && left() > reserve(time) && evaluations_left() > 0) {
      Turn* const turn = next();
      if (turn == nullptr) break;
      const double start = pace_.clock();
      const std::int64_t before = turn->search->measured();
      const std::int64_t most =
          std::min(static_cast<std::int64_t>(pace_.group), evaluations_left());
      turn->search->measure(static_cast<std::size_t>(most), left() - reserve(time));
      const std::int64_t found = turn->search->measured() - before;
      turn->spent += pace_.evaluations > 0 ? static_cast<double>(found) : pace_.clock() - start;
      ++turn->count;
      turn->idle = found == 0 ? turn->idle + 1 : 0;
      if (found == 0) continue;
      turn->compared = false;
      measured = true;
    }
    return measured;
  }

  void compare() {
    double shares = 0;
    for (const Turn& turn : turns_)
      if (!turn.compared) shares += turn.search->share();
    for (Turn& turn : turns_) {
      if (turn.compared || stopped()) continue;
      const double share = turn.search->share();
      turn.search->compare(std::isfinite(pace_.until) ? left() * share / shares : no_time_limit);
      shares -= share;
      turn.compared = true;
    }
  }

  const Pace& pace_;
  std::vector<Turn> turns_;
};

}  // namespace

void run_paced(const std::vector<PacedSearch*>& searches, const Pace& pace) {
  Pacer(searches, pace).run();
}

}  // namespace tessera
