#include "apps/tessera/case/read_case.hpp"
#include "apps/tessera/case/set_option.hpp"
#include "apps/tessera/case_choices.hpp"
#include "apps/tessera/case_run.hpp"
#include "apps/tessera/command.hpp"
#include "apps/tessera/pin_file.hpp"
#include "apps/tessera/run_folder.hpp"
#include "apps/tessera/run_screen.hpp"
#include "apps/tessera/run_streams.hpp"
#include "apps/tessera/run_summary.hpp"
#include "apps/tessera/selection_options.hpp"
#include "apps/tessera/standard_output.hpp"
#include "apps/tessera/stop_signals.hpp"
#include "apps/tessera/time_limit.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/base/progress.hpp"
#include "core/case/case_registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace tessera::command_line {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Number of steps per second so far. It limits a batch of steps where a terminal shows the
/// progress.
std::int64_t steps_in_a_second(std::int64_t done, double seconds) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(done) / seconds));
}

/// Conditions that end a run in order before its last step.
struct EndOfRun {
  Clock::time_point begin;
  double limit = 0;  ///< seconds; 0: none
  const TableOutput& table_output;

  [[nodiscard]] bool asked() const {
    return StopSignals::received() != 0 || table_output.left() ||
           (limit > 0 && seconds_since(begin) >= limit);
  }

  /// Reason in words, and the exit code.
  [[nodiscard]] std::pair<std::string, int> reason() const {
    // A signal gives the exit code of a shell; a time limit is not an error.
    if (const int signal = StopSignals::received())
      return {std::string(StopSignals::name(signal)), 128 + signal};
    if (table_output.left()) return {"its reader", table_output.failure()->exit_code()};
    return {fmt::format("its time limit of {:g} s", limit), exit_code::ok};
  }
};

class RunCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    return {
        "run",
        "Run the simulation that a case file describes",
        {{.name = "case",
          .target = &case_file_,
          .meaning = "Case file (docs/case_reference.md describes every key)",
          .type = "CASE.toml",
          .required = true},
         {"--set", &overrides_, "Change a key of the case; may be repeated", "KEY=VALUE"},
         selection_.select_option(),
         selection_.parameter_option(),
         selection_.no_tune_option(),
         {"--pin", &pin_,
          "Run exactly the implementations and parameters of this pin file ('tessera tune --pin')",
          "FILE"},
         {"--backend", &backend_, "Backend that keeps the state, or auto", "B"},
         {"--device", &device_, "Number of its device (default: the first)", "N",
          Option::Range::not_negative},
         {"--precision", &precision_, "double, mixed or single", "P"},
         {"--out", &out_,
          "Folder for the output (default: the name of the case + .out in this folder, or the next "
          "free name; a continued run uses the folder of its restart file)",
          "DIR"},
         {"--overwrite", &overwrite_, "Remove the files of another run from the folder"},
         {"--time-limit", &time_limit_,
          "Wall-clock time after which the run writes a restart file and ends in order",
          "[[H:]M:]S"},
         {"--exact-timings", &exact_timings_,
          "Wait for the device after each operation: exact times, but a slower run on a GPU"},
         {"--quiet", &quiet_, "Print only errors"},
         {"--json", &json_, "Print summary.json instead of tables"}},
        true};
  }

  int run() override {
    const Clock::time_point begin = Clock::now();
    const double limit = time_limit_.empty() ? 0 : seconds_of_time_limit(time_limit_);
    cases::Case c = app::read_case(case_file_, overrides_, precision_);
    if (!backend_.empty()) c.backend = backend_;
    std::optional<Pin> pin;
    if (!pin_.empty()) pin = read_pin(pin_);
    Choices choices = *configured_choices();
    if (pin) add_pin(*pin, c.precision, choices);
    choices = choices_of(c, std::move(choices));
    selection_.add_to(choices);
    const std::unique_ptr<CaseRun> run = make_case_run(c);
    RunFolder folder(folder_options(c, *run));
    RunStreams streams;
    if (run->continued() != nullptr) streams = RunStreams(*run->continued());

    Context context = registry().open(
        c.backend, device_ >= 0 ? std::optional<int>(device_) : std::optional<int>());
    context.choices = std::make_shared<const Choices>(std::move(choices));
    if (pin) check_device(*pin, context.opened().properties());
    run->start(context, exact_timings_);
    // From here on there is data to save.
    const StopSignals signals;
    TableOutput table_output(!quiet_ && !json_);
    const EndOfRun end{begin, limit, table_output};
    folder.claim();
    run->open(folder, std::move(streams));
    const std::filesystem::path summary_file = folder.path() / "summary.json";
    std::error_code ignored;
    std::filesystem::remove(summary_file, ignored);
    table_output.show([&] { run->print_start(); });

    const RunResult result = advance(*run, end, table_output);
    const nlohmann::ordered_json summary = run->summary(result);
    try {
      write_file_atomically(summary_file, json_text(summary) + "\n");
    } catch (const FileError& error) {
      if (result.status == "completed") throw;
      log_error(error.what());  // not thrown, because it would replace the reason of the stop
    }
    table_output.show([&] {
      fmt::print("\n");
      if (result.steps > 0) run->print_end(result);
      fmt::print("written to {}\n", folder.path().string());
      fmt::print("report: tessera-report {}\n", app::shell_path(folder.path().string()));
    });
    if (result.status != "completed" && !table_output.left()) print_error(result.error);
    if (json_) print_all([&] { fmt::print("{}\n", json_text(summary)); });
    if (result.exit_code == exit_code::ok && table_output.failure()) throw *table_output.failure();
    return result.exit_code;
  }

 private:
  [[nodiscard]] RunFolderOptions folder_options(const cases::Case& c, const CaseRun& run) const {
    RunFolderOptions options;
    options.case_file = c.path;
    options.effective_case = cases::case_registry().effective_toml(c);
    options.folder = out_;
    options.outputs = run.outputs();
    options.inputs = {{"the case", c.path}};
    options.inputs.insert(options.inputs.end(), run.inputs().begin(), run.inputs().end());
    if (run.continued() != nullptr) {
      options.continued_identity = run_identity(*run.continued());
      options.continued_from = run.inputs().front().path;
    }
    options.overwrite = overwrite_;
    return options;
  }

  static RunResult advance(CaseRun& run, const EndOfRun& end, TableOutput& table_output) {
    RunResult result;
    const std::int64_t steps = run.steps();
    const auto asked = [&] { return end.asked(); };
    Progress progress("  ", steps, table_output.is_open());
    const RunScreen screen{table_output, progress};
    const Clock::time_point start = Clock::now();
    try {
      run.record(false, screen);
      run.reset_timings();
      std::int64_t steps_to_show = 10;
      bool early = false;
      while (!early && run.steps_done() < steps) {
        const std::int64_t rest = steps - run.steps_done();
        run.advance(
            std::min({rest, run.steps_to_output(), progress.enabled() ? steps_to_show : rest}),
            asked, screen);
        steps_to_show = steps_in_a_second(run.steps_done(), seconds_since(start));
        early = run.steps_done() < steps && asked();
        run.record(early, screen);
        progress.advance_to(run.steps_done());
      }
      if (early) {
        const auto [by, code] = end.reason();
        stop(result, code,
             fmt::format("stopped by {} after step {}; {} continues from there", by, run.step(),
                         run.restart_option()));
      }
    } catch (const Error& error) {
      stop(result, exit_code::failed, run.failure(error));
    }
    result.steps = run.steps_done();
    result.seconds = seconds_since(start);
    return result;
  }

  static void stop(RunResult& result, int exit_code, std::string error) {
    result.status = "stopped";
    result.exit_code = exit_code;
    result.error = std::move(error);
  }

  std::string case_file_;
  std::vector<std::string> overrides_;
  SelectionOptions selection_;
  std::string pin_;
  std::string backend_;
  int device_ = -1;
  std::string precision_;
  std::string out_;
  bool overwrite_ = false;
  std::string time_limit_;
  bool exact_timings_ = false;
  bool quiet_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_run_command() {
  return std::make_unique<RunCommand>();
}

}  // namespace tessera::command_line
