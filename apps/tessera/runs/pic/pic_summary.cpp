#include "apps/tessera/run_summary.hpp"
#include "apps/tessera/runs/pic/pic_output.hpp"
#include "physics/pic/case/beam_section.hpp"

/// \file
/// summary.json of a beam.

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

ordered_json row_json(const pic::StatisticsRow& row) {
  ordered_json out;
  out["step"] = row.place.step;
  out["turn"] = row.place.turn;
  out["element"] = row.place.element;
  out["name"] = row.place.name;
  out["path"] = row.place.path;
  for (const pic::StatisticsColumn& column : pic::columns_of(row)) {
    const bool counts = column.name == "alive" || column.name == "lost" || column.name == "outside";
    if (counts)
      out[column.name] = static_cast<std::int64_t>(column.value);
    else
      out[column.name] = column.value;
  }
  return out;
}

}  // namespace

ordered_json pic_summary(const cases::Case& c, const Context& context,
                         const pic::Tracking& tracking, const PicResult& result) {
  const pic::TrackingPlan& plan = tracking.plan();
  ordered_json out = summary_head(c, result);
  append_device(out, c, context);
  const auto& beam = c.get<pic::BeamSection>();
  out["reference"] = {{"rest_energy", beam.rest_energy()},
                      {"charge_state", beam.charge_state()},
                      {"gamma", plan.reference.gamma()},
                      {"beta", plan.reference.beta()},
                      {"beta_gamma", plan.reference.beta_gamma}};
  out["particles"] = tracking.particles();
  out["lattice"] = {
      {"elements", plan.elements.size()}, {"steps", plan.steps_of_turn()}, {"length", plan.length}};
  out["first_step"] = result.first.place.step;
  out["steps"] = result.steps;
  out["initial"] = row_json(result.first);
  out["final"] = row_json(result.last);
  if (tracking.kicks() > 0) {
    const pic::Grid grid = tracking.grid();
    out["space_charge"] = {{"kicks", tracking.kicks()},
                           {"nodes", grid.nodes},
                           {"spacing", grid.spacing},
                           {"lower", grid.lower}};
  }
  append_timings(out, tracking.timings());
  out["seconds"] = result.seconds;
  out["particle_steps_per_second"] =
      result.seconds > 0 ? static_cast<double>(result.steps) *
                               static_cast<double>(tracking.particles()) / result.seconds
                         : 0.0;
  out["fingerprint"] = build_fingerprint();
  return out;
}

}  // namespace tessera::command_line
