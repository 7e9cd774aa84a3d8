#include "core/tuning/tuner.hpp"

#include "core/tuning/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

namespace tessera {
namespace {

/// For an implementation other than that of the untuned candidate: its fastest candidate, and its
/// default candidate where that is another one.
struct Own {
  std::size_t best;
  std::optional<std::size_t> defaults;
};

/// Candidates of a comparison.
struct Finalists {
  std::vector<std::size_t> all;  ///< most important first
  std::vector<Own> own;
};

/// The fastest `most` candidates except the untuned one. Adds, for each implementation other than
/// that of the untuned candidate, its fastest candidate and its defaults. A tie goes to the lower
/// index.
Finalists finalists_of(const Measured& measured, const Evaluator& evaluator, std::size_t most) {
  const std::vector<Candidate>& candidates = evaluator.candidates();
  std::vector<std::size_t> order;
  for (const auto& [c, m] : measured)
    if (m.counts()) order.push_back(c);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return measured.at(a).seconds < measured.at(b).seconds;
  });
  Finalists finalists;
  const auto add = [&](std::size_t c) {
    if (c != 0 && std::find(finalists.all.begin(), finalists.all.end(), c) == finalists.all.end())
      finalists.all.push_back(c);
  };
  std::vector<std::string> seen{candidates.front().implementation};
  for (const std::size_t c : order) {
    if (finalists.all.size() < most) add(c);
    const std::string& implementation = candidates[c].implementation;
    if (std::find(seen.begin(), seen.end(), implementation) != seen.end()) continue;
    seen.push_back(implementation);
    finalists.own.push_back({c, {}});
  }
  for (Own& own : finalists.own) {
    add(own.best);
    for (const std::size_t c : evaluator.defaults())
      if (c != own.best && candidates[c].implementation == candidates[own.best].implementation)
        own.defaults = c;
  }
  for (const Own& own : finalists.own)
    if (own.defaults) add(*own.defaults);
  return finalists;
}

/// Rounds of a comparison: the remaining candidates with their times in every round.
class Rounds {
 public:
  explicit Rounds(std::vector<std::size_t> candidates)
      : candidates_(std::move(candidates)), seconds_(candidates_.size()) {}

  [[nodiscard]] const std::vector<std::size_t>& candidates() const { return candidates_; }
  [[nodiscard]] int count() const { return count_; }

  /// Removes candidates that failed.
  void add(const std::vector<double>& times) {
    ++count_;
    for (std::size_t k = candidates_.size(); k-- > 0;) {
      if (times[k] > 0)
        seconds_[k].push_back(times[k]);
      else
        remove(k);
    }
  }
  /// Number of remaining candidates except the untuned one.
  [[nodiscard]] std::size_t finalists() const {
    return candidates_.size() -
           static_cast<std::size_t>(std::count(candidates_.begin(), candidates_.end(), 0));
  }
  void remove_last_finalist() {
    std::size_t k = candidates_.size() - 1;
    while (candidates_[k] == 0)
      --k;
    remove(k);
  }
  void remove(std::size_t k) {
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(k));
    seconds_.erase(seconds_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  /// Times of a candidate; null where it is not compared. \param last selects the last entry of a
  /// candidate that is listed twice.
  [[nodiscard]] const std::vector<double>* of(std::size_t candidate, bool last = false) const {
    const std::vector<double>* found = nullptr;
    for (std::size_t k = 0; k < candidates_.size(); ++k)
      if (candidates_[k] == candidate && (found == nullptr || last)) found = &seconds_[k];
    return found;
  }
  /// Ratio of two candidates; without rounds where one of them is missing.
  [[nodiscard]] Ratio ratio(std::size_t candidate, std::size_t over) const {
    const auto* const a = of(candidate);
    const auto* const b = of(over);
    return a == nullptr || b == nullptr ? Ratio{} : ratio_of(*a, *b);
  }
  /// Ratio of the untuned candidate to itself; without rounds where it is not listed twice.
  [[nodiscard]] Ratio yardstick() const {
    const auto* const a = of(0);
    const auto* const b = of(0, true);
    return a == b ? Ratio{} : ratio_of(*b, *a);
  }

 private:
  std::vector<std::size_t> candidates_;
  std::vector<std::vector<double>> seconds_;
  int count_ = 0;
};

}  // namespace

TuningClock steady_clock_seconds() {
  return [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
}

class Search::Implementation {
 public:
  Implementation(Evaluator& evaluator, TunerOptions options, Measured known)
      : evaluator_(evaluator),
        options_(std::move(options)),
        strategy_(make_strategy(options_.strategy, evaluator.candidates(), options_.seed)) {
    result_.measured = std::move(known);
    for (const auto& entry : result_.measured)
      result_.order.push_back(entry.first);
  }

  [[nodiscard]] bool has_more() const {
    return !exhausted_ && result_.measured.size() < evaluator_.candidates().size();
  }

  std::size_t measure(std::size_t most, double seconds) {
    const std::vector<std::size_t> next = strategy_->next(result_.measured, most);
    exhausted_ = next.empty();
    if (exhausted_) return 0;
    const std::vector<Measurement> found = evaluator_.measure(next, seconds);
    std::size_t measured = 0;
    for (std::size_t k = 0; k < next.size(); ++k) {
      if (!found[k].known()) continue;
      result_.measured[next[k]] = found[k];
      result_.order.push_back(next[k]);
      ++measured;
    }
    if (options_.progress) options_.progress(result_.measured);
    return measured;
  }

  [[nodiscard]] double least_seconds_of_comparison() const {
    // Covers least_compared candidates in the fewest rounds, the warm-up of one candidate, which
    // takes several samples, and a check of the winner.
    constexpr double least_compared = 3, warm_up = 5;
    return evaluator_.seconds_of_sample() *
               (least_compared * least_values(Ratio::confidence) + warm_up) +
           check_seconds();
  }

  void compare(double seconds) {
    const double end = options_.clock() + seconds;
    const TuningResult former = result_;
    forget_comparison();
    result_.stopped = stopped();
    if (result_.stopped) return;
    const auto untuned = result_.measured.find(0);
    const bool untuned_fails = untuned != result_.measured.end() && !untuned->second.counts();
    if (untuned_fails)
      result_.note = "the untuned candidate, " + to_string(evaluator_.candidates().front()) +
                     ", is " + std::string(name(untuned->second.outcome)) + ": " +
                     untuned->second.reason;
    const Finalists finalists = finalists_of(result_.measured, evaluator_, options_.finalists);
    if (finalists.all.empty()) {
      if (has_more() && result_.measured.size() < 2)
        result_.doubtful = "nothing was measured except the untuned candidate";
      return;
    }
    if (untuned == result_.measured.end()) {
      result_.doubtful = "the untuned candidate was not measured";
      return;
    }
    const Rounds rounds = take_rounds(finalists, untuned_fails, end);
    result_.stopped = stopped();
    if (!result_.stopped) decide(finalists, rounds, end);
    // An earlier comparison with a significant result is worth more than a later doubtful one.
    if (result_.doubtful && !former.compared.empty() && !former.doubtful) restore(former);
    evaluator_.rest();
  }

  [[nodiscard]] const TuningResult& result() const { return result_; }

 private:
  [[nodiscard]] bool stopped() const { return options_.stop && options_.stop(); }

  void forget_comparison() { restore({}); }

  /// Replaces the comparison and keeps all measurements.
  void restore(TuningResult comparison) {
    comparison.measured = std::move(result_.measured);
    comparison.order = std::move(result_.order);
    comparison.note = std::move(result_.note);
    result_ = std::move(comparison);
  }

  [[nodiscard]] double check_seconds() const { return 1.3 * evaluator_.seconds_of_check(); }

  /// Number of candidates that can be compared in the given time, including two plans of the
  /// untuned one. The time covers making plans, warm-up, and enough rounds for an interval.
  [[nodiscard]] std::size_t affordable(double seconds) const {
    const double cost = evaluator_.seconds_of_sample() * (3 + least_values(Ratio::confidence));
    const double many = cost > 0 ? seconds / cost : 1e6;
    return static_cast<std::size_t>(std::clamp(many, 3.0, 1e6));
  }

  /// Takes the rounds of a comparison. The untuned candidate is listed first and last. Drops
  /// candidates that fail, and the least important ones where the time does not suffice.
  Rounds take_rounds(const Finalists& finalists, bool untuned_fails, double end) {
    std::vector<std::size_t> list = finalists.all;
    list.resize(std::min(list.size(), affordable(end - options_.clock()) - 2));
    if (!untuned_fails) {
      list.insert(list.begin(), 0);
      list.push_back(0);
    }
    Rounds rounds(std::move(list));
    const int most = std::isfinite(end) ? options_.most_rounds : options_.rounds;
    while (rounds.count() < most && rounds.finalists() > 0 && !stopped()) {
      if (rounds.count() >= options_.rounds && is_clear(rounds)) break;
      const double start = options_.clock();
      // Leaves time to check the winner once more.
      const bool enough = rounds.count() >= least_values(Ratio::confidence);
      if (start >= (enough ? end - check_seconds() : end)) break;
      const std::vector<double> times =
          evaluator_.round(rounds.candidates(), rounds.count() % 2 == 1, end - start);
      if (times.size() != rounds.candidates().size()) break;
      rounds.add(times);
      // The first round makes plans and warms up.
      if (rounds.count() < 2) continue;
      const double now = options_.clock();
      const double of_one = (now - start) / static_cast<double>(times.size());
      const double missing = least_values(Ratio::confidence) - rounds.count();
      while (missing > 0 && rounds.finalists() > 1 &&
             of_one * missing * static_cast<double>(rounds.candidates().size()) > end - now)
        rounds.remove_last_finalist();
    }
    return rounds;
  }

  /// Whether further rounds would change nothing: the fastest candidate is significantly faster, or
  /// none can be faster by a relevant gain.
  [[nodiscard]] static bool is_clear(const Rounds& rounds) {
    const double noise = noise_of(rounds.yardstick());
    double least = 1;
    bool won = false;
    for (const std::size_t c : rounds.candidates()) {
      if (c == 0) continue;
      const Ratio ratio = rounds.ratio(c, 0);
      least = std::min(least, ratio.interval.low);
      won = won || !unsupported(ratio.gains(), noise);
    }
    return won || least > 1 - least_gain;
  }

  void decide(const Finalists& finalists, const Rounds& rounds, double end) {
    // If the untuned candidate fails, any candidate that works is better.
    const std::vector<double>* const base = rounds.of(0);
    if (base == nullptr) {
      take_anything(rounds, end);
      return;
    }
    note_ratios(rounds, *base);
    result_.noise = noise_of(rounds.yardstick());
    result_.doubtful = too_noisy(result_.noise);
    const int least = least_values(Ratio::confidence);
    if (rounds.count() < least)
      result_.doubtful = "the time was enough for " + std::to_string(rounds.count()) +
                         " rounds of the comparison, expected " + std::to_string(least);
    choose_winner(rounds, end);
    if (!result_.doubtful) keep_own_values(finalists, rounds, end);
  }

  /// Records time ratios to the untuned candidate within a round. The second plan of the untuned
  /// candidate comes last.
  void note_ratios(const Rounds& rounds, const std::vector<double>& base) {
    const auto note = [&](std::size_t candidate, const std::vector<double>& seconds) {
      std::vector<double> ratios;
      for (std::size_t r = 0; r < std::min(seconds.size(), base.size()); ++r)
        ratios.push_back(seconds[r] / base[r]);
      result_.compared.emplace_back(candidate, std::move(ratios));
    };
    for (const std::size_t c : rounds.candidates())
      if (c != 0) note(c, *rounds.of(c));
    note(0, *rounds.of(0, true));
  }

  /// Chooses the fastest candidate whose gain is significant.
  void choose_winner(const Rounds& rounds, double end) {
    std::vector<std::pair<Ratio, std::size_t>> faster;
    for (const std::size_t c : rounds.candidates())
      if (const Ratio ratio = rounds.ratio(c, 0); c != 0 && ratio.median < 1)
        faster.emplace_back(ratio, c);
    std::stable_sort(faster.begin(), faster.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first.median, a.second) < std::pair(b.first.median, b.second);
    });
    if (!faster.empty()) result_.looked = faster.front().first.gain();
    for (const auto& [ratio, c] : faster) {
      Refusal reason = result_.doubtful;
      if (!reason) reason = unsupported(ratio.gains(), result_.noise);
      if (!reason) reason = fails_alone(c, end);
      if (!reason) {
        result_.winner = c;
        result_.ratio = ratio;
        result_.kept_default = false;
        result_.not_kept.reset();
        return;
      }
      if (!result_.not_kept) result_.not_kept = told(c, ratio) + ": " + *reason;
    }
  }

  [[nodiscard]] std::string told(std::size_t candidate, const Ratio& ratio) const {
    char gain[40];
    std::snprintf(gain, sizeof gain, ", gain %.3f", ratio.gain());
    return to_string(candidate_of(candidate)) + gain;
  }

  /// Keeps parameter values that are faster than the defaults of their implementation.
  void keep_own_values(const Finalists& finalists, const Rounds& rounds, double end) {
    for (const Own& own : finalists.own) {
      if (!own.defaults) continue;
      const Ratio to_defaults = rounds.ratio(own.best, *own.defaults);
      if (to_defaults.rounds == 0 || unsupported(to_defaults.gains(), result_.noise)) continue;
      if (own.best != result_.winner && fails_alone(own.best, end)) continue;
      result_.own.push_back({own.best, rounds.ratio(own.best, 0), to_defaults});
    }
  }

  /// Chooses the fastest candidate that works, where the untuned one fails.
  void take_anything(const Rounds& rounds, double end) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const std::size_t c : rounds.candidates())
      order.emplace_back(median_of(*rounds.of(c)), c);
    std::sort(order.begin(), order.end());
    for (const auto& [seconds, c] : order)
      if (!fails_alone(c, end)) {
        result_.winner = c;
        result_.kept_default = false;
        return;
      }
    result_.doubtful = "no candidate that runs was compared";
  }

  [[nodiscard]] const Candidate& candidate_of(std::size_t candidate) const {
    return evaluator_.candidates()[candidate];
  }

  /// Checks a candidate in isolation. The earlier check shared a process with other candidates,
  /// which can hide a fault.
  [[nodiscard]] Refusal fails_alone(std::size_t candidate, double end) {
    const double left = end - options_.clock();
    const Measurement found = left > 0 ? evaluator_.check(candidate, left) : Measurement{};
    if (found.counts()) return {};
    if (!found.known()) {
      const std::string reason =
          "no time was left to check " + to_string(candidate_of(candidate)) + " once more";
      if (result_.kept_default) result_.doubtful = reason;
      return reason;
    }
    result_.measured[candidate] = found;
    return std::string(name(found.outcome)) + " by itself: " + found.reason;
  }

  Evaluator& evaluator_;
  TunerOptions options_;
  std::unique_ptr<Strategy> strategy_;
  TuningResult result_;
  bool exhausted_ = false;
};

Search::Search(Evaluator& evaluator, TunerOptions options, Measured known)
    : implementation_(
          std::make_unique<Implementation>(evaluator, std::move(options), std::move(known))) {}

Search::~Search() = default;

bool Search::has_more() const {
  return implementation_->has_more();
}

std::size_t Search::measure(std::size_t most, double seconds) {
  return implementation_->measure(most, seconds);
}

double Search::least_seconds_of_comparison() const {
  return implementation_->least_seconds_of_comparison();
}

void Search::compare(double seconds) {
  implementation_->compare(seconds);
}

const TuningResult& Search::result() const {
  return implementation_->result();
}

TuningResult search(Evaluator& evaluator, const TunerOptions& options, std::int64_t evaluations,
                    std::size_t group, Measured known) {
  Search one(evaluator, options, std::move(known));
  const auto most = static_cast<std::size_t>(evaluations);
  const auto asked_to_stop = [&] { return options.stop && options.stop(); };
  while (one.has_more() && !asked_to_stop()) {
    const std::size_t done = one.result().measured.size();
    if (most > 0 && done >= most) break;
    if (one.measure(most > 0 ? std::min(group, most - done) : group) == 0) break;
  }
  one.compare();
  return one.result();
}

}  // namespace tessera
