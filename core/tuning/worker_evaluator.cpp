#include "core/tuning/worker_evaluator.hpp"

#include "core/base/error.hpp"
#include "core/parameters/parameter_json.hpp"
#include "core/trials/reference_cache.hpp"
#include "core/tuning/problem_key_json.hpp"
#include "core/tuning/refused_json.hpp"
#include "core/tuning/statistics.hpp"
#include "core/tuning/worker.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tessera {
// A named namespace, because gcc warns of members whose types are in an anonymous one.
namespace worker_evaluation {

using nlohmann::ordered_json;
using Outcome = Measurement::Outcome;

/// The answer of a worker, or the cause of its end.
struct Reply {
  WorkerReply::End end = WorkerReply::End::answered;
  ordered_json json;
  std::string text;

  [[nodiscard]] std::string outcome() const {
    return json.is_object() ? json.value("outcome", std::string()) : std::string();
  }
  [[nodiscard]] std::string detail() const {
    std::string detail = json.value("detail", std::string());
    if (json.contains("input")) detail += " (" + json["input"].get<std::string>() + ")";
    return detail;
  }
};

inline Measurement ended(Outcome outcome, std::string reason) {
  Measurement m;
  m.outcome = outcome;
  m.reason = std::move(reason);
  return m;
}

inline Measurement passed() {
  Measurement m;
  m.outcome = Outcome::measured;
  return m;
}

/// The measurement of a candidate for which the worker reported a failure.
inline Measurement failure(const Reply& reply) {
  if (reply.end == WorkerReply::End::crashed) return ended(Outcome::crashed, reply.text);
  if (reply.end == WorkerReply::End::timed_out) return ended(Outcome::timed_out, reply.text);
  if (reply.outcome() == "refused" || reply.outcome() == "invalid")
    return ended(Outcome::refused, reply.detail());
  return ended(Outcome::wrong, reply.detail());
}

/// Samples of one candidate.
struct Samples {
  std::vector<double> seconds;
  std::vector<double> prepares;
  double steps = std::numeric_limits<double>::infinity();
  std::int64_t calls = 0;

  void take(const ordered_json& reply) {
    seconds.push_back(reply.at("seconds").get<double>());
    calls = reply.at("calls").get<std::int64_t>();
    if (!reply.contains("prepare_seconds")) return;
    prepares.push_back(reply["prepare_seconds"].get<double>());
    steps = reply.value("steps", steps);
  }

  /// The last sample, with its share of prepare.
  [[nodiscard]] double last_step() const { return seconds.back() + median_of(prepares) / steps; }
  /// Samples of all rounds, with their share of prepare.
  [[nodiscard]] std::vector<double> step_seconds() const {
    std::vector<double> all = seconds;
    for (double& s : all)
      s += median_of(prepares) / steps;
    return all;
  }
};

/// Thrown when the time limit is reached. This is no failure of the candidate.
struct TimeIsUp {};

inline std::vector<double> ratios_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all;
  for (std::size_t r = 0; r < std::min(a.size(), b.size()); ++r)
    all.push_back(a[r] / b[r]);
  return all;
}

}  // namespace worker_evaluation

using namespace worker_evaluation;

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::unmeasured:
      return "unmeasured";
    case Outcome::measured:
      return "measured";
    case Outcome::wrong:
      return "wrong";
    case Outcome::refused:
      return "refused";
    case Outcome::crashed:
      return "crashed";
    case Outcome::timed_out:
      return "timed out";
  }
  return "unknown";
}

Outcome measurement_outcome(std::string_view text) {
  for (const Outcome outcome : {Outcome::unmeasured, Outcome::measured, Outcome::wrong,
                                Outcome::refused, Outcome::crashed, Outcome::timed_out})
    if (name(outcome) == text) return outcome;
  throw InputError({{}, 0, "outcome", std::string(text)},
                   "expected unmeasured, measured, wrong, refused, crashed or timed out");
}

class WorkerEvaluator::Implementation {
 public:
  Implementation(WorkerEvaluatorOptions options, double seconds)
      : options_(std::move(options)), timeout_(options_.timeout) {
    end_after(seconds);
    Reply reply;
    try {
      reply = open(true);
    } catch (const TimeIsUp&) {
      throw TimeIsUpError("the time ended before its problem was set up");
    }
    if (reply.end != WorkerReply::End::answered)
      throw Error("a worker could not open the problem: " + reply.text);
    if (reply.outcome() == "no problem") return;
    if (reply.outcome() == "refused") throw RefusalError(options_.operation, reply.detail());
    if (reply.outcome() == "invalid") throw InputError({}, reply.detail());
    if (reply.outcome() != "ready")
      throw Error("a worker could not open the problem: " + reply.detail());
    const ordered_json& j = reply.json;
    label = j.at("label").get<std::string>();
    items = j.at("items").get<double>();
    key = problem_key_from_json(JsonValue(j).at("key"));
    device.backend = j.at("device").at("backend").get<std::string>();
    device.name = j["device"].at("name").get<std::string>();
    device.architecture = j["device"].at("architecture").get<std::string>();
    device.memory = static_cast<MemorySpace>(j["device"].at("memory").get<int>());
    device.compute_units = j["device"].at("compute_units").get<int>();
    device.concurrency = j["device"].at("concurrency").get<std::int64_t>();
    device.driver = j["device"].at("driver").get<std::string>();
    for (const ordered_json& c : j.at("candidates"))
      candidates.push_back({c.at("implementation").get<std::string>(),
                            parameters_from_json(JsonValue(c).at("parameters"))});
    defaults = j.at("defaults").get<std::vector<std::size_t>>();
    refused = refused_from_json(JsonValue(j).at("refused"));
  }

  std::vector<Measurement> measure(const std::vector<std::size_t>& which, double seconds) {
    end_after(seconds);
    std::vector<Measurement> all(which.size());
    const auto most = static_cast<std::size_t>(std::max(1, options_.group));
    for (std::size_t first = 0; first < which.size() && !stopped() && left() > 0; first += most) {
      const std::size_t last = std::min(which.size(), first + most);
      measure_group(which, first, last, all);
    }
    return all;
  }

  std::vector<double> round(const std::vector<std::size_t>& which, bool backwards, double seconds) {
    end_after(seconds);
    // Samples of a search are not rounds of a comparison and are discarded; plans are kept.
    if (!compares_)
      for (auto& [slot, samples] : samples_)
        samples.seconds.clear();
    compares_ = true;
    std::vector<double> times(which.size());
    for (std::size_t turn = 0; turn < which.size(); ++turn) {
      if (stopped()) return {};
      const std::size_t k = backwards ? which.size() - 1 - turn : turn;
      // A later entry for the first candidate stands for its second plan.
      const int slot = k > 0 && which[k] == which.front() ? slot_of_yardstick : slot_of(which[k]);
      try {
        if (sample(slot, which[k]).counts()) times[k] = samples_[slot].last_step();
      } catch (const TimeIsUp&) {
        return {};
      }
    }
    return times;
  }

  Measurement check(std::size_t candidate, double seconds) {
    end_after(seconds);
    try {
      return check_alone(candidate);
    } catch (const TimeIsUp&) {
      return {};
    }
  }

  void rest() {
    close();
    samples_.clear();
    compares_ = false;
  }

  std::vector<Candidate> candidates;
  std::vector<std::size_t> defaults;
  std::string label;
  ProblemKey key;
  DeviceProperties device;
  double items = 0;
  std::vector<RefusedCandidates> refused;
  double of_sample = 0;  ///< elapsed seconds of a sample of the untuned candidate
  double of_check = 0;   ///< seconds of the last check, including the start of a worker

 private:
  static constexpr int slot_of_untuned = 0;
  static constexpr int slot_of_yardstick = 1;  ///< second plan of the untuned candidate

  static int slot_of(std::size_t candidate) {
    return candidate == 0 ? slot_of_untuned : static_cast<int>(candidate) + 1;
  }

  [[nodiscard]] bool stopped() const { return options_.stop && options_.stop(); }

  void end_after(double seconds) { until_ = now() + seconds; }
  [[nodiscard]] static double now() {
    return std::chrono::duration<double>(Worker::Clock::now().time_since_epoch()).count();
  }
  [[nodiscard]] double left() const { return until_ - now(); }

  /// \throws TimeIsUp, after which the worker is gone.
  Reply ask(const ordered_json& line, double timeout) {
    Reply reply;
    const double time = left();
    if (!(time > 0)) {
      (void)worker_->late();
      close();
      throw TimeIsUp();
    }
    const WorkerReply answer = worker_->ask(line.dump(), std::min(timeout, time));
    if (answer.end == WorkerReply::End::timed_out && time < timeout) {
      close();
      throw TimeIsUp();
    }
    reply.end = answer.end;
    reply.text = answer.text;
    if (answer.end == WorkerReply::End::answered) {
      reply.json = ordered_json::parse(answer.text, nullptr, false);
      if (!reply.json.is_object()) {
        // The line is not an answer: other code wrote to the standard output of the worker.
        reply.end = WorkerReply::End::crashed;
        reply.text = "an invalid answer: " + answer.text.substr(0, 200);
      }
    }
    if (reply.end != WorkerReply::End::answered) close();
    return reply;
  }

  void close() {
    worker_.reset();
    held_.clear();
  }

  Reply open(bool with_candidates) {
    close();
    worker_ = std::make_unique<Worker>(options_.command);
    ordered_json session{{"operation", options_.operation}, {"precision", options_.precision},
                         {"backend", options_.backend},     {"device", options_.device},
                         {"input", options_.input},         {"set", options_.overrides},
                         {"size", options_.size},           {"answers", answers_.path()},
                         {"candidates", with_candidates}};
    if (!options_.limits.implementations.empty())
      session["implementations"] = options_.limits.implementations;
    if (!options_.limits.chosen.empty()) session["chosen"] = options_.limits.chosen;
    for (const auto& [parameter, values] : options_.limits.values)
      for (const ParameterValue& value : values)
        session["values"][parameter].push_back(parameter_as_json(value));
    // The timeout is ten times that of a candidate, because large inputs take long to set up.
    const double start = now();
    Reply reply = ask({{"session", session}}, 10 * options_.timeout);
    of_start_ = now() - start;
    return reply;
  }

  void require_worker() {
    if (worker_ != nullptr) return;
    const Reply reply = open(false);
    if (reply.end != WorkerReply::End::answered || reply.outcome() != "ready")
      throw Error("a worker could not open the problem again: " + reply.text);
  }

  Reply put(int slot, std::size_t candidate, bool check) {
    const Candidate& c = candidates[candidate];
    const double start = now();
    Reply reply = ask({{"slot", slot},
                       {"implementation", c.implementation},
                       {"parameters", parameters_as_json(c.parameters)},
                       {"check", check}},
                      timeout_);
    // Shortens the timeout: a candidate whose check takes far longer than that of another one will
    // not be the fastest.
    if (check && reply.outcome() == "passed") {
      timeout_ = std::min(timeout_, 5 + 20 * (now() - start));
      of_check = now() - start + of_start_;
    }
    if (reply.outcome() == "passed") held_.insert(slot);
    return reply;
  }

  /// Checks a candidate and puts it into a slot. A candidate that fails while other candidates hold
  /// slots is checked again alone.
  Measurement check_in(int slot, std::size_t candidate) {
    require_worker();
    const bool alone = held_.empty();
    const Reply reply = put(slot, candidate, true);
    if (reply.outcome() == "passed") return passed();
    const Measurement found = failure(reply);
    if (found.outcome == Outcome::refused) return found;
    // A failed candidate may have damaged the process, so others must not share it.
    close();
    return alone ? found : check_alone(candidate);
  }

  /// Checks a candidate in its own process.
  Measurement check_alone(std::size_t candidate) {
    rest();
    require_worker();
    const Reply reply = put(slot_of(candidate), candidate, true);
    close();
    return reply.outcome() == "passed" ? passed() : failure(reply);
  }

  /// Takes one more sample of the candidate of a slot. Makes the plan again if its worker is gone.
  Measurement sample(int slot, std::size_t candidate) {
    // Number of samples that also time prepare(), which varies little and may take longer than all
    // other calls together.
    constexpr std::size_t prepares = 3;
    require_worker();
    if (!held_.contains(slot)) {
      const Reply reply = put(slot, candidate, false);
      if (reply.outcome() != "passed") return failure(reply);
    }
    Samples& samples = samples_[slot];
    const double start = now();
    const Reply reply = ask(
        {{"slot", slot}, {"calls", samples.calls}, {"prepare", samples.prepares.size() < prepares}},
        timeout_);
    if (reply.end == WorkerReply::End::answered && reply.outcome() == "timed") {
      samples.take(reply.json);
      // The first sample includes the warm-up.
      if (slot == slot_of_untuned && (of_sample == 0 || samples.seconds.size() > 1))
        of_sample = now() - start;
      return passed();
    }
    if (reply.end == WorkerReply::End::answered) close();
    return failure(reply);
  }

  void measure_group(const std::vector<std::size_t>& which, std::size_t first, std::size_t last,
                     std::vector<Measurement>& all) {
    // Share of the remaining time for checks; samples get the rest.
    constexpr double share_of_checks = 0.3;
    const std::vector<std::size_t> group(which.begin() + static_cast<std::ptrdiff_t>(first),
                                         which.begin() + static_cast<std::ptrdiff_t>(last));
    // The worker that the constructor started has no candidates yet and can be used.
    if (worker_ == nullptr || !held_.empty()) rest();
    compares_ = false;
    samples_.clear();
    const double end_of_checks = now() + share_of_checks * left();
    std::vector<std::size_t> places;
    const auto record = [&](std::size_t place, const Measurement& m) {
      all[first + place] = m;
      if (options_.measured) options_.measured(group[place], m);
    };
    try {
      for (std::size_t place = 0; place < group.size(); ++place) {
        if (stopped()) return;
        // At least two candidates: one alone allows no comparison.
        if (places.size() > 1 && now() > end_of_checks) break;
        const Measurement found = check_in(slot_of(group[place]), group[place]);
        if (found.counts())
          places.push_back(place);
        else
          record(place, found);
      }
      take_samples(group, places, record);
    } catch (const TimeIsUp&) {
    }
    judge(group, places, record);
  }

  /// Takes rounds of samples of the untuned candidate and those at `places`. Candidates that fail
  /// are recorded and removed; the last ones are removed where the time does not suffice for all.
  template <class Record>
  void take_samples(const std::vector<std::size_t>& group, std::vector<std::size_t>& places,
                    const Record& record) {
    for (int round = 0; round < samples_of_each() && !places.empty() && !stopped(); ++round) {
      const double start = now();
      if (!untuned_fails_ && !sample(slot_of_untuned, 0).counts()) {
        untuned_fails_ = true;
        samples_.erase(slot_of_untuned);
      }
      const std::vector<std::size_t> turn = places;
      for (const std::size_t place : turn) {
        if (group[place] == 0 && !untuned_fails_) continue;
        const Measurement found = sample(slot_of(group[place]), group[place]);
        if (found.counts()) continue;
        std::erase(places, place);
        record(place, found);
      }
      // The first round includes the warm-up.
      const double of_one = (now() - start) / static_cast<double>(turn.size() + 1);
      while (round > 0 && places.size() > 1 &&
             of_one * (least_samples() - 1 - round) * static_cast<double>(places.size() + 1) >
                 left())
        places.pop_back();
    }
  }

  /// Minimum number of samples for a median.
  [[nodiscard]] int least_samples() const { return std::min(3, options_.samples); }
  /// Long samples have less scatter and need fewer repetitions.
  [[nodiscard]] int samples_of_each() const {
    constexpr double is_long = 0.1;
    return of_sample > is_long ? least_samples() : options_.samples;
  }

  template <class Record>
  void judge(const std::vector<std::size_t>& group, const std::vector<std::size_t>& places,
             const Record& record) {
    const std::vector<double> base = samples_[slot_of_untuned].step_seconds();
    if (!base.empty()) untuned_.push_back(median_of(base));
    for (const std::size_t place : places) {
      const Samples& s = samples_[slot_of(group[place])];
      const std::vector<double> ratios =
          untuned_fails_ ? s.step_seconds() : ratios_of(s.step_seconds(), base);
      // A candidate that was stopped early counts as measured if it has enough samples for a
      // median.
      if (ratios.size() < static_cast<std::size_t>(least_samples())) continue;
      Measurement m;
      m.outcome = Outcome::measured;
      // The ratio to the first candidate in the same rounds eliminates drift between groups.
      m.seconds = median_of(ratios) * (untuned_fails_ ? 1 : untuned_.front());
      m.spread = relative_spread(ratios);
      m.prepare = median_of(s.prepares);
      m.steps = s.steps;
      m.samples = static_cast<int>(ratios.size());
      record(place, m);
    }
  }

  WorkerEvaluatorOptions options_;
  double timeout_;       ///< seconds that the worker has for one line about a candidate
  double until_ = 0;     ///< time of now() at which the present call has to return
  double of_start_ = 0;  ///< seconds that the last worker took to start
  ReferenceCache answers_;
  std::unique_ptr<Worker> worker_;
  std::set<int> held_;              ///< slots whose plans the worker holds
  std::map<int, Samples> samples_;  ///< by slot
  bool compares_ = false;           ///< whether the slots belong to a comparison
  bool untuned_fails_ = false;   ///< the untuned candidate cannot be timed; there is no comparison
  std::vector<double> untuned_;  ///< times of the first candidate in each group, in seconds
};

WorkerEvaluator::WorkerEvaluator(WorkerEvaluatorOptions options, double seconds)
    : implementation_(std::make_unique<Implementation>(std::move(options), seconds)) {}

WorkerEvaluator::~WorkerEvaluator() = default;

const std::vector<Candidate>& WorkerEvaluator::candidates() const {
  return implementation_->candidates;
}

std::vector<std::size_t> WorkerEvaluator::defaults() const {
  return implementation_->defaults;
}

std::vector<Measurement> WorkerEvaluator::measure(const std::vector<std::size_t>& which,
                                                  double seconds) {
  return implementation_->measure(which, seconds);
}

std::vector<double> WorkerEvaluator::round(const std::vector<std::size_t>& which, bool backwards,
                                           double seconds) {
  return implementation_->round(which, backwards, seconds);
}

Measurement WorkerEvaluator::check(std::size_t candidate, double seconds) {
  return implementation_->check(candidate, seconds);
}

double WorkerEvaluator::seconds_of_sample() const {
  return implementation_->of_sample;
}

double WorkerEvaluator::seconds_of_check() const {
  return implementation_->of_check;
}

void WorkerEvaluator::rest() {
  implementation_->rest();
}

const std::string& WorkerEvaluator::label() const {
  return implementation_->label;
}
const ProblemKey& WorkerEvaluator::key() const {
  return implementation_->key;
}
const DeviceProperties& WorkerEvaluator::device() const {
  return implementation_->device;
}
double WorkerEvaluator::items() const {
  return implementation_->items;
}
const std::vector<RefusedCandidates>& WorkerEvaluator::refused() const {
  return implementation_->refused;
}

}  // namespace tessera
