#include "apps/tessera/run_summary.hpp"
#include "apps/tessera/runs/md/md_output.hpp"
#include "core/base/printable.hpp"
#include "physics/md/case/neighbor_section.hpp"
#include "physics/md/case/run_section.hpp"

#include <fmt/format.h>

#include <algorithm>

/// \file
/// Terminal output of a run of molecular dynamics.

namespace tessera::command_line {
namespace {

std::string periodic_text(const md::Box& box) {
  std::string text;
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d]) text += "xyz"[d];
  return text.empty() ? "none" : text;
}

std::string tilt_text(const md::Box& box) {
  if (!box.tilted()) return "";
  return fmt::format(", tilts xy {:.6g}, xz {:.6g}, yz {:.6g}", box.tilt[0], box.tilt[1],
                     box.tilt[2]);
}

/// Width of a number and of the name above it.
std::size_t width_of(const md::ThermoColumn& column) {
  return std::max<std::size_t>(14, column.name.size());
}

}  // namespace

void print_md_start(const cases::Case& c, const md::Units& units, const Context& context,
                    const md::Simulation& simulation) {
  const md::Box& box = simulation.box();
  const std::size_t types = simulation.types().size();
  const DeviceProperties& device = context.device->properties();
  if (!c.title.empty()) fmt::print("{}\n", printable(c.title));
  const std::string third =
      simulation.description().dimensions == 2 ? "" : fmt::format(" x {:.6g}", box.length[2]);
  fmt::print("  {} atoms of {} type{}, box {:.6g} x {:.6g}{} {}{}, periodic in {}\n",
             simulation.atoms(), types, types == 1 ? "" : "s", box.length[0], box.length[1], third,
             units.length, tilt_text(box), periodic_text(box));
  fmt::print("  {} steps of {:.6g} {}, precision {}, backend {} on {}\n",
             c.get<md::RunSection>().steps, c.get<md::RunSection>().time_step, units.time,
             name(c.precision), device.backend, device.name);
  if (c.get<md::NeighborSection>().every > 0)
    fmt::print("  rebuilds every {} steps without a check: pairs may be missed\n",
               c.get<md::NeighborSection>().every);
  print_selected(simulation.timings());
}

void print_thermo_titles(const md::ThermoRow& like, const md::Units& units) {
  fmt::print("{:>10} {:>12} {:>14} {:>14} {:>14} {:>14}", "step",
             fmt::format("T/({})", units.temperature), "potential/atom", "kinetic/atom",
             "total/atom", fmt::format("P/({})", units.pressure_in(like.dimensions)));
  if (like.terms.size() > 1)
    for (const md::TermEnergy& term : like.terms)
      fmt::print(" {:>14}", term.term + "/atom");
  for (const md::ThermoColumn& column : like.more)
    fmt::print(" {:>{}}", column.name, width_of(column));
  fmt::print("\n");
}

void print_thermo(const md::ThermoRow& row, std::int64_t atoms) {
  const double per_atom = atoms > 0 ? 1.0 / static_cast<double>(atoms) : 0.0;
  fmt::print("{:>10} {:>12.7g} {:>14.9g} {:>14.9g} {:>14.9g} {:>14.9g}", row.step, row.temperature,
             row.potential_energy * per_atom, row.kinetic_energy * per_atom,
             (row.potential_energy + row.kinetic_energy) * per_atom, row.pressure);
  if (row.terms.size() > 1)
    for (const md::TermEnergy& term : row.terms)
      fmt::print(" {:>14.9g}", term.energy * per_atom);
  for (const md::ThermoColumn& column : row.more)
    fmt::print(" {:>{}.9g}", column.value, width_of(column));
  fmt::print("\n");
}

void print_md_end(const md::Simulation& simulation, const RunResult& result) {
  print_timings(simulation.timings(), result.seconds);
  const double speed = atom_steps_per_second(result, simulation.atoms());
  fmt::print(
      "{} steps in {:.3f} s, {:.3f} M atom-steps/s, {} rebuilds, {:.1f} neighbors kept "
      "for each atom\n",
      result.steps, result.seconds, 1e-6 * speed, simulation.rebuilds(),
      simulation.neighbors_per_atom());
  if (const Refusal reason = simulation.fused_steps_refusal())
    fmt::print("no fused steps: {}\n", printable(*reason));
}

}  // namespace tessera::command_line
