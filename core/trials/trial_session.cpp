#include "core/trials/trial_session.hpp"

#include "core/base/error.hpp"
#include "core/base/reasons.hpp"
#include "core/execution/memory_in_use.hpp"
#include "core/memory/device_timing.hpp"
#include "core/parameters/parameter_json.hpp"
#include "core/trials/cacheable_reference.hpp"
#include "core/tuning/candidates.hpp"
#include "core/tuning/problem_key_json.hpp"
#include "core/tuning/refused_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace tessera {
namespace {

using nlohmann::ordered_json;

/// Number of items up to which check() compares every element; of more items `sampled` ones are
/// compared.
constexpr std::int64_t most_compared = 32768;
constexpr std::int64_t sampled = 4096;

ordered_json as_json(const DeviceProperties& device) {
  return {{"backend", device.backend},
          {"name", device.name},
          {"architecture", device.architecture},
          {"memory", static_cast<int>(device.memory)},
          {"compute_units", device.compute_units},
          {"concurrency", device.concurrency},
          {"driver", device.driver}};
}

ordered_json as_json(const Candidates& candidates) {
  ordered_json list = ordered_json::array();
  for (const Candidate& c : candidates.all)
    list.push_back(
        {{"implementation", c.implementation}, {"parameters", parameters_as_json(c.parameters)}});
  return list;
}

ordered_json as_json(const Verdict& verdict) {
  return {{"outcome", name(verdict.outcome)},
          {"detail", verdict.detail},
          {"error", std::isfinite(verdict.error) ? ordered_json(verdict.error) : ordered_json()},
          {"tolerance", verdict.tolerance}};
}

CandidateLimits limits_from(const ordered_json& session) {
  CandidateLimits limits;
  if (session.contains("implementations"))
    limits.implementations = session["implementations"].get<std::vector<std::string>>();
  limits.chosen = session.value("chosen", std::string());
  if (session.contains("values"))
    for (const auto& [parameter, values] : session["values"].items())
      for (const ordered_json& value : values)
        limits.values[parameter].push_back(
            parameter_from_json(JsonValue(value, {{}, 0, parameter, {}})));
  return limits;
}

}  // namespace

class TrialSession::Implementation {
 public:
  Implementation(const Registry& registry, ChangedCaseReader read_case)
      : registry_(registry), read_case_(std::move(read_case)) {}

  ordered_json answer(const ordered_json& line) {
    if (line.contains("session")) return open(line["session"]);
    if (run_ == nullptr) throw InputError({{}, 0, "session", {}}, "is missing");
    if (line.contains("drop")) return drop(line["drop"].get<int>());
    const int slot = line.at("slot").get<int>();
    if (line.contains("implementation")) return take(slot, line);
    return time(slot, line.value("calls", std::int64_t{0}), line.value("prepare", true));
  }

 private:
  ordered_json open(const ordered_json& session) {
    const std::string operation = registry_.operation(session.at("operation").get<std::string>());
    const Precision precision = precision_from_name(session.value("precision", "double"));
    const Context context =
        registry_.open(session.value("backend", "auto"), session.value("device", 0));
    cache_references_in(session.value("answers", ""));
    if (registry_.implementations(operation, precision).empty())
      return {{"outcome", "no problem"}, {"detail", "no implementation has this precision"}};
    trials_ = registry_.trials(operation);
    const ImplementationBase& first = any(operation, precision, context);
    try {
      const auto overrides = session.value("set", std::vector<std::string>());
      run_ = make_run(*trials_, first, context, {}, session.at("input").get<std::string>(),
                      session.value("size", std::int64_t{0}),
                      [&](const std::string& file) { return read_case_(file, overrides); });
    } catch (const NoProblemError& error) {
      return {{"outcome", "no problem"}, {"detail", error.what()}};
    }
    open_companions(session["input"].get<std::string>(), first, context);
    ordered_json out;
    out["outcome"] = "ready";
    out["label"] = run_->trial().label();
    out["items"] = run_->trial().counts().items;
    out["item"] = run_->trial().counts().item;
    out["key"] = problem_key_as_json(run_->key());
    out["device"] = as_json(context.opened().properties());
    if (session.value("candidates", true)) {
      const Candidates found = find_candidates(registry_, *run_, limits_from(session));
      out["candidates"] = as_json(found);
      out["defaults"] = found.defaults;
      out["inert"] = found.inert;
      out["refused"] = refused_as_json(found.refused);
    }
    return out;
  }

  /// Any implementation serves, because the arrays do not depend on it.
  const ImplementationBase& any(const std::string& operation, Precision precision,
                                const Context& context) const {
    Reasons reasons;
    for (const ImplementationBase* i : registry_.implementations(operation, precision)) {
      if (i->info().priority <= priority::reference) continue;
      const Refusal refusal = i->can_run_on(context);
      if (!refusal) return *i;
      reasons.add(i->info().name, *refusal);
    }
    throw RefusalError(operation + " in " + std::string(name(precision)),
                       reasons.empty() ? "no implementation has this precision" : reasons.text());
  }

  /// Smaller inputs of the same kind, with sizes that are multiples of no block or vector size.
  /// They find faults that the size at hand may hide.
  void open_companions(const std::string& input, const ImplementationBase& first,
                       const Context& context) {
    const std::vector<TrialInput> inputs = trials_->inputs();
    const TrialInput* like = nullptr;
    for (const TrialInput& one : inputs)
      if (one.name == input || (like == nullptr && !one.timed.empty())) {
        like = &one;
        if (one.name == input) break;
      }
    if (like == nullptr) return;
    for (const TrialInput& one : inputs)
      if (one.name == like->companion) {
        like = &one;
        break;
      }
    for (const std::int64_t size : like->checked)
      if (size > 0 && size <= most_compared)
        companions_.push_back(trials_->make(first, context, {}, like->name, size));
  }

  ordered_json take(int slot, const ordered_json& line) {
    const ImplementationInfo& one = run_->info();
    const ImplementationBase& implementation =
        registry_.find(one.operation, one.precision, line["implementation"].get<std::string>());
    const JsonValue given = parameters_field(JsonValue(line));
    const ParameterValues parameters =
        given.is_there() ? parameters_from_json(given) : ParameterValues();
    if (line.value("check", true)) {
      for (const auto& companion : companions_) {
        companion->use(implementation, parameters);
        const Verdict verdict = check(*companion);
        // An implementation may refuse a small input and support the actual one.
        if (verdict.outcome == Verdict::Outcome::failed) return failed(verdict, companion->trial());
      }
    }
    run_->slot(slot);
    run_->use(implementation, parameters);
    ready_.erase(slot);
    by_calls_.erase(slot);
    Verdict verdict;
    if (line.value("check", true)) {
      disturbed_ = true;
      verdict = run_->trial().counts().items <= static_cast<double>(most_compared)
                    ? check(*run_)
                    : check_sample(*run_, sampled);
    } else if (const Refusal refusal = run_->can_run()) {
      verdict = Verdict::refusal(*refusal);
    } else {
      run_->plan();
      verdict = Verdict::measured(0, 0, "not checked");
    }
    if (!verdict.passed()) return failed(verdict, run_->trial());
    return as_json(verdict);
  }

  static ordered_json failed(const Verdict& verdict, const TrialBase& trial) {
    ordered_json out = as_json(verdict);
    out["input"] = trial.label();
    return out;
  }

  /// \param calls number of calls in one sample; 0: as many as take about `sample_seconds`, after a
  /// warm-up.
  ordered_json time(int slot, std::int64_t calls, bool prepare) {
    constexpr double sample_seconds = 0.006;
    if (disturbed_) {
      run_->trial().choose(0);
      run_->trial().reset(0);
      disturbed_ = false;
    }
    run_->slot(slot);
    const Context& context = run_->context();
    const auto seconds_of = [&](const std::function<void()>& work) {
      return context.opened().timing().seconds_of(context.stream, work);
    };
    ordered_json out;
    out["outcome"] = "timed";
    if (ready_.insert(slot).second) {
      // The first calls load kernels and grow memory.
      run_->prepare();
      run_->execute();
      out["memory"] = memory_in_use();
    }
    bool prepared = true;
    if (!by_calls_.contains(slot)) {
      if (const double seconds = time_of_step(seconds_of, sample_seconds, calls); seconds > 0) {
        // The steps include the time of prepare().
        out["seconds"] = seconds;
        out["calls"] = calls;
        return out;
      }
      by_calls_.insert(slot);
      prepared = false;  // trying steps may have prepared the plan for other inputs
    }
    if (prepare) {
      out["prepare_seconds"] = seconds_of([&] { run_->prepare(); });
      const double steps = run_->drift(0);
      if (std::isfinite(steps)) out["steps"] = steps;
    } else if (!prepared) {
      run_->prepare();
    }
    if (calls == 0) {
      const double once = seconds_of([&] { run_->execute(); });
      calls = calls_in(sample_seconds, once, 1);
    }
    const double seconds = seconds_of([&] {
      for (std::int64_t c = 0; c < calls; ++c)
        run_->execute();
    });
    out["seconds"] = seconds / static_cast<double>(calls);
    out["calls"] = calls;
    return out;
  }

  [[nodiscard]] static std::int64_t calls_in(double seconds, double once, std::int64_t least) {
    return std::clamp<std::int64_t>(std::llround(seconds / std::max(once, 1e-7)), least, 4000);
  }

  /// Time of one step, for a plan that runs complete time steps; 0 where it does not. Each sample
  /// continues where the last one ended, so that lists are rebuilt at different points of a sample.
  /// \param calls steps in one sample, as in time().
  template <class SecondsOf>
  double time_of_step(const SecondsOf& seconds_of, double sample_seconds, std::int64_t& calls) {
    // Enough steps for several rebuilds of the lists.
    constexpr std::int64_t least = 100;
    // False once the steps fail because the atoms fly apart. That state does not represent
    // simulations.
    bool made = true;
    const auto seconds_for = [&](std::int64_t steps) {
      return seconds_of([&] { made = run_->steps()->make(steps); });
    };
    double seconds_of_least = 0;
    if (run_->steps() == nullptr) {
      if (run_->start_steps() == nullptr) return 0;
      // The first steps record graphs.
      for (int warm = 0; warm < 2 && made; ++warm)
        seconds_of_least = seconds_for(least);
    }
    if (calls == 0) {
      if (seconds_of_least == 0 && made) seconds_of_least = seconds_for(least);
      calls = calls_in(sample_seconds, seconds_of_least / static_cast<double>(least), least);
    }
    const double seconds = made ? seconds_for(calls) : 0;
    return made ? seconds / static_cast<double>(calls) : 0;
  }

  ordered_json drop(int slot) {
    run_->slot(-1);
    run_->drop(slot);
    ready_.erase(slot);
    by_calls_.erase(slot);
    return {{"outcome", "dropped"}};
  }

  const Registry& registry_;
  ChangedCaseReader read_case_;
  std::shared_ptr<Trials> trials_;
  std::unique_ptr<TrialRun> run_;
  std::vector<std::unique_ptr<TrialRun>> companions_;
  std::set<int> ready_;     ///< slots that are warmed up
  std::set<int> by_calls_;  ///< slots whose plans do not run complete steps
  bool disturbed_ = true;   ///< the arrays differ from those of a common step
};

TrialSession::TrialSession(const Registry& registry, ChangedCaseReader read_case)
    : implementation_(std::make_unique<Implementation>(registry, std::move(read_case))) {}

TrialSession::~TrialSession() = default;

bool TrialSession::knows(const std::string& line) {
  const ordered_json object = ordered_json::parse(line, nullptr, false);
  if (!object.is_object()) return false;
  return object.contains("session") || object.contains("slot") || object.contains("drop");
}

std::string TrialSession::answer(const std::string& line) {
  ordered_json out;
  const auto ended = [&](const char* outcome, const std::string& detail) {
    out = {{"outcome", outcome}, {"detail", detail}};
  };
  try {
    out = implementation_->answer(ordered_json::parse(line));
  } catch (const RefusalError& error) {
    ended("refused", error.reason());
  } catch (const InputError& error) {
    ended("invalid", error.what());
  } catch (const SelectionError& error) {
    ended("invalid", error.what());
  } catch (const ordered_json::exception& error) {
    ended("invalid", error.what());
  } catch (const std::exception& error) {
    ended("failed", error.what());
  }
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace tessera
