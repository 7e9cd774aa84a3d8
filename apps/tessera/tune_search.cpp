#include "tune_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tessera/core/base/build_info.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/logging.hpp>
#include <tessera/core/base/printable.hpp>
#include <tessera/core/base/progress.hpp>
#include <tessera/core/tuning/knob_json.hpp>
#include <tessera/core/tuning/refused_json.hpp>
#include <tessera/core/tuning/search_journal.hpp>
#include <tessera/core/tuning/source_hash.hpp>
#include <tessera/core/tuning/tuning_database.hpp>
#include <utility>

#include "standard_output.hpp"
#include "stop_signals.hpp"
#include "table.hpp"

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.4g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.4g} ms", 1e3 * seconds);
  return fmt::format("{:.4g} s", seconds);
}

std::string knob_text(const Candidate& candidate) {
  std::string text;
  for (const auto& [knob, value] : candidate.knobs)
    text += (text.empty() ? "" : " ") + knob + "=" + to_string(value);
  return text;
}

std::string failure_text(const Candidate& candidate, const Measurement& m) {
  return fmt::format("{}: {}", to_string(candidate), name(m.outcome));
}

Landscape describe(const WorkerEvaluatorOptions& worker, const WorkerEvaluator& evaluator) {
  Landscape l;
  l.operation = worker.operation;
  l.precision = worker.precision;
  l.input = evaluator.label();
  l.device = evaluator.device().name;
  l.architecture = evaluator.device().architecture;
  l.backend = evaluator.device().backend;
  l.build = build_info().version + " " + build_info().commit;
  l.date = utc_date();
  l.key = evaluator.key();
  l.items = evaluator.items();
  l.candidates = evaluator.candidates();
  l.measurements.resize(l.candidates.size());
  l.refused = evaluator.refused();
  return l;
}

bool nothing_passed(const TuningResult& result) {
  return std::none_of(result.measured.begin(), result.measured.end(),
                      [](const auto& one) { return one.second.counts(); });
}

}  // namespace

TuneSearch::TuneSearch(TuneSearchOptions options) : options_(std::move(options)) {}

TuneSearch::End TuneSearch::run(const TuneProblem& problem) {
  WorkerEvaluatorOptions worker = options_.worker;
  worker.operation = problem.operation;
  worker.input = problem.input;
  worker.size = problem.size;
  worker.stop = [] { return StopSignals::received() != 0; };
  std::int64_t done = 0;
  std::unique_ptr<Progress> progress;
  const std::vector<Candidate>* candidates = nullptr;
  worker.measured = [&](std::size_t candidate, const Measurement& m) {
    ++done;
    if (progress != nullptr)
      progress->advance_to(
          done, m.counts() ? seconds_text(m.seconds) : failure_text((*candidates)[candidate], m));
  };
  WorkerEvaluator evaluator(worker);
  candidates = &evaluator.candidates();
  if (candidates->empty()) return End::no_problem;
  if (evaluator.candidates().size() < 2) {
    say(fmt::format("{} in {}, {}: nothing to choose", problem.operation, worker.precision,
                    evaluator.label()));
    tell_refused(evaluator.refused());
    return End::no_choice;
  }
  Landscape landscape = describe(worker, evaluator);
  const SearchJournal journal(tuning_location().path, landscape);
  Measured known = options_.fresh ? Measured{} : journal.former();
  if (!known.empty())
    say(fmt::format("goes on from {} candidates that were measured before", known.size()));
  say(fmt::format("{} in {}, {}, {}: {} candidates", problem.operation, worker.precision,
                  evaluator.label(), evaluator.device().name, evaluator.candidates().size()));
  tell_refused(landscape.refused);

  TunerOptions options;
  options.strategy = options_.strategy;
  options.seed = static_cast<std::uint64_t>(options_.seed);
  options.seconds = options_.budget.seconds;
  options.evaluations = options_.budget.evaluations;
  options.group = static_cast<std::size_t>(worker.group);
  options.stop = worker.stop;
  options.progress = [&](const Measured& measured) {
    keep(landscape, measured);
    journal.keep(landscape);
  };
  done = static_cast<std::int64_t>(known.size());
  const auto total = static_cast<std::int64_t>(evaluator.candidates().size());
  progress = std::make_unique<Progress>(
      "  measuring",
      options_.budget.evaluations > 0 ? std::min(total, options_.budget.evaluations) : total,
      !options_.quiet && !options_.json);
  const TuningResult result = search(evaluator, options, std::move(known));
  progress.reset();
  keep(landscape, result.measured);
  landscape.order = result.order;
  landscape.compared = result.compared;
  if (!options_.landscape.empty()) write_landscape(landscape, options_.landscape);
  seen_.push_back(landscape);
  if (result.stopped) return End::stopped;
  if (nothing_passed(result))
    throw Error("no candidate passed its checks; " +
                (result.note.empty() ? std::string("see --json") : result.note));
  report(landscape, result);
  remember(worker, evaluator, result);
  journal.remove();
  return End::done;
}

void TuneSearch::say(const std::string& text) const {
  if (!options_.quiet && !options_.json) print_all([&] { fmt::print("{}\n", text); });
}

void TuneSearch::tell_refused(const std::vector<RefusedCandidates>& refused) const {
  constexpr std::size_t most = 10;
  const std::size_t told = std::min(refused.size(), most);
  for (std::size_t r = 0; r < told; ++r)
    say("  cannot run: " + printable(to_string(refused[r])));
  if (told < refused.size()) say(fmt::format("  and {} more", refused.size() - told));
}

void TuneSearch::keep(Landscape& landscape, const Measured& measured) const {
  landscape.strategy = options_.strategy;
  for (const auto& [candidate, m] : measured)
    landscape.measurements[candidate] = m;
}

void TuneSearch::report(const Landscape& landscape, const TuningResult& result) {
  const Candidate& winner = landscape.candidates[result.winner];
  std::map<std::string, std::int64_t> rejected;
  for (const auto& [candidate, m] : result.measured)
    if (!m.counts()) ++rejected[std::string(name(m.outcome))];
  if (options_.json) {
    ordered_json rejections = ordered_json::array();
    for (const auto& [candidate, m] : result.measured)
      if (!m.counts())
        rejections.push_back({{"implementation", landscape.candidates[candidate].implementation},
                              {"knobs", knobs_as_json(landscape.candidates[candidate].knobs)},
                              {"outcome", name(m.outcome)},
                              {"reason", m.reason}});
    results_.push_back({{"operation", landscape.operation},
                        {"precision", landscape.precision},
                        {"input", landscape.input},
                        {"device", landscape.device},
                        {"candidates", landscape.candidates.size()},
                        {"refused", refused_as_json(landscape.refused)},
                        {"evaluated", result.measured.size()},
                        {"rejected", rejected},
                        {"rejections", std::move(rejections)},
                        {"kept_default", result.kept_default},
                        {"gain", 1 / result.ratio},
                        {"noise", result.noise},
                        {"implementation", winner.implementation},
                        {"knobs", knobs_as_json(winner.knobs)}});
    return;
  }
  if (options_.quiet) return;
  print_all([&] {
    for (const auto& [outcome, count] : rejected)
      fmt::print("  {} {}\n", count, outcome);
    for (const auto& [candidate, m] : result.measured)
      if (!m.counts() && m.outcome != Measurement::Outcome::refused)
        fmt::print("    {}: {}: {}\n", to_string(landscape.candidates[candidate]), name(m.outcome),
                   m.reason);
    if (!result.note.empty()) fmt::print("  {}\n", result.note);
    const auto untuned = result.measured.find(0);
    const double seconds = untuned != result.measured.end() ? untuned->second.seconds : 0;
    Table table({"", ">a step", ">gain", "implementation", "parameters"});
    table.add({"untuned", seconds_text(seconds), "1", landscape.candidates[0].implementation,
               knob_text(landscape.candidates[0])});
    if (!result.kept_default)
      table.add({"tuned", seconds_text(seconds * result.ratio),
                 fmt::format("{:.3f}", 1 / result.ratio), winner.implementation, knob_text(winner)},
                Style::good);
    table.print(stdout);
    fmt::print("  {} of {} candidates measured, noise {:.1f} %{}\n", result.measured.size(),
               landscape.candidates.size(), 100 * result.noise,
               result.kept_default ? ": nothing is faster than untuned by more" : "");
    constexpr double busy = 0.1;
    if (result.noise > busy)
      fmt::print("  times differ by that much: tune again when nothing else runs here\n");
  });
}

void TuneSearch::remember(const WorkerEvaluatorOptions& worker, const WorkerEvaluator& evaluator,
                          const TuningResult& result) const {
  const TuningLocation location = tuning_location();
  if (!location.path) {
    log_warning(fmt::format("nothing is remembered: {}", location.reason));
    return;
  }
  TuningRecord record;
  record.operation = worker.operation;
  record.precision = precision_from_name(worker.precision);
  record.problem = evaluator.key();
  record.device = tuned_device(evaluator.device());
  record.build = tuned_build();
  // Where it fails there is nothing to compare with.
  const bool fails = !result.measured.at(0).counts();
  const double untuned =
      fails ? result.measured.at(result.winner).seconds : result.measured.at(0).seconds;
  const auto tuned = [&](std::size_t candidate, double ratio) {
    const Candidate& c = evaluator.candidates()[candidate];
    const Measurement& m = result.measured.at(candidate);
    const ImplementationInfo& info =
        registry().find(record.operation, record.precision, c.implementation).info();
    return TunedCandidate{c.implementation, c.knobs,   untuned * ratio,
                          m.spread,         m.samples, source_hash(info)};
  };
  record.untuned = tuned(fails ? result.winner : 0, 1);
  record.best.push_back(tuned(result.winner, result.ratio));
  for (const auto& [candidate, m] : result.measured) {
    if (!m.counts()) continue;
    const std::string& implementation = evaluator.candidates()[candidate].implementation;
    const auto same =
        std::find_if(record.best.begin(), record.best.end(),
                     [&](const TunedCandidate& t) { return t.implementation == implementation; });
    if (same == record.best.end())
      record.best.push_back(tuned(candidate, m.seconds / untuned));
    else if (same != record.best.begin() && m.seconds < same->seconds)
      *same = tuned(candidate, m.seconds / untuned);
  }
  record.noise = result.noise;
  record.candidates = static_cast<int>(evaluator.candidates().size());
  record.evaluated = static_cast<int>(result.measured.size());
  record.strategy = options_.strategy;
  record.input = evaluator.label();
  record.date = utc_date();
  record.kept_default = result.kept_default;
  TuningDatabase(*location.path).add({record});
  say(fmt::format("  remembered in {}", location.path->string()));
}

}  // namespace tessera::command_line
