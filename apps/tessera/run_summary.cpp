#include "apps/tessera/run_summary.hpp"

#include "apps/tessera/table.hpp"
#include "apps/tessera/tuning_text.hpp"
#include "core/base/build_info.hpp"
#include "core/base/precision.hpp"
#include "core/parameters/parameter_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

/// Whether the time is that of a whole operation: a name with a remark, such as "(prepare)",
/// denotes a part.
bool is_whole(const OperationTime& time) {
  return time.operation.find(' ') == std::string::npos;
}

ordered_json choice_json(const Choice& choice) {
  ordered_json out = {{"implementation", choice.implementation},
                      {"source", name(choice.source)},
                      {"parameters", parameters_as_json(choice.parameters)}};
  if (!choice.evidence.text.empty()) out["tuning"] = json_of(choice.evidence);
  if (!choice.advised.empty()) out["advised"] = parameters_as_json(choice.advised);
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

ordered_json summary_head(const cases::Case& c, const RunResult& result) {
  ordered_json out;
  out["schema"] = "tessera.summary/1";
  out["status"] = result.status;
  if (!result.error.empty()) out["error"] = result.error;
  out["title"] = c.title;
  out["case"] = c.path.string();
  return out;
}

void append_device(ordered_json& summary, const cases::Case& c, const Context& context) {
  summary["precision"] = name(c.precision);
  summary["backend"] = context.device->properties().backend;
  summary["device"] = device_json(context.device->properties());
}

void append_timings(ordered_json& summary, const std::vector<OperationTime>& timings) {
  summary["selected"] = ordered_json::object();
  summary["choices"] = ordered_json::object();
  summary["timings"] = ordered_json::array();
  for (const OperationTime& t : timings) {
    if (is_whole(t)) {
      summary["selected"][t.operation] = t.choice.implementation;
      summary["choices"][t.operation] = choice_json(t.choice);
    }
    summary["timings"].push_back({{"operation", t.operation},
                                  {"implementation", t.choice.implementation},
                                  {"calls", t.calls},
                                  {"seconds", t.seconds}});
  }
}

ordered_json build_fingerprint() {
  const BuildInfo& build = build_info();
  ordered_json out;
  out["version"] = build.version;
  out["commit"] = build.commit;
  for (const BuildFact& fact : build_facts())
    if (fact.compiled) out[fact.key] = fact.value;
  return out;
}

std::string json_text(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

void print_selected(const std::vector<OperationTime>& timings) {
  fmt::print("  selected:");
  for (const OperationTime& t : timings)
    if (is_whole(t))
      fmt::print(" {}={}{}", t.operation, t.choice.implementation,
                 t.choice.source == ChoiceSource::default_order
                     ? ""
                     : fmt::format(" ({})", name(t.choice.source)));
  fmt::print("\n");
  for (const OperationTime& t : timings)
    if (is_whole(t) && !t.choice.evidence.text.empty())
      fmt::print("  {}: {}\n", t.operation, t.choice.evidence.text);
  for (const OperationTime& t : timings)
    if (is_whole(t) && !t.choice.advised.empty())
      fmt::print("  {}: a tuning tool set {}\n", t.operation, text_of_parameters(t.choice.advised));
  fmt::print("\n");
}

void print_timings(const std::vector<OperationTime>& timings, double seconds) {
  Table table({"operation", "implementation", ">calls", ">ms a call", ">% of the run"});
  double known = 0;
  for (const OperationTime& t : timings) {
    known += t.seconds;
    table.add(
        {t.operation, t.choice.implementation, std::to_string(t.calls),
         t.calls > 0 ? fmt::format("{:.4f}", 1e3 * t.seconds / static_cast<double>(t.calls)) : "-",
         fmt::format("{:.1f}", 100 * t.seconds / seconds)});
  }
  table.add({"output and the rest", "", "", "",
             fmt::format("{:.1f}", 100 * std::max(0.0, 1 - known / seconds))});
  table.print(stdout);
  fmt::print("\n");
}

}  // namespace tessera::command_line
