#include "apps/tessera/case/read_case.hpp"
#include "apps/tessera/case/set_option.hpp"
#include "apps/tessera/case_calls.hpp"
#include "apps/tessera/command.hpp"
#include "apps/tessera/standard_output.hpp"
#include "apps/tessera/stop_signals.hpp"
#include "apps/tessera/tune_budget.hpp"
#include "apps/tessera/tune_memory.hpp"
#include "apps/tessera/tune_replay.hpp"
#include "apps/tessera/tune_search.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/operations/choices.hpp"
#include "core/trials/trial.hpp"
#include "core/tuning/landscape.hpp"
#include "core/tuning/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace tessera::command_line {
namespace {

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

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : separator) + part;
  return text;
}

class TuneCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    Usage usage{
        "tune",
        "Find and record the fastest way to run a problem on this machine (docs/tuning.md)",
        {{.name = "case",
          .target = &case_file_,
          .meaning = "Case file: the operations that its run calls are tuned",
          .type = "CASE.toml"},
         {"--set", &overrides_, "Change a key of the case; may be repeated", "KEY=VALUE"},
         {"--operation", &operation_, "Tune one operation", "OP"},
         {"--input", &input_, "Input of the operation (default: the first that is timed)", "NAME"},
         {"--size", &sizes_, "Items of the input; may be repeated", "N",
          Option::Range::not_negative},
         {"--precision", &precision_, "double, mixed or single (default: the case's, or double)",
          "P"},
         {"--backend", &backend_, "Backend that keeps the arrays, or auto", "B"},
         {"--device", &device_, "Number of its device", "N", Option::Range::not_negative},
         {"--budget", &budget_,
          "Budget of the whole search: a time (60s, 5m) or a number of evaluations (200)",
          "BUDGET"},
         {"--strategy", &strategy_, "adaptive, random or exhaustive", "S"},
         {"--seed", &seed_, "Seed of strategies that choose at random", "N",
          Option::Range::not_negative},
         {"--implementation", &implementations_, "Try only this implementation; may be repeated",
          "IMPL"},
         {"--values", &values_, "Try only these values of a parameter; may be repeated",
          "[IMPL.]NAME=V,V"},
         {"--timeout", &timeout_, "Seconds after which a candidate times out", "S",
          Option::Range::positive},
         {"--fresh", &fresh_, "Do not continue a search that was stopped"},
         {"--landscape", &landscape_,
          "Write all measurements for tessera-report: to a file, or to a file for each problem in "
          "a folder (a name that ends in /)",
          "PATH"},
         {.name = "--report", .target = &report_, .meaning = {}, .type = "FILE", .hidden = true},
         {.name = "--read", .target = &read_, .meaning = {}, .type = "FILE", .hidden = true},
         {"--replay", &replayed_, "Try the strategies on a recorded landscape; may be repeated",
          "FILE"},
         {"--seeds", &seeds_, "Number of searches of a replay", "N", Option::Range::positive},
         {"--group", &group_, "Candidates per round", "N", Option::Range::positive},
         {"--quiet", &quiet_, "Print only errors"},
         {"--json", &json_, "Print JSON"}},
        true};
    return usage.add(memory_.options());
  }

  int run() override {
    const double begin = steady_clock_seconds()();
    for (const auto& [option, value] : {std::pair{"report", report_}, {"read", read_}})
      if (!value.empty())
        throw InputError({{}, 0, option, value},
                         "'tessera-report PATH' makes pages from what --landscape PATH writes, "
                         "expected --landscape");
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
    // Throws for an unknown strategy before any process starts.
    (void)make_strategy(strategy_, {}, 1);
    const TuneBudget budget = tune_budget(budget_);
    const double until = budget.seconds > 0 ? begin + budget.seconds : no_time_limit;
    const std::vector<TuneProblem> problems = find_problems(budget, until);
    if (!landscape_.empty()) prepare_landscape(problems.size());
    if (const auto database = tuning_location().path;
        database && std::filesystem::exists(*database))
      require_writable(*database);
    TuneSearch search(options(budget, until));
    const StopSignals signals;
    const TuneSearch::Outcome outcome = search.run(problems);
    if (outcome.landscapes > 0) say("report: tessera-report " + app::shell_path(landscape_));
    if (json_) print_all([&] { fmt::print("{}\n", search.results().dump(2)); });
    if (const int signal = StopSignals::received()) {
      if (!quiet_)
        log_warning(fmt::format(
            "stopped by {}: the measurements are kept, and the same command continues the search",
            StopSignals::name(signal)));
      return 128 + signal;
    }
    print_outcome(outcome);
    return exit_code::ok;
  }

 private:
  /// Reports a path that cannot be written before the measurements start.
  void prepare_landscape(std::size_t problems) const {
    namespace fs = std::filesystem;
    if (!is_landscape_folder(landscape_)) {
      if (problems > 1)
        throw InputError({{}, 0, "landscape", landscape_},
                         "a file has one problem, expected one --operation and one --size, or a "
                         "folder (a name that ends in /)");
      require_writable(landscape_);
      return;
    }
    std::error_code error;
    fs::create_directories(landscape_, error);
    if (error) throw FileError(landscape_, "creating", error.message());
    require_writable(fs::path(landscape_) / "landscape.json");
  }

  /// Prints which problems were not tuned, and why. \throws InputError where nothing was tuned.
  void print_outcome(const TuneSearch::Outcome& outcome) const {
    const std::string refusals = joined(outcome.refusals, "; ");
    const std::string too_short = joined(outcome.out_of_budget, ", ") +
                                  ": the budget ended before the untuned candidate and another one "
                                  "were measured and compared, expected a longer budget";
    if (outcome.tuned == 0) {
      if (!outcome.out_of_budget.empty()) throw InputError({{}, 0, "budget", budget_}, too_short);
      throw InputError({}, refusals.empty()
                               ? "nothing was tuned: no operation has two candidates for this "
                                 "problem"
                               : refusals);
    }
    if (!refusals.empty()) log_warning(refusals);
    if (!outcome.out_of_budget.empty() && !quiet_) log_warning(too_short);
  }

  [[nodiscard]] TuneSearchOptions options(const TuneBudget& budget, double until) const {
    TuneSearchOptions options;
    options.worker.command = {path_of_this_program(), "trial", "-"};
    options.worker.overrides = overrides_;
    options.worker.backend = backend_;
    options.worker.device = device_;
    options.worker.limits = limits();
    options.worker.timeout = timeout_;
    // Larger groups need fewer processes. They cost the exhaustive strategy nothing, because it
    // ignores earlier measurements.
    options.worker.group = strategy_ == "exhaustive" ? std::max(group_, 48) : group_;
    options.strategy = strategy_;
    options.seed = seed_;
    options.budget = budget.seconds;
    options.pace.until = until;
    options.pace.evaluations = budget.evaluations;
    options.pace.group = static_cast<std::size_t>(options.worker.group);
    options.pace.stop = [] { return StopSignals::received() != 0; };
    options.fresh = fresh_;
    options.landscape = landscape_;
    options.quiet = quiet_;
    options.json = json_;
    return options;
  }

  [[nodiscard]] CandidateLimits limits() const {
    CandidateLimits limits;
    limits.implementations = implementations_;
    for (const std::string& text : values_) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw InputError({{}, 0, "values", text}, "expected NAME=VALUE,VALUE");
      const std::string parameter = text.substr(0, equals);
      for (const std::string& value : parts_of(text.substr(equals + 1), ','))
        limits.values[parameter].push_back(parameter_value_from_text(parameter, value));
    }
    return limits;
  }

  [[nodiscard]] std::vector<TuneProblem> find_problems(const TuneBudget& budget, double until) {
    if (!case_file_.empty()) {
      if (!sizes_.empty() || !input_.empty())
        throw InputError({},
                         "a case has its own input and size, expected neither --size nor "
                         "--input beside it");
      return problems_of_case(budget, until);
    }
    if (!overrides_.empty())
      throw InputError({{}, 0, "set", overrides_.front()}, "--set changes a case, expected one");
    if (operation_.empty()) throw InputError({}, "expected a case file, or --operation");
    const std::string operation = registry().operation(operation_);
    const TrialInput input = input_of(operation);
    std::vector<std::int64_t> sizes = sizes_;
    if (sizes.empty())
      sizes.push_back(input.timed.empty() ? input.checked.back() : input.timed.front());
    std::vector<TuneProblem> problems;
    for (const std::int64_t size : sizes) {
      require_size(input, size);
      problems.push_back({operation, input.name, size, precision_.empty() ? "double" : precision_});
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

  /// Problems of the operations that the run of the case calls, without operations that left_out()
  /// excludes.
  [[nodiscard]] std::vector<TuneProblem> problems_of_case(const TuneBudget& budget,
                                                          double until) const {
    const std::string wanted = operation_.empty() ? "" : registry().operation(operation_);
    // Errors in the case are reported before any process starts.
    (void)app::read_case(case_file_, overrides_, precision_);
    const CaseToCall run{case_file_, overrides_, precision_, backend_ == "auto" ? "" : backend_,
                         device_};
    const std::vector<CalledOperation> called = calls_of(run, budget, until);
    std::vector<TuneProblem> problems;
    std::vector<std::string> names;
    for (const CalledOperation& one : called) {
      names.push_back(one.operation);
      if (!wanted.empty() && one.operation != wanted) continue;
      if (const Refusal reason = left_out(one, wanted)) {
        say(fmt::format("{} in {}: left out, {}", one.operation, one.precision, *reason));
        continue;
      }
      problems.push_back({one.operation, case_file_, 0, one.precision,
                          one.source == name(ChoiceSource::user) ? one.implementation : "",
                          std::max(one.share, 1e-6), one.problems});
    }
    if (!wanted.empty() && std::none_of(called.begin(), called.end(),
                                        [&](const auto& one) { return one.operation == wanted; }))
      throw InputError({case_file_, 0, {}, {}},
                       "its run does not call " + wanted + ", it calls " + joined(names, ", "));
    return problems;
  }

  [[nodiscard]] std::vector<CalledOperation> calls_of(const CaseToCall& run,
                                                      const TuneBudget& budget,
                                                      double until) const {
    // Seconds for making steps of the run, a small part of the budget.
    const double seconds = budget.seconds > 0 ? std::clamp(budget.seconds / 30, 0.05, 2.0) : 0.5;
    try {
      return calls_of_run(run, seconds, until - steady_clock_seconds()());
    } catch (const TimeIsUpError& error) {
      throw InputError({{}, 0, "budget", budget_},
                       std::string(error.what()) + ", expected a longer budget");
    }
  }

  /// Reason why an operation that the run calls is not tuned; absent where it is.
  static Refusal left_out(const CalledOperation& called, const std::string& wanted) {
    constexpr double noticed = 0.01;
    if (called.source == name(ChoiceSource::restart))
      return "the restart file fixes the implementation";
    if (called.parameters_set) return "the case sets parameters of " + called.implementation;
    if (wanted.empty() && called.share < noticed)
      return fmt::format("it takes {:.1f} % of the time of a step", 100 * called.share);
    return {};
  }

  void say(const std::string& text) const {
    if (!quiet_ && !json_) print_all([&] { fmt::print("{}\n", text); });
  }

  std::string case_file_;
  std::vector<std::string> overrides_;
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
  std::string read_;
  std::vector<std::string> replayed_;
  int seeds_ = 30;
  int group_ = 8;
  bool quiet_ = false;
  bool json_ = false;
  TuneMemory memory_;
};

}  // namespace

std::unique_ptr<Command> make_tune_command() {
  return std::make_unique<TuneCommand>();
}

}  // namespace tessera::command_line
