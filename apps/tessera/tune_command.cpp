#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tessera/core/base/atomic_file.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/logging.hpp>
#include <tessera/core/operations/trial.hpp>
#include <tessera/core/tuning/landscape.hpp>
#include <tessera/core/tuning/workers.hpp>
#include <vector>

#include "apps/tessera/case/read_case.hpp"
#include "command.hpp"
#include "standard_output.hpp"
#include "stop_signals.hpp"
#include "tune_budget.hpp"
#include "tune_memory.hpp"
#include "tune_replay.hpp"
#include "tune_report.hpp"
#include "tune_search.hpp"

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
    (void)make_strategy(strategy_, {}, 1);  // before anything is started
    const std::vector<TuneProblem> problems = find_problems();
    if (!landscape_.empty() && problems.size() > 1)
      throw InputError({{}, 0, "landscape", landscape_},
                       "a landscape is of one problem, expected one --operation and one --size");
    for (const std::string& file : {landscape_, report_})
      if (!file.empty()) require_writable(file);
    TuneSearch search(options());
    const StopSignals signals;
    const int tuned = run_all(search, problems);
    if (!report_.empty()) write_file_atomically(report_, tuning_page(search.seen()));
    if (json_) print_all([&] { fmt::print("{}\n", search.results().dump(2)); });
    if (const int signal = StopSignals::received()) {
      if (!quiet_)
        log_warning(
            fmt::format("stopped by {}: what was measured is kept, the same command goes "
                        "on from there",
                        StopSignals::name(signal)));
      return 128 + signal;
    }
    if (tuned == 0)
      throw InputError({}, refusals_.empty()
                               ? "nothing was tuned: no operation has two candidates for this "
                                 "problem"
                               : refusals_);
    return exit_code::ok;
  }

 private:
  /// \returns how many were tuned.
  int run_all(TuneSearch& search, const std::vector<TuneProblem>& problems) {
    int tuned = 0;
    bool posed = false;
    for (const TuneProblem& problem : problems) {
      if (StopSignals::received() != 0) break;
      try {
        const TuneSearch::End end = search.run(problem);
        posed = posed || end != TuneSearch::End::no_problem;
        if (end == TuneSearch::End::done) ++tuned;
        if (end == TuneSearch::End::stopped) break;
      } catch (const RefusalError& error) {
        // Of a case the other operations may run.
        if (problems.size() == 1) throw;
        posed = true;
        refusals_ += (refusals_.empty() ? "" : "; ") + std::string(error.what());
      }
    }
    if (!posed && StopSignals::received() == 0 && !case_file_.empty())
      throw InputError({case_file_, 0, {}, {}},
                       "poses no problem for " +
                           (operation_.empty() ? std::string("any operation") : operation_));
    if (tuned > 0 && !refusals_.empty()) log_warning(refusals_);
    return tuned;
  }

  [[nodiscard]] TuneSearchOptions options() const {
    TuneSearchOptions options;
    options.worker.command = {path_of_this_program(), "trial", "-"};
    if (!precision_.empty()) options.worker.precision = precision_;
    options.worker.backend = backend_;
    options.worker.device = device_;
    options.worker.limits = limits();
    options.worker.timeout = timeout_;
    // Nothing is chosen by what was measured before: fewer processes are started.
    options.worker.group = strategy_ == "exhaustive" ? std::max(group_, 48) : group_;
    options.strategy = strategy_;
    options.seed = seed_;
    options.budget = tune_budget(budget_);
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
      const std::string knob = text.substr(0, equals);
      for (const std::string& value : parts_of(text.substr(equals + 1), ','))
        limits.values[knob].push_back(knob_value_from_text(knob, value));
    }
    return limits;
  }

  [[nodiscard]] std::vector<TuneProblem> find_problems() {
    if (!case_file_.empty()) {
      if (!sizes_.empty() || !input_.empty())
        throw InputError({},
                         "a case has its own input and size, expected neither --size nor "
                         "--input beside it");
      return problems_of_case();
    }
    if (operation_.empty())
      throw InputError({}, "expected a case file, or --operation with --size");
    const std::string operation = registry().operation(operation_);
    const TrialInput input = input_of(operation);
    std::vector<std::int64_t> sizes = sizes_;
    if (sizes.empty())
      sizes.push_back(input.timed.empty() ? input.checked.back() : input.timed.front());
    std::vector<TuneProblem> problems;
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

  /// Of a case; whether it poses a problem for an operation is known to the worker.
  [[nodiscard]] std::vector<TuneProblem> problems_of_case() {
    const cases::Case c = app::read_case(case_file_);
    if (precision_.empty()) precision_ = name(c.precision);
    if (backend_ == "auto") backend_ = c.backend;
    std::vector<TuneProblem> problems;
    for (const std::string& operation :
         operation_.empty() ? registry().operations()
                            : std::vector<std::string>{registry().operation(operation_)})
      problems.push_back({operation, case_file_, 0});
    return problems;
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
  std::vector<std::string> replayed_;
  int seeds_ = 30;
  int group_ = 8;
  bool quiet_ = false;
  bool json_ = false;
  TuneMemory memory_;
  std::string refusals_;  ///< of operations that cannot run
};

}  // namespace

std::unique_ptr<Command> make_tune_command() {
  return std::make_unique<TuneCommand>();
}

}  // namespace tessera::command_line
