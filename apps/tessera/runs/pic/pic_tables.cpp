#include "apps/tessera/run_summary.hpp"
#include "apps/tessera/runs/pic/pic_output.hpp"
#include "core/base/printable.hpp"
#include "physics/pic/case/run_section.hpp"

#include <fmt/format.h>

/// \file
/// Terminal output of a run of a beam.

namespace tessera::command_line {

void print_pic_start(const cases::Case& c, const Context& context, const pic::Tracking& tracking) {
  const pic::TrackingPlan& plan = tracking.plan();
  const DeviceProperties& device = context.device->properties();
  if (!c.title.empty()) fmt::print("{}\n", printable(c.title));
  fmt::print("  {} macro-particles, gamma {:.6g}, beta {:.6g}\n", tracking.particles(),
             plan.reference.gamma(), plan.reference.beta());
  fmt::print("  {} turn{} of {} elements in {} steps, {:.6g} m, precision {}, backend {} on {}\n",
             c.get<pic::RunSection>().turns, c.get<pic::RunSection>().turns == 1 ? "" : "s",
             plan.elements.size(), plan.steps_of_turn(), plan.length, name(c.precision),
             device.backend, device.name);
  print_selected(tracking.timings());
}

void print_statistics_titles() {
  fmt::print("{:>8} {:>10} {:>12} {:>10} {:>8} {:>12} {:>12} {:>14} {:>14}\n", "turn", "step",
             "path/m", "alive", "outside", "rms x/m", "rms y/m", "emittance x/m", "emittance y/m");
}

void print_statistics(const pic::StatisticsRow& row) {
  fmt::print("{:>8} {:>10} {:>12.7g} {:>10} {:>8} {:>12.6g} {:>12.6g} {:>14.8g} {:>14.8g}\n",
             row.place.turn, row.place.step, row.place.path, row.alive, row.outside,
             row.beam.deviation[0], row.beam.deviation[2], row.beam.plane[0].emittance,
             row.beam.plane[1].emittance);
}

void print_pic_end(const pic::Tracking& tracking, const RunResult& result) {
  print_timings(tracking.timings(), result.seconds);
  const double speed = static_cast<double>(result.steps) *
                       static_cast<double>(tracking.particles()) / result.seconds;
  fmt::print("{} steps in {:.3f} s, {:.3f} M particle-steps/s, {} kicks, {} particles lost\n",
             result.steps, result.seconds, 1e-6 * speed, tracking.kicks(), tracking.lost());
}

}  // namespace tessera::command_line
