#include <tessera/core/base/build_info.hpp>
#include <tessera/core/base/precision.hpp>
#include <tessera/core/tuning/knob_json.hpp>
#include <tessera/md/case/pair_section.hpp>
#include <tessera/md/case/run_section.hpp>

#include "run_output.hpp"
#include "tuning_text.hpp"

/// \file
/// summary.json.

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

ordered_json fingerprint() {
  const BuildInfo& build = build_info();
  ordered_json out;
  out["version"] = build.version;
  out["commit"] = build.commit;
  for (const BuildFact& fact : build_facts())
    if (fact.compiled) out[fact.key] = fact.value;
  return out;
}

ordered_json choice_json(const Choice& choice) {
  ordered_json out = {{"implementation", choice.implementation},
                      {"source", name(choice.source)},
                      {"knobs", knobs_as_json(choice.knobs)}};
  if (!choice.evidence.text.empty()) out["tuning"] = json_of(choice.evidence);
  if (!choice.advised.empty()) out["advised"] = knobs_as_json(choice.advised);
  return out;
}

ordered_json device_json(const DeviceProperties& device) {
  return {{"name", device.name},
          {"memory", name(device.memory)},
          {"architecture", device.architecture},
          {"concurrency", device.concurrency},
          {"driver", device.driver}};
}

}  // namespace

ordered_json summary_of(const cases::Case& c, const md::Units& units, const Context& context,
                        const md::Simulation& simulation, const RunResult& result) {
  const md::System system = simulation.system();
  const std::int64_t atoms = system.size();
  ordered_json out;
  out["schema"] = "tessera.summary/1";
  out["status"] = result.status;
  if (!result.error.empty()) out["error"] = result.error;
  out["title"] = c.title;
  out["case"] = c.path.string();
  out["units"] = {
      {"name", units.name}, {"length", units.length},           {"energy", units.energy},
      {"time", units.time}, {"temperature", units.temperature}, {"pressure", units.pressure},
      {"mass", units.mass}};
  out["precision"] = name(c.precision);
  out["backend"] = context.device->properties().backend;
  out["device"] = device_json(context.device->properties());
  out["atoms"] = atoms;
  if (!system.frozen.empty()) out["frozen_atoms"] = system.frozen_atoms();
  std::vector<std::int64_t> counts(system.types.size());
  for (const std::int32_t type : system.type)
    ++counts[static_cast<std::size_t>(type)];
  out["types"] = ordered_json::array();
  for (std::size_t t = 0; t < counts.size(); ++t)
    out["types"].push_back(
        {{"name", system.types[t].name}, {"mass", system.types[t].mass}, {"atoms", counts[t]}});
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
  out["selected"] = ordered_json::object();
  out["choices"] = ordered_json::object();
  out["timings"] = ordered_json::array();
  for (const OperationTime& t : simulation.timings()) {
    // A name with a remark, as in "(prepare)", is a part of an operation.
    if (t.operation.find(' ') == std::string::npos) {
      out["selected"][t.operation] = t.choice.implementation;
      out["choices"][t.operation] = choice_json(t.choice);
    }
    out["timings"].push_back({{"operation", t.operation},
                              {"implementation", t.choice.implementation},
                              {"calls", t.calls},
                              {"seconds", t.seconds}});
  }
  out["seconds"] = result.seconds;
  out["atom_steps_per_second"] = atom_steps_per_second(result, atoms);
  out["fingerprint"] = fingerprint();
  return out;
}

}  // namespace tessera::command_line
