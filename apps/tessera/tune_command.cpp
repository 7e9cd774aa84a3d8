#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tessera/core/base/atomic_file.hpp>
#include <tessera/core/base/build_info.hpp>
#include <tessera/core/base/checksum.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/logging.hpp>
#include <tessera/core/base/progress.hpp>
#include <tessera/core/case/case_registry.hpp>
#include <tessera/core/operations/trial.hpp>
#include <tessera/core/tuning/knob_json.hpp>
#include <tessera/core/tuning/landscape.hpp>
#include <tessera/core/tuning/source_hash.hpp>
#include <tessera/core/tuning/tuner.hpp>
#include <tessera/core/tuning/tuning_database.hpp>
#include <tessera/core/tuning/worker_evaluator.hpp>
#include <tessera/core/tuning/workers.hpp>
#include <vector>

#include "apps/tessera/case/read_case.hpp"
#include "command.hpp"
#include "standard_output.hpp"
#include "stop_signals.hpp"
#include "table.hpp"
#include "tune_budget.hpp"
#include "tune_memory.hpp"
#include "tune_replay.hpp"
#include "tune_report.hpp"

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

/// One operation on one input.
struct Problem {
  std::string operation;
  std::string input;
  std::int64_t size = 0;
};

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    if (end > start) parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

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

class TuneCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    Usage usage{
        "tune",
        "Measure what runs a problem fastest on this machine, and remember it (docs/tuning.md)",
        {{.name = "case",
          .target = &case_file_,
          .meaning = "Case file: every operation that it poses a problem for is tuned",
          .type = "CASE.toml"},
         {"--operation", &operation_, "Tune one operation", "OP"},
         {"--input", &input_, "Input of the operation (default: the first that is timed)", "NAME"},
         {"--size", &sizes_, "Items of the input; may be repeated", "N",
          Option::Range::not_negative},
         {"--precision", &precision_, "double, mixed or single (default: the case's, or double)",
          "P"},
         {"--backend", &backend_, "Backend that keeps the arrays, or auto", "B"},
         {"--device", &device_, "Number of its device", "N", Option::Range::not_negative},
         {"--budget", &budget_,
          "For each problem: a time (60s, 5m) or a number of evaluations (200)", "BUDGET"},
         {"--strategy", &strategy_, "adaptive, random or exhaustive", "S"},
         {"--seed", &seed_, "Of strategies that pick at random", "N", Option::Range::not_negative},
         {"--implementation", &implementations_, "Keep to this implementation; may be repeated",
          "IMPL"},
         {"--values", &values_, "Keep a parameter to these values; may be repeated",
          "[IMPL.]NAME=V,V"},
         {"--timeout", &timeout_, "Seconds after which a candidate is given up", "S",
          Option::Range::positive},
         {"--fresh", &fresh_, "Do not go on from a search that was stopped"},
         {"--landscape", &landscape_, "Write all that was measured to a file", "FILE"},
         {"--report", &report_,
          "Write a page (HTML) of what was measured: now, or in the files of --read", "FILE"},
         {"--read", &read_, "A landscape for --report; may be repeated", "FILE"},
         {"--replay", &replayed_, "Try the strategies on a recorded landscape; may be repeated",
          "FILE"},
         {"--seeds", &seeds_, "Searches of a replay", "N", Option::Range::positive},
         {"--group", &group_, "Candidates that are chosen at a time", "N", Option::Range::positive},
         {"--quiet", &quiet_, "Print nothing but errors"},
         {"--json", &json_, "Print JSON"}},
        true};
    return usage.add(memory_.options());
  }

  int run() override {
    if (!replayed_.empty()) {
      print_all([&] { replay_strategies(replayed_, seeds_, group_, json_); });
      return exit_code::ok;
    }
    if (memory_.asked()) {
      memory_.run(
          registry().open(backend_, device_),
          precision_.empty() ? Precision::double_precision : precision_from_name(precision_),
          json_);
      return exit_code::ok;
    }
    if (!read_.empty()) {
      if (report_.empty()) throw InputError({}, "--read is for --report, expected both");
      std::vector<Landscape> landscapes;
      for (const std::string& file : read_)
        landscapes.push_back(read_landscape(file));
      write_file_atomically(report_, tuning_page(landscapes));
      return exit_code::ok;
    }
    const TuneBudget budget = tune_budget(budget_);
    (void)make_strategy(strategy_, {}, 1);  // before anything is started
    const std::vector<Problem> problems = find_problems();
    const StopSignals signals;
    int tuned = 0;
    for (const Problem& problem : problems) {
      if (StopSignals::received() != 0) break;
      if (tune(problem, budget)) ++tuned;
    }
    if (!report_.empty()) write_file_atomically(report_, tuning_page(seen_));
    if (json_) print_all([&] { fmt::print("{}\n", results_.dump(2)); });
    if (const int signal = StopSignals::received()) {
      if (!quiet_)
        log_warning(
            fmt::format("stopped by {}: what was measured is kept, the same command goes "
                        "on from there",
                        StopSignals::name(signal)));
      return 128 + signal;
    }
    if (tuned == 0)
      throw InputError({}, "nothing was tuned: no operation has two candidates for this problem");
    return exit_code::ok;
  }

 private:
  [[nodiscard]] std::vector<Problem> find_problems() {
    if (!case_file_.empty()) {
      if (!sizes_.empty() || !input_.empty())
        throw InputError({},
                         "a case has its own input and size, expected neither --size nor "
                         "--input beside it");
      return problems_of_case();
    }
    if (operation_.empty())
      throw InputError({},
                       "expected a case file, or --operation with --size; 'tessera help tune' "
                       "has examples");
    const std::string operation = registry().operation(operation_);
    const TrialInput input = input_of(operation);
    std::vector<std::int64_t> sizes = sizes_;
    if (sizes.empty())
      sizes.push_back(input.timed.empty() ? input.checked.back() : input.timed.front());
    std::vector<Problem> problems;
    for (const std::int64_t size : sizes) {
      require_size(input, size);
      problems.push_back({operation, input.name, size});
    }
    return problems;
  }

  [[nodiscard]] TrialInput input_of(const std::string& operation) const {
    std::vector<std::string> names;
    for (const TrialInput& input : registry().trials(operation)->inputs()) {
      if (input_.empty() ? !input.timed.empty() : input.name == input_) return input;
      names.push_back(input.name);
    }
    if (!input_.empty()) throw SelectionError("input of " + operation, input_, names);
    throw InputError({}, operation + " has no input that is timed, expected --input");
  }

  /// Of a case, those operations that it has data for and that leave something to choose.
  [[nodiscard]] std::vector<Problem> problems_of_case() {
    const cases::Case c = app::read_case(case_file_);
    if (precision_.empty()) precision_ = name(c.precision);
    if (backend_ == "auto") backend_ = c.backend;
    const auto source = cases::case_registry().trial_source(c);
    std::vector<Problem> problems;
    const Context context = registry().open(backend_, device_);
    const std::vector<std::string> operations =
        operation_.empty() ? registry().operations()
                           : std::vector<std::string>{registry().operation(operation_)};
    for (const std::string& operation : operations) {
      const Precision precision = precision_from_name(precision_);
      const ImplementationBase* able = nullptr;
      for (const ImplementationBase* i : registry().implementations(operation, precision))
        if (i->info().priority > priority::reference && !i->can_run_on(context)) able = i;
      if (able == nullptr) continue;
      if (registry().trials(operation)->make(*able, context, {}, *source) != nullptr)
        problems.push_back({operation, case_file_, 0});
    }
    if (problems.empty())
      throw InputError({case_file_, 0, {}, {}},
                       "poses no problem for " +
                           (operation_.empty() ? std::string("any operation") : operation_));
    return problems;
  }

  [[nodiscard]] CandidateLimits limits() const {
    CandidateLimits limits;
    limits.implementations = implementations_;
    for (const std::string& text : values_) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw InputError({{}, 0, "values", text}, "expected NAME=VALUE,VALUE");
      const std::string knob = text.substr(0, equals);
      for (const std::string& value : parts_of(text.substr(equals + 1), ','))
        limits.values[knob].push_back(knob_value_from_text(knob, value));
    }
    return limits;
  }

  /// \returns whether there was something to tune.
  bool tune(const Problem& problem, const TuneBudget& budget) {
    WorkerEvaluatorOptions worker;
    worker.command = {path_of_this_program(), "trial", "-"};
    worker.operation = problem.operation;
    if (!precision_.empty()) worker.precision = precision_;
    worker.backend = backend_;
    worker.device = device_;
    worker.input = problem.input;
    worker.size = problem.size;
    worker.limits = limits();
    worker.timeout = timeout_;
    worker.group = strategy_ == "exhaustive" ? 48 : group_;
    worker.stop = [] { return StopSignals::received() != 0; };
    std::int64_t done = 0;
    std::unique_ptr<Progress> progress;
    worker.measured = [&](std::size_t candidate, const Measurement& m) {
      ++done;
      if (progress != nullptr)
        progress->advance_to(done,
                             m.counts() ? seconds_text(m.seconds) : to_string_of(candidate, m));
    };
    WorkerEvaluator evaluator(worker);
    candidates_ = &evaluator.candidates();
    if (evaluator.candidates().size() < 2) {
      say(fmt::format("{} in {}, {}: nothing to choose", problem.operation, worker.precision,
                      evaluator.label()));
      return false;
    }
    Landscape landscape = describe(problem, worker, evaluator);
    const std::filesystem::path journal = journal_of(landscape);
    Measured known = fresh_ ? Measured{} : former(journal, landscape);
    if (!known.empty())
      say(fmt::format("goes on from {} candidates that were measured before", known.size()));
    say(fmt::format("{} in {}, {}, {}: {} candidates", problem.operation, worker.precision,
                    evaluator.label(), evaluator.device().name, evaluator.candidates().size()));

    TunerOptions options;
    options.strategy = strategy_;
    options.seed = static_cast<std::uint64_t>(seed_);
    options.seconds = budget.seconds;
    options.evaluations = budget.evaluations;
    options.group = static_cast<std::size_t>(worker.group);
    options.stop = worker.stop;
    options.progress = [&](const Measured& measured) {
      keep(landscape, measured);
      if (!journal.empty()) write_landscape(landscape, journal);
    };
    done = static_cast<std::int64_t>(known.size());
    const auto total = static_cast<std::int64_t>(evaluator.candidates().size());
    progress = std::make_unique<Progress>(
        "  measuring", budget.evaluations > 0 ? std::min(total, budget.evaluations) : total,
        !quiet_ && !json_);
    const TuningResult result = search(evaluator, options, std::move(known));
    progress.reset();
    keep(landscape, result.measured);
    landscape.order = result.order;
    landscape.compared = result.compared;
    if (!landscape_.empty()) write_landscape(landscape, landscape_);
    seen_.push_back(landscape);
    if (result.stopped) return true;
    if (nothing_passed(result))
      throw Error("no candidate passed its checks; " +
                  (result.note.empty() ? std::string("see --json") : result.note));
    report(landscape, evaluator, result);
    remember(problem, worker, evaluator, result);
    std::error_code ignored;
    if (!journal.empty()) std::filesystem::remove(journal, ignored);
    return true;
  }

  [[nodiscard]] std::string to_string_of(std::size_t candidate, const Measurement& m) const {
    return fmt::format("{}: {}", to_string((*candidates_)[candidate]), name(m.outcome));
  }

  void say(const std::string& text) const {
    if (!quiet_ && !json_) print_all([&] { fmt::print("{}\n", text); });
  }

  static Landscape describe(const Problem& problem, const WorkerEvaluatorOptions& worker,
                            const WorkerEvaluator& evaluator) {
    Landscape l;
    l.operation = problem.operation;
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
    return l;
  }

  void keep(Landscape& landscape, const Measured& measured) const {
    landscape.strategy = strategy_;
    for (const auto& [candidate, m] : measured)
      landscape.measurements[candidate] = m;
  }

  /// Where a search keeps what it has measured until it ends: beside the database.
  static std::filesystem::path journal_of(const Landscape& l) {
    const TuningLocation location = tuning_location();
    if (!location.path) return {};
    std::string identity = l.operation + "|" + l.precision + "|" + l.input + "|" + l.device + "|" +
                           l.backend + "|" + l.build;
    for (const Candidate& c : l.candidates)
      identity += "|" + to_string(c);
    const std::filesystem::path folder = location.path->string() + ".searches";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    return folder / fmt::format("{:08x}.json", crc32(identity));
  }

  static Measured former(const std::filesystem::path& journal, const Landscape& landscape) {
    if (journal.empty() || !std::filesystem::exists(journal)) return {};
    try {
      const Landscape before = read_landscape(journal);
      if (before.candidates == landscape.candidates) return before.measured();
    } catch (const InputError& error) {
      log_warning(fmt::format("the search starts anew: {}", error.what()));
    }
    return {};
  }

  [[nodiscard]] static bool nothing_passed(const TuningResult& result) {
    return std::none_of(result.measured.begin(), result.measured.end(),
                        [](const auto& one) { return one.second.counts(); });
  }

  void report(const Landscape& landscape, const WorkerEvaluator& evaluator,
              const TuningResult& result) {
    const Candidate& winner = landscape.candidates[result.winner];
    std::map<std::string, std::int64_t> rejected;
    for (const auto& [candidate, m] : result.measured)
      if (!m.counts()) ++rejected[std::string(name(m.outcome))];
    if (json_) {
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
    if (quiet_) return;
    print_all([&] {
      for (const auto& [outcome, count] : rejected)
        fmt::print("  {} {}\n", count, outcome);
      for (const auto& [candidate, m] : result.measured)
        if (!m.counts() && m.outcome != Measurement::Outcome::refused)
          fmt::print("    {}: {}: {}\n", to_string(landscape.candidates[candidate]),
                     name(m.outcome), m.reason);
      if (!result.note.empty()) fmt::print("  {}\n", result.note);
      const auto untuned = result.measured.find(0);
      const double seconds = untuned != result.measured.end() ? untuned->second.seconds : 0;
      Table table({"", ">a step", ">gain", "implementation", "parameters"});
      table.add({"untuned", seconds_text(seconds), "1", landscape.candidates[0].implementation,
                 knob_text(landscape.candidates[0])});
      if (!result.kept_default)
        table.add(
            {"tuned", seconds_text(seconds * result.ratio), fmt::format("{:.3f}", 1 / result.ratio),
             winner.implementation, knob_text(winner)},
            Style::good);
      table.print(stdout);
      fmt::print("  {} of {} candidates measured, noise {:.1f} %{}\n", result.measured.size(),
                 evaluator.candidates().size(), 100 * result.noise,
                 result.kept_default ? ": nothing is faster than untuned by more" : "");
    });
  }

  void remember(const Problem& problem, const WorkerEvaluatorOptions& worker,
                const WorkerEvaluator& evaluator, const TuningResult& result) {
    const TuningLocation location = tuning_location();
    if (!location.path) {
      log_warning(fmt::format("nothing is remembered: {}", location.reason));
      return;
    }
    TuningRecord record;
    record.operation = problem.operation;
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
    record.strategy = strategy_;
    record.input = evaluator.label();
    record.date = utc_date();
    record.kept_default = result.kept_default;
    TuningDatabase(*location.path).add({record});
    say(fmt::format("  remembered in {}", location.path->string()));
  }

  std::string case_file_;
  std::string operation_;
  std::string input_;
  std::vector<std::int64_t> sizes_;
  std::string precision_;
  std::string backend_ = "auto";
  int device_ = 0;
  std::string budget_ = "60s";
  std::string strategy_ = "adaptive";
  std::int64_t seed_ = 1;
  std::vector<std::string> implementations_;
  std::vector<std::string> values_;
  double timeout_ = 60;
  bool fresh_ = false;
  std::string landscape_;
  std::string report_;
  std::vector<std::string> read_;
  std::vector<Landscape> seen_;
  std::vector<std::string> replayed_;
  int seeds_ = 30;
  int group_ = 8;
  bool quiet_ = false;
  bool json_ = false;
  const std::vector<Candidate>* candidates_ = nullptr;
  TuneMemory memory_;
  ordered_json results_ = ordered_json::array();
};

}  // namespace

std::unique_ptr<Command> make_tune_command() {
  return std::make_unique<TuneCommand>();
}

}  // namespace tessera::command_line
