#include "apps/tessera/run_summary.hpp"
#include "apps/tessera/runs/md/md_output.hpp"
#include "physics/md/case/run_section.hpp"

/// \file
/// summary.json of molecular dynamics.

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

ordered_json thermo_json(const md::ThermoRow& row, std::int64_t atoms) {
  const double per_atom = atoms > 0 ? 1.0 / static_cast<double>(atoms) : 0.0;
  ordered_json out;
  out["step"] = row.step;
  out["time"] = row.time;
  out["temperature"] = row.temperature;
  out["energy"] = ordered_json::object();
  for (const md::TermEnergy& term : row.terms)
    out["energy"][term.term + " (" + term.style + ")"] = term.energy;
  out["energy"]["potential"] = row.potential_energy;
  out["energy"]["kinetic"] = row.kinetic_energy;
  out["energy"]["total"] = row.potential_energy + row.kinetic_energy;
  out["energy_per_atom"] = {{"potential", row.potential_energy * per_atom},
                            {"kinetic", row.kinetic_energy * per_atom},
                            {"total", (row.potential_energy + row.kinetic_energy) * per_atom}};
  out["pressure"] = row.pressure;
  const std::array<const char*, 6> names = {"xx", "yy", "zz", "xy", "xz", "yz"};
  for (std::size_t i = 0; i < names.size(); ++i)
    out["pressure_tensor"][names[i]] = row.pressure_tensor[i];
  if (row.term_pressures)
    for (const md::TermEnergy& term : row.terms) {
      ordered_json& tensor = out["pressure_of_terms"][term.term];
      for (std::size_t i = 0; i < names.size(); ++i)
        tensor[names[i]] = term.pressure_tensor[i];
    }
  out["momentum"] = row.momentum;
  for (const md::ThermoColumn& column : row.more)
    out[column.name] = column.value;
  return out;
}

}  // namespace

ordered_json md_summary(const cases::Case& c, const md::Units& units, const Context& context,
                        const md::Simulation& simulation, const MdResult& result) {
  const md::System system = simulation.system();
  const std::int64_t atoms = system.size();
  ordered_json out = summary_head(c, result);
  out["units"] = {{"name", units.name},
                  {"length", units.length},
                  {"energy", units.energy},
                  {"time", units.time},
                  {"temperature", units.temperature},
                  {"pressure", units.pressure_in(system.dimensions)},
                  {"mass", units.mass}};
  append_device(out, c, context);
  out["atoms"] = atoms;
  if (!system.frozen.empty()) out["frozen_atoms"] = system.frozen_atoms();
  std::vector<std::int64_t> counts(system.types.size());
  for (const std::int32_t type : system.type)
    ++counts[static_cast<std::size_t>(type)];
  out["types"] = ordered_json::array();
  for (std::size_t t = 0; t < counts.size(); ++t)
    out["types"].push_back(
        {{"name", system.types[t].name}, {"mass", system.types[t].mass}, {"atoms", counts[t]}});
  if (system.dimensions == 2) out["dimensions"] = 2;
  out["box"] = {{"lower", system.box.lower},
                {"length", system.box.length},
                {"tilt", system.box.tilt},
                {"periodic", system.box.periodic}};
  out["time_step"] = c.get<md::RunSection>().time_step;
  out["first_step"] = result.first.step;
  out["steps"] = result.steps;
  out["initial"] = thermo_json(result.first, atoms);
  out["final"] = thermo_json(result.last, atoms);
  out["neighbors"] = {{"skin", simulation.skin()},
                      {"rebuilds", simulation.rebuilds()},
                      {"per_atom", simulation.neighbors_per_atom()}};
  if (const Refusal reason = simulation.fused_steps_refusal()) out["no_fused_steps"] = *reason;
  append_timings(out, simulation.timings());
  out["seconds"] = result.seconds;
  out["atom_steps_per_second"] = atom_steps_per_second(result, atoms);
  out["fingerprint"] = build_fingerprint();
  return out;
}

}  // namespace tessera::command_line
