#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/choices.hpp>
#include <tessera/core/operations/open_device.hpp>
#include <tessera/core/tuning/knob_json.hpp>
#include <tessera/core/tuning/trial_line.hpp>
#include <utility>

namespace tessera {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Values inside one another that a line may have; it needs two. Printing a value is a recursion.
constexpr int deepest_line = 32;

/// Discarded where the line is no JSON or goes too deep.
template <class Json>
Json parsed(const std::string& line) {
  bool too_deep = false;
  const auto look = [&](int depth, typename Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > deepest_line;
    return !too_deep;
  };
  Json value = Json::parse(line, look, false);
  return too_deep ? Json(Json::value_t::discarded) : value;
}

/// Reads the fields of a line; every complaint names the place and the field.
class Fields {
 public:
  Fields(const std::string& line, InputError::Where where) : where_(std::move(where)) {
    object_ = parsed<ordered_json>(line);
    if (object_.is_discarded())
      complain({}, line, "expected one line of JSON, an object of plain values");
    if (!object_.is_object()) complain({}, line, "expected a JSON object");
  }

  void require_known(const std::vector<std::string>& names) const {
    for (const auto& [name, value] : object_.items())
      if (std::find(names.begin(), names.end(), name) == names.end())
        complain(name, {}, SelectionError("field", name, names).what());
  }

  [[nodiscard]] bool has(const std::string& name) const { return object_.contains(name); }

  [[nodiscard]] std::string text(const std::string& name) const {
    if (!has(name)) complain(name, {}, "is missing");
    if (!object_[name].is_string()) complain(name, object_[name].dump(), "expected a name");
    return object_[name].get<std::string>();
  }

  template <class Integer>
  [[nodiscard]] Integer count(const std::string& name, Integer otherwise) const {
    if (!has(name)) return otherwise;
    const ordered_json& value = object_[name];
    // A number beyond 2^63 is unsigned and comes out below zero.
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
      complain(name, value.dump(), "expected a whole number, 0 or more");
    if (!std::in_range<Integer>(value.get<std::int64_t>()))
      complain(name, value.dump(),
               "expected at most " + std::to_string(std::numeric_limits<Integer>::max()));
    return value.get<Integer>();
  }

  [[nodiscard]] bool flag(const std::string& name, bool otherwise) const {
    if (!has(name)) return otherwise;
    if (!object_[name].is_boolean()) complain(name, object_[name].dump(), "expected true or false");
    return object_[name].get<bool>();
  }

  [[nodiscard]] KnobValues knobs(const std::string& name) const {
    if (!has(name)) return {};
    try {
      return knobs_from_json(object_[name], name);
    } catch (const InputError& error) {
      complain(error.where().field, error.where().value, error.expected());
    }
  }

  /// Puts the place and the field before what `action` has to say against a name.
  template <class Action>
  decltype(auto) at(const std::string& name, const Action& action) const {
    try {
      return action();
    } catch (const SelectionError& error) {
      complain(name, {}, error.what());
    } catch (const InputError& error) {
      complain(name, error.where().value, error.expected());
    }
  }

  [[noreturn]] void complain(const std::string& field, const std::string& value,
                             const std::string& expected) const {
    throw InputError({where_.file, where_.line, field, value}, expected);
  }

 private:
  ordered_json object_;
  InputError::Where where_;
};

const std::vector<std::string> field_names{"operation", "implementation", "precision", "backend",
                                           "input",     "size",           "device",    "knobs",
                                           "check",     "samples"};

/// JSON has no infinity.
ordered_json finite(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json as_json(const TrialSpec& spec) {
  ordered_json out;
  out["operation"] = spec.operation;
  out["implementation"] = spec.implementation;
  out["precision"] = name(spec.precision);
  out["backend"] = spec.backend;
  out["input"] = spec.input;
  out["size"] = spec.size;
  out["device"] = spec.device;
  out["knobs"] = knobs_as_json(spec.knobs);
  out["check"] = spec.check;
  out["samples"] = spec.samples;
  return out;
}

Context open(const Registry& registry, const TrialSpec& spec,
             const ImplementationBase& implementation) {
  if (spec.backend == "auto") return open_for(registry, implementation, spec.device);
  Context context = registry.open(spec.backend, spec.device);
  context.choices = untuned_choices();
  return context;
}

bool names_case(const std::string& input) {
  return input.ends_with(".toml");
}

const KnobInfo& find_knob(const std::vector<KnobInfo>& knobs, const std::string& implementation,
                          const std::string& name) {
  std::vector<std::string> names;
  for (const KnobInfo& knob : knobs) {
    if (knob.name == name) return knob;
    names.push_back(knob.name);
  }
  throw SelectionError("knob of " + implementation, name, names);
}

const TrialInput& find(const std::vector<TrialInput>& inputs, const std::string& operation,
                       const std::string& input) {
  std::vector<std::string> names;
  for (const TrialInput& candidate : inputs) {
    if (candidate.name == input) return candidate;
    names.push_back(candidate.name);
  }
  throw SelectionError("input of " + operation, input, names);
}

}  // namespace

TrialSpec trial_spec(const Registry& registry, const std::string& line,
                     const InputError::Where& where) {
  const Fields fields(line, where);
  fields.require_known(field_names);
  TrialSpec spec;
  spec.operation =
      fields.at("operation", [&] { return registry.operation(fields.text("operation")); });
  if (fields.has("precision"))
    spec.precision =
        fields.at("precision", [&] { return precision_from_name(fields.text("precision")); });
  spec.implementation = fields.text("implementation");
  const ImplementationBase& implementation = fields.at(
      "implementation", [&]() -> auto& {
        return registry.find(spec.operation, spec.precision, spec.implementation);
      });
  if (fields.has("backend")) spec.backend = fields.text("backend");
  if (spec.backend != "auto")
    fields.at("backend", [&] { return registry.unavailable(spec.backend); });

  const std::vector<TrialInput> inputs = registry.trials(spec.operation)->inputs();
  spec.input = fields.text("input");
  if (!names_case(spec.input)) {
    const TrialInput& input = fields.at(
        "input", [&]() -> auto& { return find(inputs, spec.operation, spec.input); });
    spec.size =
        fields.count<std::int64_t>("size", input.checked.empty() ? 0 : input.checked.back());
    fields.at("size", [&] { require_size(input, spec.size); });
  }
  spec.device = fields.count("device", 0);
  spec.knobs = fields.knobs("knobs");
  const std::vector<KnobInfo>& known = implementation.info().knobs;
  for (auto& [name, value] : spec.knobs)
    value = fields.at("knobs." + name, [&, &knob = name, &given = value] {
      return checked_knob_value(find_knob(known, spec.implementation, knob), given);
    });
  spec.check = fields.flag("check", true);
  spec.samples = fields.count("samples", 0);
  return spec;
}

std::unique_ptr<TrialRun> make_run(const Trials& trials, const ImplementationBase& implementation,
                                   const Context& context, const KnobValues& knobs,
                                   const std::string& input, std::int64_t size,
                                   const TrialSourceReader& read_case) {
  if (!names_case(input)) return trials.make(implementation, context, knobs, input, size);
  const InputError::Where where{{}, 0, "input", input};
  if (!read_case) throw InputError(where, "cases cannot be read here, expected an input by name");
  auto run = trials.make(implementation, context, knobs, *read_case(input));
  if (run == nullptr)
    throw NoProblemError(where, "the case poses no problem for " + implementation.info().operation);
  return run;
}

std::string to_line(const TrialSpec& spec) {
  return as_json(spec).dump();
}

TrialReport run_trial(const Registry& registry, const TrialSpec& spec,
                      const TrialSourceReader& read_case) {
  TrialReport report;
  try {
    const ImplementationBase& implementation =
        registry.find(spec.operation, spec.precision, spec.implementation);
    const std::unique_ptr<TrialRun> run = make_run(*registry.trials(spec.operation), implementation,
                                                   open(registry, spec, implementation), spec.knobs,
                                                   spec.input, spec.size, read_case);
    report.counts = run->trial().counts();
    report.verdict.input = run->trial().label();
    if (spec.check) {
      report.verdict = check(*run);
    } else if (const Refusal refusal = run->can_run()) {
      report.verdict = Verdict::refusal(*refusal);
    } else {
      report.verdict = Verdict::measured(0, 0, "not checked");
    }
    if (report.verdict.passed() && spec.samples > 0) report.timing = time_trial(*run, spec.samples);
  } catch (const RefusalError& error) {
    report.verdict = Verdict::refusal(error.reason());
  } catch (const DeviceError& error) {
    report.verdict = Verdict::failure(error.what());
  }
  return report;
}

std::string to_line(const TrialSpec& spec, const TrialReport& report) {
  ordered_json out;
  out["outcome"] = name(report.verdict.outcome);
  out["detail"] = report.verdict.detail;
  out["error"] = finite(report.verdict.error);
  out["tolerance"] = report.verdict.tolerance;
  if (report.timing) {
    const Timing& t = *report.timing;
    out["seconds"] = t.median;
    out["seconds_shortest"] = t.shortest;
    out["seconds_longest"] = t.longest;
    out["prepare_seconds"] = t.prepare;
    out["steps_per_prepare"] = finite(t.steps);
    out["step_seconds"] = t.step();
    out["calls_per_sample"] = t.calls_per_sample;
    out["item"] = report.counts.item;
    out["items"] = report.counts.items;
    out["bytes"] = report.counts.bytes;
    out["flops"] = report.counts.flops;
  }
  out["trial"] = as_json(spec);
  return out.dump();
}

std::string to_line(const std::string& line, const std::string& outcome,
                    const std::string& detail) {
  ordered_json out;
  out["outcome"] = outcome;
  out["detail"] = detail;
  const ordered_json trial = parsed<ordered_json>(line);
  out["trial"] = trial.is_discarded() ? ordered_json(line) : trial;
  // A line that is no text in UTF-8 is repeated as well as can be.
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string outcome_of(const std::string& answer) {
  const json object = parsed<json>(answer);
  if (!object.is_object() || !object.contains("outcome") || !object["outcome"].is_string())
    return {};
  return object["outcome"].get<std::string>();
}

}  // namespace tessera
