#include "apps/tessera/command.hpp"
#include "apps/tessera/selection_options.hpp"
#include "apps/tessera/table.hpp"
#include "apps/tessera/tuning_text.hpp"
#include "core/base/error.hpp"
#include "core/base/reasons.hpp"
#include "core/operations/choices.hpp"
#include "core/parameters/parameter_json.hpp"
#include "core/trials/trial.hpp"
#include "core/tuning/source_hash.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

std::string parameter_text(const ParameterInfo& parameter) {
  std::string values;
  for (const ParameterValue& value : parameter.values)
    values += (values.empty() ? "" : ", ") + to_string(value);
  return fmt::format("{} = {} (of {})", parameter.name, to_string(parameter.default_value), values);
}

std::string text_of(const LeftOut& one) {
  return fmt::format("{}={}: {}", one.operation, one.name, one.reason);
}

/// An implementation, and the precisions in which it is chosen, or not chosen, for the same reason.
struct Listed {
  const ImplementationInfo* info;
  RankedImplementation row;
  std::vector<std::string> precisions;
};

class ListCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    return {"list",
            "List the operations and the implementation that runs each; --verbose adds all others",
            {{"--operation", &operation_, "Only this operation", "OP"},
             {"--precision", &precision_, "Only this precision: double, mixed or single", "P"},
             {"--backend", &backend_, "Backend that keeps the state of a run, or auto", "B"},
             selection_.select_option(),
             selection_.no_tune_option(),
             {"--verbose", &verbose_,
              "Show every implementation, the reason why it is chosen or not, descriptions and "
              "parameters"},
             {"--json", &json_, "Print JSON"}},
            true};
  }

  int run() override {
    Choices choices = *configured_choices();
    selection_.add_to(choices);
    Context context = registry().open(backend_);
    context.choices = std::make_shared<const Choices>(std::move(choices));
    std::vector<std::string> operations = registry().operations();
    if (!operation_.empty()) operations = {registry().operation(operation_)};
    std::optional<Precision> wanted;
    if (!precision_.empty()) wanted = precision_from_name(precision_);

    std::vector<std::pair<std::string, std::vector<Listed>>> listing;
    for (const std::string& operation : operations)
      listing.emplace_back(operation, entries(operation, wanted, context));
    if (json_)
      print_json(listing, context);
    else
      print_tables(listing, context);
    return exit_code::ok;
  }

 private:
  static std::vector<Listed> entries(const std::string& operation, std::optional<Precision> wanted,
                                     const Context& context) {
    std::vector<Listed> found;
    for (const Precision precision : AllElements::values) {
      if (wanted && precision != *wanted) continue;
      if (registry().implementations(operation, precision).empty()) continue;
      for (RankedImplementation& row : rank(registry(), operation, precision, context)) {
        const ImplementationInfo& info =
            registry().find(operation, precision, row.implementation).info();
        Listed* same = nullptr;
        for (Listed& entry : found)
          if (entry.info->name == info.name && entry.row.chosen == row.chosen &&
              entry.row.reason == row.reason && entry.info->determinism == info.determinism)
            same = &entry;
        if (same == nullptr) same = &found.emplace_back(Listed{&info, std::move(row), {}});
        same->precisions.emplace_back(name(precision));
      }
    }
    return found;
  }

  /// "run_to_run, any_order": determinism by default, and on request of a problem.
  static std::string determinism_of(const ImplementationInfo& info) {
    std::string text(name(info.determinism));
    if (const Determinism most = most_determinism(info); most != info.determinism)
      text += ", " + std::string(name(most));
    return text;
  }

  void print_tables(const std::vector<std::pair<std::string, std::vector<Listed>>>& listing,
                    const Context& context) const {
    if (verbose_)
      print_all_implementations(listing);
    else
      print_chosen(listing);
    print_tuned(listing, context);

    const DeviceProperties& device = context.device->properties();
    fmt::print("\nState of a run: {} memory of {} (backend {})\n\n", name(device.memory),
               device.name, device.backend);
    Table backends({"backend", "state", "memory", "what", "why"});
    for (const BackendInfo& backend : registry().backends()) {
      const std::string reason = registry().unavailable(backend.name);
      if (!backend.not_built.empty())
        backends.add({backend.name, "off", "", "", backend.not_built}, Style::dim);
      else
        backends.add({backend.name, reason.empty() ? "on" : "unusable",
                      std::string(name(backend.memory)), backend.description, reason},
                     reason.empty() ? Style::plain : Style::bad);
    }
    backends.print(stdout);
    print_left_out();
    if (verbose_)
      print_details(listing, context);
    else
      fmt::print(
          "\n--verbose shows every implementation, and the reason why it is chosen or not.\n");
  }

  static void print_left_out() {
    Reasons reasons;
    for (const LeftOut& one : registry().left_out())
      reasons.add(one.operation + "=" + one.name, one.reason);
    if (!reasons.empty()) fmt::print("\n");
    for (const Reasons::Entry& entry : reasons.entries())
      fmt::print("left out of this build: {}: {}\n", entry.names(), entry.reason);
  }

  static void print_all_implementations(
      const std::vector<std::pair<std::string, std::vector<Listed>>>& listing) {
    Table table({"operation", "implementation", "backend", "precision", "determinism", "chosen",
                 "by", "why"});
    for (const auto& [operation, entries] : listing) {
      for (const Listed& entry : entries)
        table.add({operation, entry.info->name, entry.info->backend,
                   fmt::format("{}", fmt::join(entry.precisions, " ")), determinism_of(*entry.info),
                   entry.row.chosen ? "yes" : "no",
                   entry.row.chosen ? std::string(name(entry.row.source)) : "", entry.row.reason},
                  entry.row.chosen ? Style::good : Style::plain);
    }
    table.print(stdout);
  }

  /// Prints the implementation that runs each operation, the number of other implementations, and
  /// precisions that none supports.
  static void print_chosen(
      const std::vector<std::pair<std::string, std::vector<Listed>>>& listing) {
    Table table({"operation", "implementation", "precision", "by", ">others", "why"});
    for (const auto& [operation, entries] : listing) {
      std::set<std::string> names;
      for (const Listed& entry : entries)
        names.insert(entry.info->name);
      for (const Listed& entry : entries)
        if (entry.row.chosen)
          table.add(
              {operation, entry.info->name, fmt::format("{}", fmt::join(entry.precisions, " ")),
               std::string(name(entry.row.source)), std::to_string(names.size() - 1),
               entry.row.reason},
              Style::good);
      for (const std::string& precision : precisions_of(entries)) {
        Reasons reasons;
        if (!refused_in(precision, entries, reasons)) continue;
        table.add({operation, "none", precision, "", std::to_string(names.size()), reasons.text()},
                  Style::bad);
      }
    }
    table.print(stdout);
  }

  /// Whether every implementation refuses a precision; adds their reasons to `reasons`.
  static bool refused_in(const std::string& precision, const std::vector<Listed>& entries,
                         Reasons& reasons) {
    for (const Listed& entry : entries) {
      const auto& has = entry.precisions;
      if (std::find(has.begin(), has.end(), precision) == has.end()) continue;
      if (entry.row.chosen) return false;
      reasons.add(entry.info->name, entry.row.reason);
    }
    return true;
  }

  /// Prints tuned choices with the sizes near which runs use them, because a list has no problem of
  /// its own.
  static void print_tuned(const std::vector<std::pair<std::string, std::vector<Listed>>>& listing,
                          const Context& context) {
    const auto& tuned = context.choices->tuned();
    if (!tuned) return;
    Table table({"operation", "precision", ">size", "kind", "implementation", "parameters", "why"});
    bool any = false;
    for (const auto& [operation, entries] : listing)
      for (const std::string& precision : precisions_of(entries))
        for (const TunedChoice& choice : tuned->known(operation, precision_from_name(precision),
                                                      context.device->properties())) {
          any = true;
          table.add({operation, precision, std::to_string(choice.evidence.record.size),
                     text_of_kinds(choice.evidence.record), choice.implementation,
                     text_of_parameters(choice.parameters), choice.evidence.text});
        }
    if (!any) return;
    fmt::print("\nTuned, and used for problems of similar size:\n\n");
    table.print(stdout);
  }

  static std::vector<std::string> precisions_of(const std::vector<Listed>& entries) {
    std::vector<std::string> all;
    for (const Precision precision : AllElements::values)
      for (const Listed& entry : entries) {
        const std::string name(tessera::name(precision));
        const auto& has = entry.precisions;
        if (std::find(has.begin(), has.end(), name) == has.end()) continue;
        all.push_back(name);
        break;
      }
    return all;
  }

  static void print_details(const std::vector<std::pair<std::string, std::vector<Listed>>>& listing,
                            const Context& context) {
    for (const auto& [operation, entries] : listing) {
      fmt::print("\n{}: {} (prepare: {})\n", operation, registry().summary(operation),
                 name(registry().prepare(operation)));
      for (const Listed& entry : entries) {
        fmt::print("  {} ({}): {}\n", entry.info->name, fmt::join(entry.precisions, " "),
                   entry.info->description);
        for (const ParameterInfo& parameter : parameters_of(*entry.info, context))
          fmt::print("    {}\n", parameter_text(parameter));
      }
      for (const TrialInput& input : registry().trials(operation)->inputs())
        fmt::print("  input '{}': {}{}\n", input.name, fmt::join(input.checked, " "),
                   input.any_size ? ", any size" : "");
    }
  }

  /// Parameters with the defaults of the device that keeps the state.
  static std::vector<ParameterInfo> parameters_of(const ImplementationInfo& info,
                                                  const Context& context) {
    return registry()
        .find(info.operation, info.precision, info.name)
        .parameters_on(context.device->properties());
  }

  static void print_json(const std::vector<std::pair<std::string, std::vector<Listed>>>& listing,
                         const Context& context) {
    ordered_json out;
    out["schema"] = "tessera.list/1";
    out["backend"] = context.device->properties().backend;
    out["operations"] = ordered_json::array();
    for (const auto& [operation, entries] : listing) {
      ordered_json o;
      o["name"] = operation;
      o["summary"] = registry().summary(operation);
      o["prepare"] = name(registry().prepare(operation));
      o["implementations"] = ordered_json::array();
      for (const Listed& entry : entries) {
        ordered_json i;
        i["name"] = entry.info->name;
        i["backend"] = entry.info->backend;
        i["memory"] = name(entry.info->memory);
        i["precisions"] = entry.precisions;
        i["determinism"] = name(entry.info->determinism);
        i["determinism_on_request"] = name(most_determinism(*entry.info));
        i["description"] = entry.info->description;
        i["source_hash"] = source_hash(*entry.info);
        i["chosen"] = entry.row.chosen;
        i["reason"] = entry.row.reason;
        if (entry.row.chosen) i["source"] = name(entry.row.source);
        i["parameters"] = ordered_json::object();
        for (const ParameterInfo& parameter : parameters_of(*entry.info, context)) {
          ordered_json values = ordered_json::array();
          for (const ParameterValue& value : parameter.values)
            values.push_back(parameter_as_json(value));
          i["parameters"][parameter.name] = {
              {"default", parameter_as_json(parameter.default_value)}, {"values", values}};
        }
        o["implementations"].push_back(std::move(i));
      }
      o["tuned"] = ordered_json::array();
      if (const auto& tuned = context.choices->tuned())
        for (const std::string& precision : precisions_of(entries))
          for (const TunedChoice& choice : tuned->known(operation, precision_from_name(precision),
                                                        context.device->properties()))
            o["tuned"].push_back({{"precision", precision},
                                  {"implementation", choice.implementation},
                                  {"parameters", parameters_as_json(choice.parameters)},
                                  {"tuning", json_of(choice.evidence)}});
      o["inputs"] = ordered_json::array();
      for (const TrialInput& input : registry().trials(operation)->inputs())
        o["inputs"].push_back({{"name", input.name},
                               {"checked", input.checked},
                               {"timed", input.timed},
                               {"any_size", input.any_size}});
      out["operations"].push_back(std::move(o));
    }
    out["backends"] = ordered_json::array();
    for (const BackendInfo& backend : registry().backends()) {
      ordered_json b;
      b["name"] = backend.name;
      b["built"] = backend.not_built.empty();
      b["available"] = registry().unavailable(backend.name).empty();
      b["reason"] = registry().unavailable(backend.name);
      b["memory"] = name(backend.memory);
      b["description"] = backend.description;
      out["backends"].push_back(std::move(b));
    }
    out["left_out"] = ordered_json::array();
    for (const LeftOut& one : registry().left_out())
      out["left_out"].push_back(text_of(one));
    fmt::print("{}\n", out.dump(2));
  }

  std::string operation_;
  std::string precision_;
  std::string backend_ = "auto";
  SelectionOptions selection_;
  bool verbose_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_list_command() {
  return std::make_unique<ListCommand>();
}

}  // namespace tessera::command_line
