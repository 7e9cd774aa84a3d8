#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/logging.hpp>
#include <tessera/core/base/progress.hpp>
#include <tessera/md/case/restart_section.hpp>
#include <tessera/md/case/run_section.hpp>
#include <tessera/md/case/run_setup.hpp>
#include <tessera/md/case/thermo_section.hpp>
#include <tessera/md/case/trajectory_section.hpp>
#include <utility>

#include "apps/tessera/case/read_case.hpp"
#include "case_choices.hpp"
#include "command.hpp"
#include "pin_file.hpp"
#include "run_folder.hpp"
#include "run_output.hpp"
#include "run_streams.hpp"
#include "selection_options.hpp"
#include "standard_output.hpp"
#include "stop_signals.hpp"
#include "time_limit.hpp"

namespace tessera::command_line {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Steps from `step` to the next multiple of `every`; `otherwise` when there is no such interval.
std::int64_t steps_to_next(std::int64_t step, std::int64_t every, std::int64_t otherwise) {
  return every > 0 ? every - step % every : otherwise;
}

/// At most that many at once when somebody watches.
std::int64_t steps_in_a_second(std::int64_t done, double seconds) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(done) / seconds));
}

bool due(std::int64_t step, std::int64_t every) {
  return every > 0 && step % every == 0;
}

/// Tables for whoever watches. A run is worth more than its tables: it goes on when they cannot be
/// written.
class Watcher {
 public:
  explicit Watcher(bool watches) : watches_(watches) {}

  [[nodiscard]] bool watches() const { return watches_; }
  /// Went away, as in `| head`.
  [[nodiscard]] bool left() const { return failure_ && failure_->reader_left(); }
  [[nodiscard]] const std::optional<StandardOutputError>& failure() const { return failure_; }

  void show(const std::function<void()>& print) {
    if (!watches_) return;
    try {
      print_all(print);
    } catch (const StandardOutputError& error) {
      failure_ = error;
      watches_ = false;
    }
  }

 private:
  bool watches_;
  std::optional<StandardOutputError> failure_;
};

/// What may end a run in order before its last step.
struct EndOfRun {
  Clock::time_point begin;
  double limit = 0;  ///< seconds; 0: none
  const Watcher& watcher;

  [[nodiscard]] bool asked() const {
    return StopSignals::received() != 0 || watcher.left() ||
           (limit > 0 && seconds_since(begin) >= limit);
  }

  /// In words, and the exit code.
  [[nodiscard]] std::pair<std::string, int> reason() const {
    // That of a shell for a signal; a time limit is nothing wrong.
    if (const int signal = StopSignals::received())
      return {std::string(StopSignals::name(signal)), 128 + signal};
    if (watcher.left()) return {"its reader", watcher.failure()->exit_code()};
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
          .meaning = "Case file (docs/case_reference.md names every key)",
          .type = "CASE.toml",
          .required = true},
         {"--set", &overrides_, "Change a key of the case; may be repeated", "KEY=VALUE"},
         selection_.select_option(),
         selection_.parameter_option(),
         selection_.no_tune_option(),
         {"--pin", &pin_, "Run what this file of 'tessera tune --pin' names, exactly", "FILE"},
         {"--backend", &backend_, "Backend that keeps the state, or auto", "B"},
         {"--device", &device_, "Number of its device (default: the first)", "N",
          Option::Range::not_negative},
         {"--precision", &precision_, "double, mixed or single", "P"},
         {"--out", &out_,
          "Folder for the output (default: the case's name + .out here, or the next one that is "
          "free; that of the run which a restart file is of)",
          "DIR"},
         {"--overwrite", &overwrite_, "Remove the files of another run from the folder"},
         {"--time-limit", &time_limit_,
          "Wall-clock time after which the run ends in order, with a restart file to go on from",
          "[[H:]M:]S"},
         {"--exact-timings", &exact_timings_,
          "Wait for the device after each operation: exact times, slower on a GPU"},
         {"--quiet", &quiet_, "Print nothing but errors"},
         {"--json", &json_, "Print summary.json instead of tables"}},
        true};
  }

  int run() override {
    const Clock::time_point begin = Clock::now();
    const double limit = time_limit_.empty() ? 0 : seconds_of_time_limit(time_limit_);
    cases::Case c = app::read_case(case_file_, overrides_);
    if (!backend_.empty()) c.backend = backend_;
    if (!precision_.empty()) c.precision = precision_from_name(precision_);
    std::optional<Pin> pin;
    if (!pin_.empty()) pin = read_pin(pin_);
    Choices choices = *configured_choices();
    if (pin) add_pin(*pin, c.precision, choices);
    choices = choices_of(c, std::move(choices));
    selection_.add_to(choices);
    md::RunSetup setup = md::set_up_run(c);
    setup.options.exact_timings = exact_timings_;
    for (const std::string& warning : setup.initial.warnings)
      log_warning(warning);

    check_formats(c, setup.initial.system.types);
    RunFolder folder(folder_options(c, setup.initial));
    RunStreams streams;
    if (setup.initial.continued) streams = RunStreams(*setup.initial.continued);

    Context context = registry().open(
        c.backend, device_ >= 0 ? std::optional<int>(device_) : std::optional<int>());
    context.choices = std::make_shared<const Choices>(std::move(choices));
    if (pin) check_device(*pin, context.opened().properties());
    const std::unique_ptr<md::Simulation> simulation = make_simulation(c, setup, context);
    // From here on there is something to save.
    const StopSignals signals;
    Watcher watcher(!quiet_ && !json_);
    const EndOfRun end{begin, limit, watcher};
    folder.claim();
    RunOutput output(c, *setup.units, *simulation, folder, std::move(streams));
    watcher.show([&] { print_start(c, *setup.units, context, *simulation); });

    const RunResult result = advance(c, *setup.units, *simulation, output, end, watcher);
    const nlohmann::ordered_json summary =
        summary_of(c, *setup.units, context, *simulation, result);
    try {
      output.write_summary(summary);
    } catch (const FileError& error) {
      if (result.status == "completed") throw;
      log_error(error.what());  // why the run stopped comes first
    }
    watcher.show([&] { print_end(*simulation, result, output.folder()); });
    if (result.status != "completed" && !watcher.left()) print_error(result.error);
    if (json_) print_all([&] { fmt::print("{}\n", json_text(summary)); });
    if (result.exit_code == exit_code::ok && watcher.failure()) throw *watcher.failure();
    return result.exit_code;
  }

 private:
  [[nodiscard]] RunFolderOptions folder_options(const cases::Case& c,
                                                const md::InitialState& initial) const {
    RunFolderOptions options;
    options.case_file = c.path;
    options.folder = out_;
    options.outputs = run_files(c);
    options.inputs = {{"the case", c.path}};
    options.inputs.insert(options.inputs.end(), initial.inputs.begin(), initial.inputs.end());
    if (initial.continued) {
      options.continued_identity = run_identity(*initial.continued);
      options.continued_from = initial.inputs.front().path;
    }
    options.overwrite = overwrite_;
    return options;
  }

  /// What the first forces find wrong is in the case, not in the run.
  static std::unique_ptr<md::Simulation> make_simulation(const cases::Case& c, md::RunSetup& setup,
                                                         const Context& context) {
    const std::optional<RestartFile> continued = std::exchange(setup.initial.continued, {});
    try {
      return md::Simulation::make(context, std::move(setup.initial.system), setup.parts,
                                  *setup.units, setup.options, continued ? &*continued : nullptr);
    } catch (const ParticleError& error) {
      throw InputError({c.path.string(), 0, {}, {}}, error.what());
    } catch (const RefusalError& error) {
      throw InputError({c.path.string(), 0, {}, {}}, error.what());
    } catch (const ArgumentError& error) {
      throw InputError({c.path.string(), 0, {}, {}}, error.what());
    }
  }

  static RunResult advance(const cases::Case& c, const md::Units& units, md::Simulation& simulation,
                           RunOutput& output, const EndOfRun& end, Watcher& watcher) {
    RunResult result;
    const std::int64_t steps = c.get<md::RunSection>().steps;
    const auto asked = [&] { return end.asked(); };
    const auto show_row = [&](Progress& progress) {
      progress.clear();
      watcher.show([&] { print_thermo(result.last, simulation.atoms()); });
    };
    // A run that ends early writes no row that one without an end would not have.
    const auto record = [&](bool early, Progress& progress) {
      const bool first = simulation.steps_done() == 0;
      const bool last = simulation.steps_done() == steps;
      const std::int64_t step = simulation.clock().step();
      const bool due_row = last || due(step, c.get<md::ThermoSection>().every);
      const bool frame = due(step, c.get<md::TrajectorySection>().every);
      const std::int64_t every = c.get<md::RestartSection>().every;
      const bool restart = early || (!first && (due(step, every) || (last && every > 0)));
      if (due_row || first || frame || early) result.last = simulation.thermo();
      if (first) watcher.show([&] { print_thermo_titles(result.last, units); });
      if (due_row || first) show_row(progress);
      // The first row of a run that goes on is there already, or was not due.
      if (due_row || (first && !output.thermo_goes_on())) output.write_thermo(result.last);
      if (frame) output.write_frame(simulation, result.last);
      if (restart) {
        // What reading the file does: this run and the one that continues it go on with equal bits.
        simulation.rebuild();
        output.write_restart(simulation);
      }
    };

    Progress progress("  ", steps, watcher.watches());
    const md::ThermoRows rows{c.get<md::ThermoSection>().every, [&](const md::ThermoRow& row) {
                                result.last = row;
                                show_row(progress);
                                output.write_thermo(row);
                              }};
    const Clock::time_point start = Clock::now();
    try {
      record(false, progress);
      result.first = result.last;
      simulation.reset_timings();
      std::int64_t steps_to_show = 10;
      bool early = false;
      while (!early && simulation.steps_done() < steps) {
        const std::int64_t step = simulation.clock().step();
        const std::int64_t rest = steps - simulation.steps_done();
        simulation.advance(
            std::min({rest, steps_to_next(step, c.get<md::TrajectorySection>().every, rest),
                      steps_to_next(step, c.get<md::RestartSection>().every, rest),
                      progress.enabled() ? steps_to_show : rest}),
            asked, rows);
        steps_to_show = steps_in_a_second(simulation.steps_done(), seconds_since(start));
        early = simulation.steps_done() < steps && asked();
        record(early, progress);
        progress.advance_to(simulation.steps_done());
      }
      if (early) {
        const auto [by, code] = end.reason();
        stop(result, code,
             fmt::format("stopped by {} after step {}; {} continues from there", by,
                         simulation.clock().step(), output.restart_path().string()));
      }
    } catch (const md::BlowUpError& error) {
      std::string text = error.what();
      try {
        output.write_restart(simulation);
        text += fmt::format("; {} continues from there", output.restart_path().string());
      } catch (const Error& unwritten) {
        text += fmt::format("; there is no restart file, {}", unwritten.what());
      }
      stop(result, exit_code::failed, std::move(text));
    } catch (const Error& error) {
      // Two atoms at one place, a device that fails, a full disk.
      stop(result, exit_code::failed,
           fmt::format("after step {}: {}", simulation.clock().step(), error.what()));
    }
    result.steps = simulation.steps_done();
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
