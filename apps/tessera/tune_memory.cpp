#include "apps/tessera/tune_memory.hpp"

#include "apps/tessera/pin_file.hpp"
#include "apps/tessera/table.hpp"
#include "apps/tessera/tuning_export.hpp"
#include "apps/tessera/tuning_text.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/printable.hpp"
#include "core/operations/registry.hpp"
#include "core/tuning/recorded_choices.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

void show_json(const TuningDatabase& database, const TuningContents& contents,
               const std::vector<TunedDevice>& here) {
  ordered_json out;
  out["schema"] = "tessera.tuning/1";
  out["file"] = printable(database.path().string());
  out["records"] = ordered_json::array();
  for (const TuningRecord& record : contents.records) {
    ordered_json row = ordered_json::parse(to_json(record));
    row["gain"] = record.gain();
    row["ignored"] = unusable(record, here).value_or("");
    out["records"].push_back(std::move(row));
  }
  out["complaints"] = contents.complaints;
  fmt::print("{}\n", out.dump(2));
}

void show_table(const TuningDatabase& database, const TuningContents& contents,
                const std::vector<TunedDevice>& here) {
  if (contents.records.empty()) {
    fmt::print("{} has no records\n", printable(database.path().string()));
  } else {
    Table table({"operation", "precision", ">size", "kind", "device", "implementation",
                 "parameters", ">us a step", ">gain", "between", ">noise", "date",
                 "ignored, because"});
    for (const TuningRecord& record : contents.records) {
      const Refusal ignored = unusable(record, here);
      const TunedCandidate& winner = record.winner();
      table.add({printable(record.operation), std::string(name(record.precision)),
                 std::to_string(record.problem.size), text_of_kinds(record.problem),
                 printable(record.device.name), printable(winner.implementation),
                 text_of_parameters(winner.parameters), fmt::format("{:.4g}", 1e6 * winner.seconds),
                 fmt::format("{:.2f}", record.gain()), text_of_gains(winner.gains),
                 fmt::format("{:.1f} %", 100 * record.noise), printable(record.date),
                 printable(ignored.value_or(""))},
                ignored ? Style::dim : Style::plain);
    }
    table.print(stdout);
    fmt::print("\n{} record{} in {}\n", contents.records.size(),
               contents.records.size() == 1 ? "" : "s", printable(database.path().string()));
  }
  for (const std::string& complaint : contents.complaints)
    fmt::print("ignored: {}\n", complaint);
}

}  // namespace

TuningDatabase users_tuning_database() {
  const TuningLocation location = tuning_location();
  if (!location.path)
    throw InputError(
        {}, "there is no tuning database: " + location.reason + "; TESSERA_TUNING may name a file");
  return TuningDatabase(*location.path);
}

std::vector<TunedDevice> devices_here() {
  std::vector<TunedDevice> all;
  for (const BackendInfo& backend : registry().backends()) {
    if (!backend.not_built.empty()) continue;
    for (const DeviceProperties& properties : registry().devices(backend.name)) {
      const TunedDevice device = tuned_device(properties);
      if (std::none_of(all.begin(), all.end(),
                       [&](const TunedDevice& other) { return same_device(device, other); }))
        all.push_back(device);
    }
  }
  return all;
}

Refusal unusable(const TuningRecord& record, const std::vector<TunedDevice>& here) {
  Refusal reason = "it was measured on " + record.device.name + ", which this machine lacks";
  for (const TunedDevice& device : here) {
    if (out_of_reach(record, device)) continue;
    reason = stale(record, record.winner(), device, tuning_setting());
    if (!reason) break;
  }
  return reason;
}

void show_tuning(const TuningDatabase& database, bool json) {
  const TuningContents contents = database.read();
  if (json)
    show_json(database, contents, devices_here());
  else
    show_table(database, contents, devices_here());
}

std::size_t import_tuning(const TuningDatabase& database, const std::string& file) {
  if (!std::filesystem::exists(file))
    throw InputError({file, 0, {}, {}}, "expected a tuning database, there is no such file");
  const TuningContents contents = TuningDatabase(file).read();
  // Imports all records or none.
  if (!contents.complaints.empty()) throw InputError({}, contents.complaints.front());
  database.add(contents.records);
  return contents.records.size();
}

std::size_t forget_tuning(const TuningDatabase& database, const std::string& operation) {
  if (operation == "all") return database.remove([](const TuningRecord&) { return true; });
  // Accepts operations that only the records name, because this build may lack them.
  const std::vector<TuningRecord> records = database.read().records;
  const bool there = std::any_of(records.begin(), records.end(), [&](const TuningRecord& record) {
    return record.operation == operation;
  });
  const std::string full = there ? operation : registry().operation(operation);
  return database.remove([&](const TuningRecord& record) { return record.operation == full; });
}

std::vector<Option> TuneMemory::options() {
  return {{"--show", &show_, "Show the records, and the ones that are ignored"},
          {"--export", &exports_,
           "Write winners as defaults: rows of parameters into a *.hpp, TESSERA_SELECT into a "
           "*.cmake; may be repeated",
           "FILE"},
          {"--import", &import_, "Import the records of another database", "FILE"},
          {"--pin", &pin_,
           "Write a pin file of the present choices on this device, for 'run --pin'", "FILE"},
          {"--forget", &forget_, "Remove the records of an operation, or all", "OP|all"}};
}

bool TuneMemory::asked() const {
  return show_ || !exports_.empty() || !import_.empty() || !pin_.empty() || !forget_.empty();
}

void TuneMemory::run(const Context& context, Precision precision, bool json) const {
  const TuningDatabase database = users_tuning_database();
  const auto count = [](std::size_t records) {
    return fmt::format("{} record{}", records, records == 1 ? "" : "s");
  };
  const auto report_change = [&](const std::string& text) {
    if (!json) fmt::print("{}\n", text);
  };
  for (const std::string& file : exports_)
    (void)export_kind(file);  // reports unknown endings before any change
  if (!import_.empty())
    report_change(count(import_tuning(database, import_)) + " imported from " + printable(import_));
  if (!forget_.empty()) report_change(count(forget_tuning(database, forget_)) + " removed");
  if (show_) show_tuning(database, json);
  for (const std::string& file : exports_) {
    write_file_atomically(file, export_kind(file) == ExportKind::parameters
                                    ? parameters_header(database.read().records)
                                    : select_script(database.read().records, context));
    report_change("written to " + printable(file));
  }
  if (!pin_.empty()) {
    write_pin(pin_, pin_of(database.read().records, context, precision));
    report_change("written to " + printable(pin_));
  }
}

}  // namespace tessera::command_line
