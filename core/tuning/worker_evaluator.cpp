#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tessera/core/base/error.hpp>
#include <tessera/core/tuning/answer_folder.hpp>
#include <tessera/core/tuning/knob_json.hpp>
#include <tessera/core/tuning/problem_key_json.hpp>
#include <tessera/core/tuning/refused_json.hpp>
#include <tessera/core/tuning/statistics.hpp>
#include <tessera/core/tuning/worker.hpp>
#include <tessera/core/tuning/worker_evaluator.hpp>
#include <utility>

namespace tessera {
// Named, for members have these types.
namespace worker_evaluation {

using nlohmann::ordered_json;
using Outcome = Measurement::Outcome;

/// What a worker said, or what became of it.
struct Reply {
  WorkerAnswer::End end = WorkerAnswer::End::answered;
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

/// Of a reply that is not the one hoped for.
inline Measurement failure(const Reply& reply) {
  if (reply.end == WorkerAnswer::End::crashed) return ended(Outcome::crashed, reply.text);
  if (reply.end == WorkerAnswer::End::timed_out) return ended(Outcome::timed_out, reply.text);
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

  /// Of each round, with its share of prepare.
  [[nodiscard]] std::vector<double> step_seconds() const {
    std::vector<double> all = seconds;
    for (double& s : all)
      s += median_of(prepares) / steps;
    return all;
  }
};

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
  explicit Implementation(WorkerEvaluatorOptions options)
      : options_(std::move(options)), timeout_(options_.timeout) {
    const Reply reply = open(true);
    if (reply.end != WorkerAnswer::End::answered)
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
      candidates.push_back(
          {c.at("implementation").get<std::string>(), knobs_from_json(JsonValue(c).at("knobs"))});
    refused = refused_from_json(JsonValue(j).at("refused"));
  }

  std::vector<Measurement> measure(const std::vector<std::size_t>& which) {
    std::vector<Measurement> all(which.size());
    const auto most = static_cast<std::size_t>(std::max(1, options_.group));
    for (std::size_t first = 0; first < which.size() && !stopped(); first += most) {
      const std::size_t last = std::min(which.size(), first + most);
      measure_group(which, first, last, all);
    }
    return all;
  }

  std::vector<std::vector<double>> compare(const std::vector<std::size_t>& which, int rounds) {
    close();
    std::vector<std::size_t> all = which;
    all.push_back(0);  // the yardstick
    std::set<std::size_t> places;
    for (std::size_t k = 0; k < all.size() && !stopped(); ++k)
      if (check_alone(all[k]).counts()) places.insert(k);
    std::vector<Samples> samples(all.size());
    Samples untuned;
    Measurement ignored;
    time_in_turn(all, places, rounds, untuned, samples,
                 [&](std::size_t k, const Measurement&) { samples[k] = {}; });
    std::vector<std::vector<double>> ratios;
    for (const Samples& s : samples)
      ratios.push_back(s.seconds.empty() ? std::vector<double>{}
                       : untuned_fails_  ? s.step_seconds()
                                         : ratios_of(s.step_seconds(), untuned.step_seconds()));
    close();
    return ratios;
  }

  std::vector<Candidate> candidates;
  std::string label;
  ProblemKey key;
  DeviceProperties device;
  double items = 0;
  std::vector<RefusedCandidates> refused;

 private:
  [[nodiscard]] bool stopped() const { return options_.stop && options_.stop(); }

  Reply ask(const ordered_json& line, double timeout) {
    Reply reply;
    const WorkerAnswer answer = worker_->ask(line.dump(), timeout);
    reply.end = answer.end;
    reply.text = answer.text;
    if (answer.end == WorkerAnswer::End::answered) {
      reply.json = ordered_json::parse(answer.text, nullptr, false);
      if (!reply.json.is_object()) {
        // Somebody else writes to the standard output of the worker.
        reply.end = WorkerAnswer::End::crashed;
        reply.text = "an answer that is none: " + answer.text.substr(0, 200);
      }
    }
    if (reply.end != WorkerAnswer::End::answered) close();
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
                         {"input", options_.input},         {"size", options_.size},
                         {"answers", answers_.path()},      {"candidates", with_candidates}};
    if (!options_.limits.implementations.empty())
      session["implementations"] = options_.limits.implementations;
    for (const auto& [knob, values] : options_.limits.values)
      for (const KnobValue& value : values)
        session["values"][knob].push_back(knob_as_json(value));
    // Inputs of many items take their time.
    return ask({{"session", session}}, 10 * options_.timeout);
  }

  /// A worker with the first candidate in slot 0 and those of `held` in theirs.
  void require_worker() {
    if (worker_ != nullptr) return;
    const Reply reply = open(false);
    if (reply.end != WorkerAnswer::End::answered || reply.outcome() != "ready")
      throw Error("a worker could not open the problem again: " + reply.text);
    if (!untuned_fails_) (void)put(0, 0, false);
    // It may end the process before there is anything to be compared with it.
    if (worker_ == nullptr) {
      untuned_fails_ = true;
      require_worker();
    }
  }

  Reply put(int slot, std::size_t candidate, bool check) {
    const Candidate& c = candidates[candidate];
    const auto start = Worker::Clock::now();
    Reply reply = ask({{"slot", slot},
                       {"implementation", c.implementation},
                       {"knobs", knobs_as_json(c.knobs)},
                       {"check", check}},
                      timeout_);
    // One that takes very much longer than another will not be the fastest.
    if (check && reply.outcome() == "passed") {
      const std::chrono::duration<double> took = Worker::Clock::now() - start;
      timeout_ = std::min(timeout_, 5 + 20 * took.count());
    }
    return reply;
  }

  /// Puts a candidate into the slot after its place, checked. One that fails beside others gets
  /// another chance without them.
  Measurement check_in(std::size_t place, std::size_t candidate,
                       const std::set<std::size_t>& others) {
    require_worker();
    const bool alone = held_.empty();
    const Reply reply = put(static_cast<int>(place) + 1, candidate, true);
    if (reply.outcome() == "passed") {
      held_.insert(place);
      return passed();
    }
    const Measurement found = failure(reply);
    if (found.outcome == Outcome::refused) return found;
    // Whatever it did, others shall not meet it.
    close();
    if (alone || others.empty()) return found;
    return check_alone(candidate);
  }

  /// In a process of its own.
  Measurement check_alone(std::size_t candidate) {
    close();
    const Reply opened = open(false);
    if (opened.outcome() != "ready")
      throw Error("a worker could not open the problem again: " + opened.text);
    const Reply reply = put(1, candidate, true);
    close();
    if (reply.outcome() != "passed") return failure(reply);
    return passed();
  }

  void measure_group(const std::vector<std::size_t>& which, std::size_t first, std::size_t last,
                     std::vector<Measurement>& all) {
    const std::vector<std::size_t> group(which.begin() + static_cast<std::ptrdiff_t>(first),
                                         which.begin() + static_cast<std::ptrdiff_t>(last));
    close();
    std::set<std::size_t> places;
    const auto record = [&](std::size_t place, const Measurement& m) {
      all[first + place] = m;
      if (options_.measured) options_.measured(group[place], m);
    };
    for (std::size_t place = 0; place < group.size(); ++place) {
      if (stopped()) {
        places.clear();
        return;
      }
      const Measurement found = check_in(place, group[place], places);
      if (found.counts())
        places.insert(place);
      else
        record(place, found);
    }
    std::vector<Samples> samples(group.size());
    Samples untuned;
    time_in_turn(group, places, options_.samples, untuned, samples, record);
    const std::vector<double> base = untuned.step_seconds();
    if (!base.empty()) untuned_.push_back(median_of(base));
    for (const std::size_t place : places) {
      const Samples& s = samples[place];
      const std::vector<double> ratios =
          untuned_fails_ ? s.step_seconds() : ratios_of(s.step_seconds(), base);
      // One that was stopped early is measured if there is something to take a median of.
      if (ratios.size() < static_cast<std::size_t>(std::min(3, options_.samples))) continue;
      Measurement m;
      m.outcome = Outcome::measured;
      // Against the first candidate in the same rounds: what drifts between groups drops out.
      m.seconds = median_of(ratios) * (untuned_fails_ ? 1 : untuned_.front());
      m.spread = relative_spread(ratios);
      m.prepare = median_of(s.prepares);
      m.steps = s.steps;
      m.samples = static_cast<int>(ratios.size());
      record(place, m);
    }
  }

  /// Rounds over slot 0 and those of `places`. Who fails leaves `places` and is told to `lost`.
  template <class Lost>
  void time_in_turn(const std::vector<std::size_t>& group, std::set<std::size_t>& places,
                    int rounds, Samples& untuned, std::vector<Samples>& samples, const Lost& lost) {
    // Prepare changes little from one time to the next and may take longer than all calls.
    constexpr int prepares = 3;
    const auto sample = [&](int slot, Samples& of, int round) {
      const Reply reply =
          ask({{"slot", slot}, {"calls", of.calls}, {"prepare", round < prepares}}, timeout_);
      if (reply.end == WorkerAnswer::End::answered && reply.outcome() == "timed") {
        of.take(reply.json);
        return passed();
      }
      if (reply.end == WorkerAnswer::End::answered) close();
      return failure(reply);
    };
    for (int round = 0; round < rounds && !places.empty() && !stopped(); ++round) {
      hold(group, places, lost);
      if (!untuned_fails_ && !sample(0, untuned, round).counts()) {
        untuned_fails_ = true;
        untuned = {};
        hold(group, places, lost);
      }
      const std::set<std::size_t> now = places;
      for (const std::size_t place : now) {
        if (!places.contains(place)) continue;
        hold(group, places, lost);
        if (!places.contains(place)) continue;
        const Measurement found = sample(static_cast<int>(place) + 1, samples[place], round);
        if (found.counts()) continue;
        places.erase(place);
        samples[place] = {};
        lost(place, found);
      }
    }
  }

  /// Plans that went with a worker are made again.
  template <class Lost>
  void hold(const std::vector<std::size_t>& group, std::set<std::size_t>& places,
            const Lost& lost) {
    require_worker();
    const std::set<std::size_t> wanted = places;
    for (const std::size_t place : wanted) {
      if (held_.contains(place)) continue;
      const Reply reply = put(static_cast<int>(place) + 1, group[place], false);
      if (reply.outcome() == "passed") {
        held_.insert(place);
        continue;
      }
      places.erase(place);
      lost(place, failure(reply));
      if (worker_ == nullptr) {
        hold(group, places, lost);
        return;
      }
    }
  }

  WorkerEvaluatorOptions options_;
  double timeout_;  ///< of a line about a candidate
  AnswerFolder answers_;
  std::unique_ptr<Worker> worker_;
  std::set<std::size_t> held_;   ///< places whose plans the worker has
  bool untuned_fails_ = false;   ///< to be timed: then there is nothing to compare with
  std::vector<double> untuned_;  ///< seconds of the first candidate in each group
};

WorkerEvaluator::WorkerEvaluator(WorkerEvaluatorOptions options)
    : implementation_(std::make_unique<Implementation>(std::move(options))) {}

WorkerEvaluator::~WorkerEvaluator() = default;

const std::vector<Candidate>& WorkerEvaluator::candidates() const {
  return implementation_->candidates;
}

std::vector<Measurement> WorkerEvaluator::measure(const std::vector<std::size_t>& which) {
  return implementation_->measure(which);
}

std::vector<std::vector<double>> WorkerEvaluator::compare(const std::vector<std::size_t>& which,
                                                          int rounds) {
  return implementation_->compare(which, rounds);
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
