#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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
#include "run_output.hpp"
#include "selection_options.hpp"
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

/// What may end a run in order before its last step.
struct EndOfRun {
  Clock::time_point begin;
  double limit = 0;  ///< seconds; 0: none

  [[nodiscard]] bool asked() const {
    return StopSignals::received() != 0 || (limit > 0 && seconds_since(begin) >= limit);
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
         {"--backend", &backend_, "Backend that keeps the state, or auto", "B"},
         {"--precision", &precision_, "double, mixed or single", "P"},
         {"--out", &out_, "Folder for the output (default: the case's name + .out, here)", "DIR"},
         {"--time-limit", &time_limit_,
          "Wall-clock time after which the run ends in order, with a restart file to go on from",
          "[[H:]M:]S"},
         {"--exact-timings", &exact_timings_,
          "Wait for the device after each operation: exact times, slower on a GPU"},
         {"--quiet", &quiet_, "Print nothing but errors"},
         {"--json", &json_, "Print summary.json instead of tables"}}};
  }

  int run() override {
    const Clock::time_point begin = Clock::now();
    const double limit = time_limit_.empty() ? 0 : seconds_of_time_limit(time_limit_);
    cases::Case c = app::read_case(case_file_, overrides_);
    if (!backend_.empty()) c.backend = backend_;
    if (!precision_.empty()) c.precision = precision_from_name(precision_);
    Choices choices = choices_of(c);
    selection_.add_to(choices);
    md::RunSetup setup = md::set_up_run(c);
    setup.options.exact_timings = exact_timings_;
    for (const std::string& warning : setup.initial.warnings)
      log_warning(warning);

    Context context = registry().open(c.backend);
    context.choices = std::make_shared<const Choices>(std::move(choices));
    const std::unique_ptr<md::Simulation> simulation = make_simulation(c, setup, context);
    // From here on there is something to save.
    const StopSignals signals;
    const EndOfRun end{begin, limit};
    RunOutput output(c, *setup.units, *simulation,
                     out_.empty() ? c.path.stem().string() + ".out" : out_);
    const bool tables = !quiet_ && !json_;
    if (tables) print_start(c, *setup.units, context, *simulation);

    const RunResult result = advance(c, *setup.units, *simulation, output, end, tables);
    const nlohmann::ordered_json summary =
        summary_of(c, *setup.units, context, *simulation, result);
    try {
      output.write_summary(summary);
    } catch (const FileError& error) {
      if (result.status == "completed") throw;
      log_error(error.what());  // why the run stopped comes first
    }
    if (json_) fmt::print("{}\n", summary.dump(2));
    if (tables) print_end(*simulation, result, output.folder());
    if (result.status != "completed") fmt::print(stderr, "tessera: {}\n", result.error);
    return result.exit_code;
  }

 private:
  /// What the first forces find wrong is in the case, not in the run.
  static std::unique_ptr<md::Simulation> make_simulation(const cases::Case& c, md::RunSetup& setup,
                                                         const Context& context) {
    const std::optional<RestartFile> continued = std::exchange(setup.initial.continued, {});
    try {
      return md::Simulation::make(context, std::move(setup.initial.system), setup.parts,
                                  *setup.units, setup.options, continued ? &*continued : nullptr);
    } catch (const ParticleError& error) {
      throw InputError({c.path.string(), 0, {}, {}}, error.what());
    } catch (const ArgumentError& error) {
      throw InputError({c.path.string(), 0, {}, {}}, error.what());
    }
  }

  static RunResult advance(const cases::Case& c, const md::Units& units, md::Simulation& simulation,
                           RunOutput& output, const EndOfRun& end, bool tables) {
    RunResult result;
    const std::int64_t steps = c.get<md::RunSection>().steps;
    const auto asked = [&] { return end.asked(); };
    // A run that ends early writes no row that one without an end would not have.
    const auto record = [&](bool early, Progress& progress) {
      const bool last = simulation.steps_done() == steps;
      const std::int64_t step = simulation.clock().step();
      const bool show =
          last || simulation.steps_done() == 0 || due(step, c.get<md::ThermoSection>().every);
      const bool frame = due(step, c.get<md::TrajectorySection>().every);
      if (show || frame || early) result.last = simulation.thermo();
      if (show) {
        progress.clear();
        if (tables && simulation.steps_done() == 0) print_thermo_titles(result.last, units);
        if (tables) print_thermo(result.last, simulation.atoms());
        output.write_thermo(result.last);
      }
      if (frame) output.write_frame(simulation, result.last);
      const std::int64_t every = c.get<md::RestartSection>().every;
      if (early || (simulation.steps_done() > 0 && (due(step, every) || (last && every > 0)))) {
        // What reading the file does: this run and the one that continues it go on with equal bits.
        simulation.rebuild();
        output.write_restart(simulation);
      }
    };

    Progress progress("  ", steps, tables);
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
            std::min({rest, steps_to_next(step, c.get<md::ThermoSection>().every, rest),
                      steps_to_next(step, c.get<md::TrajectorySection>().every, rest),
                      steps_to_next(step, c.get<md::RestartSection>().every, rest),
                      progress.enabled() ? steps_to_show : rest}),
            asked);
        steps_to_show = steps_in_a_second(simulation.steps_done(), seconds_since(start));
        early = simulation.steps_done() < steps && asked();
        record(early, progress);
        progress.advance_to(simulation.steps_done());
      }
      if (early) {
        const int signal = StopSignals::received();
        const std::string by = signal != 0 ? std::string(StopSignals::name(signal))
                                           : fmt::format("its time limit of {:g} s", end.limit);
        // That of a shell for a signal; a time limit is nothing wrong.
        stop(result, signal != 0 ? 128 + signal : exit_code::ok,
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
  std::string backend_;
  std::string precision_;
  std::string out_;
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
