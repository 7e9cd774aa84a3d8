#include "apps/tessera/runs/pic/pic_run.hpp"

#include "apps/tessera/case/set_option.hpp"
#include "apps/tessera/runs/pic/pic_output.hpp"
#include "core/base/logging.hpp"
#include "core/base/printable.hpp"
#include "physics/pic/case/restart_section.hpp"
#include "physics/pic/case/statistics_section.hpp"
#include "physics/pic/case/tracking_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace tessera::command_line {
namespace {

class PicRun final : public CaseRun {
 public:
  explicit PicRun(const cases::Case& c) : case_(c), setup_(pic::set_up_tracking(c)) {
    for (const std::string& warning : setup_.warnings)
      log_warning(warning);
  }

  [[nodiscard]] const std::vector<cases::InputFile>& inputs() const override {
    return setup_.inputs;
  }
  [[nodiscard]] const RestartFile* continued() const override {
    return setup_.continued ? &*setup_.continued : nullptr;
  }
  [[nodiscard]] std::vector<RunFile> outputs() const override {
    return pic_files(case_, setup_.begun, last_step());
  }

  void start(const Context& context, bool exact_timings) override {
    context_ = context;
    setup_.options.exact_timings = exact_timings;
    const std::optional<RestartFile> continued = std::exchange(setup_.continued, {});
    const pic::HostBunch bunch = std::exchange(setup_.bunch, {});
    blame_case(case_, [&] {
      tracking_ = pic::Tracking::make(context, bunch, std::move(setup_.plan), setup_.options,
                                      continued ? &*continued : nullptr);
    });
  }

  void open(const RunFolder& folder, RunStreams streams) override {
    output_.emplace(case_, folder, std::move(streams), openpmd_of(case_, last_step()));
  }

  [[nodiscard]] std::int64_t steps() const override { return setup_.steps; }
  [[nodiscard]] std::int64_t steps_done() const override { return tracking_->steps_done(); }
  [[nodiscard]] std::int64_t step() const override { return tracking_->step(); }
  [[nodiscard]] std::int64_t steps_to_output() const override {
    const std::int64_t rest = steps() - steps_done();
    return std::min({steps_to_next(step(), case_.get<pic::StatisticsSection>().every, rest),
                     steps_to_next(step(), case_.get<pic::RestartSection>().every, rest),
                     steps_to_next(step(), turn(), rest),
                     output_->steps_to_snapshot(step(), rest)});
  }

  void advance(std::int64_t steps, const std::function<bool()>& stop, const RunScreen&) override {
    tracking_->advance(steps, stop);
  }

  // A run that ends early writes only rows that a full run would also write.
  void record(bool early, const RunScreen& screen) override {
    const bool first = steps_done() == 0;
    const std::vector<pic::Loss> losses = tracking_->take_losses();
    if (tracking_->lost() == tracking_->particles() && (first || !losses.empty()))
      print_all_lost(losses);
    output_->write_losses(losses, step());
    const bool last = steps_done() == steps();
    const std::int64_t every = case_.get<pic::StatisticsSection>().every;
    const bool ends_turn = is_due(step(), turn());
    const bool due_row = last || is_due(step(), every) || (every == 0 && ends_turn);
    const std::int64_t restart_every = case_.get<pic::RestartSection>().every;
    const bool restart =
        early || (!first && (is_due(step(), restart_every) || (last && restart_every > 0)));
    if (due_row || first || ends_turn || early) last_ = tracking_->statistics();
    if (first) {
      first_ = last_;
      screen.show([] { print_statistics_titles(); });
    }
    if (first || ends_turn || last) screen.show([&] { print_statistics(last_); });
    // The first row of a continued run exists already, or was not due.
    if (due_row || (first && !output_->statistics_go_on())) output_->write_statistics(last_);
    output_->write_snapshots(*tracking_, last || early);
    if (restart) output_->write_restart(*tracking_);
  }

  [[nodiscard]] std::string failure(const Error& error) override {
    // The failure would otherwise drop the rows of particles lost since the last record().
    try {
      output_->write_losses(tracking_->take_losses(), step());
    } catch (const Error& unwritten) {
      return CaseRun::failure(error) + "; " + unwritten.what();
    }
    return CaseRun::failure(error);
  }

  [[nodiscard]] std::string restart_option() const override {
    return app::set_option("bunch.restart", output_->restart_path().string());
  }
  void reset_timings() override {}
  [[nodiscard]] std::vector<OperationTime> timings() const override { return tracking_->timings(); }

  [[nodiscard]] nlohmann::ordered_json summary(const RunResult& result) const override {
    return pic_summary(case_, context_, *tracking_, {result, first_, last_});
  }
  void print_start() const override { print_pic_start(case_, context_, *tracking_); }
  void print_end(const RunResult& result) const override { print_pic_end(*tracking_, result); }

 private:
  /// \param losses losses since the last record(); empty where the run began without particles.
  void print_all_lost(const std::vector<pic::Loss>& losses) const {
    std::string where = "before step " + std::to_string(step() + 1);
    if (!losses.empty()) {
      const pic::TrackingPosition& place = losses.back().place;
      where = fmt::format("at {} (element {}) in turn {}, step {}", printable(place.name),
                          place.element, place.turn, place.step);
    }
    log_warning("every particle was lost " + where + "; the run continues without particles");
  }

  [[nodiscard]] std::int64_t last_step() const { return setup_.begun + setup_.steps; }
  [[nodiscard]] std::int64_t turn() const { return tracking_->plan().steps_of_turn(); }

  const cases::Case& case_;
  pic::TrackingSetup setup_;
  Context context_;
  std::unique_ptr<pic::Tracking> tracking_;
  std::optional<PicOutput> output_;
  pic::StatisticsRow first_;
  pic::StatisticsRow last_;
};

}  // namespace

std::unique_ptr<CaseRun> make_pic_run(const cases::Case& c) {
  return std::make_unique<PicRun>(c);
}

}  // namespace tessera::command_line
