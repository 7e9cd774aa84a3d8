#include "apps/tessera/runs/md/md_run.hpp"

#include "apps/tessera/case/set_option.hpp"
#include "apps/tessera/runs/md/md_output.hpp"
#include "core/base/logging.hpp"
#include "physics/md/case/restart_section.hpp"
#include "physics/md/case/run_section.hpp"
#include "physics/md/case/run_setup.hpp"
#include "physics/md/case/thermo_section.hpp"
#include "physics/md/case/trajectory_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace tessera::command_line {
namespace {

class MdRun final : public CaseRun {
 public:
  explicit MdRun(const cases::Case& c) : case_(c), setup_(md::set_up_run(c)) {
    for (const std::string& warning : setup_.initial.warnings)
      log_warning(warning);
    check_formats(case_, setup_.initial.system.types);
  }

  [[nodiscard]] const std::vector<cases::InputFile>& inputs() const override {
    return setup_.initial.inputs;
  }
  [[nodiscard]] const RestartFile* continued() const override {
    return setup_.initial.continued ? &*setup_.initial.continued : nullptr;
  }
  [[nodiscard]] std::vector<RunFile> outputs() const override { return md_files(case_); }

  void start(const Context& context, bool exact_timings) override {
    context_ = context;
    setup_.options.exact_timings = exact_timings;
    const std::optional<RestartFile> continued = std::exchange(setup_.initial.continued, {});
    // The constructor computes the first forces. Errors in them are reported as errors of the case.
    blame_case(case_, [&] {
      simulation_ =
          md::Simulation::make(context, std::move(setup_.initial.system), setup_.parts,
                               *setup_.units, setup_.options, continued ? &*continued : nullptr);
    });
  }

  void open(const RunFolder& folder, RunStreams streams) override {
    output_.emplace(case_, *setup_.units, *simulation_, folder, std::move(streams));
  }

  [[nodiscard]] std::int64_t steps() const override { return case_.get<md::RunSection>().steps; }
  [[nodiscard]] std::int64_t steps_done() const override { return simulation_->steps_done(); }
  [[nodiscard]] std::int64_t step() const override { return simulation_->clock().step(); }
  [[nodiscard]] std::int64_t steps_to_output() const override {
    const std::int64_t rest = steps() - steps_done();
    return std::min(steps_to_next(step(), case_.get<md::TrajectorySection>().every, rest),
                    steps_to_next(step(), case_.get<md::RestartSection>().every, rest));
  }

  void advance(std::int64_t steps, const std::function<bool()>& stop,
               const RunScreen& screen) override {
    const md::ThermoRows rows{case_.get<md::ThermoSection>().every, [&](const md::ThermoRow& row) {
                                last_ = row;
                                show_row(screen);
                                if (output_) output_->write_thermo(row);
                              }};
    simulation_->advance(steps, stop, rows);
  }

  // A run that ends early writes only rows that a full run would also write.
  void record(bool early, const RunScreen& screen) override {
    const bool first = steps_done() == 0;
    const bool last = steps_done() == steps();
    const bool due_row = last || is_due(step(), case_.get<md::ThermoSection>().every);
    const bool frame = is_due(step(), case_.get<md::TrajectorySection>().every);
    const std::int64_t every = case_.get<md::RestartSection>().every;
    const bool restart = early || (!first && (is_due(step(), every) || (last && every > 0)));
    if (due_row || first || frame || early) last_ = simulation_->thermo();
    if (first) {
      first_ = last_;
      screen.show([&] { print_thermo_titles(last_, *setup_.units); });
    }
    if (due_row || first) show_row(screen);
    // The first row of a continued run exists already, or was not due.
    if (due_row || (first && !output_->thermo_goes_on())) output_->write_thermo(last_);
    if (frame) output_->write_frame(*simulation_, last_);
    if (restart) {
      // A run that continues from the file rebuilds the neighbor lists. Rebuilding them here too
      // keeps this run and its continuation bitwise equal.
      simulation_->rebuild();
      output_->write_restart(*simulation_);
    }
  }

  [[nodiscard]] std::string failure(const Error& error) override {
    // No restart file after other errors, such as two atoms at the same position, a failing device
    // or a full disk.
    if (dynamic_cast<const md::BlowUpError*>(&error) == nullptr) return CaseRun::failure(error);
    std::string text = error.what();
    try {
      output_->write_restart(*simulation_);
      return text + fmt::format("; {} with a shorter run.time_step continues from there",
                                restart_option());
    } catch (const Error& unwritten) {
      return text + fmt::format("; there is no restart file, {}", unwritten.what());
    }
  }

  [[nodiscard]] std::string restart_option() const override {
    return app::set_option("system.restart", output_->restart_path().string());
  }
  void reset_timings() override { simulation_->reset_timings(); }
  [[nodiscard]] std::vector<OperationTime> timings() const override {
    return simulation_->timings();
  }

  [[nodiscard]] nlohmann::ordered_json summary(const RunResult& result) const override {
    return md_summary(case_, *setup_.units, context_, *simulation_, {result, first_, last_});
  }
  void print_start() const override {
    print_md_start(case_, *setup_.units, context_, *simulation_);
  }
  void print_end(const RunResult& result) const override { print_md_end(*simulation_, result); }

 private:
  void show_row(const RunScreen& screen) const {
    screen.show([&] { print_thermo(last_, simulation_->atoms()); });
  }

  const cases::Case& case_;
  md::RunSetup setup_;
  Context context_;
  std::unique_ptr<md::Simulation> simulation_;
  std::optional<MdOutput> output_;
  md::ThermoRow first_;
  md::ThermoRow last_;
};

}  // namespace

std::unique_ptr<CaseRun> make_md_run(const cases::Case& c) {
  return std::make_unique<MdRun>(c);
}

}  // namespace tessera::command_line
