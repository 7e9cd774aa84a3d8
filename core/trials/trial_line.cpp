#include "core/trials/trial_line.hpp"

#include "core/base/error.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/open_device.hpp"
#include "core/parameters/parameter_json.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace tessera {
namespace {

using nlohmann::ordered_json;

/// Limit on the nesting of a line, which needs two levels. Printing a value recurses.
constexpr int deepest_line = 32;

ordered_json object_of(const std::string& line, const InputError::Where& where) {
  ordered_json object = parse_json(line, deepest_line);
  const auto complain = [&](const char* expected) {
    throw InputError({where.file, where.line, {}, line}, expected);
  };
  if (object.is_discarded()) complain("expected one line of JSON, an object of plain values");
  if (!object.is_object()) complain("expected a JSON object");
  return object;
}

const std::vector<std::string> field_names{"operation", "implementation", "precision", "backend",
                                           "input",     "size",           "device",    "parameters",
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
  out["parameters"] = parameters_as_json(spec.parameters);
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

const ParameterInfo& find_parameter(const std::vector<ParameterInfo>& parameters,
                                    const std::string& implementation, const std::string& name) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : parameters) {
    if (is_name_of(parameter, name)) return parameter;
    names.push_back(parameter.name);
  }
  throw SelectionError("parameter of " + implementation, name, names);
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
  const ordered_json object = object_of(line, where);
  const JsonValue fields(object, {where.file, where.line, {}, {}});
  fields.require_known(field_names, "knobs");
  TrialSpec spec;
  const JsonValue operation = fields.at("operation");
  spec.operation = operation.read([&] { return registry.operation(operation.text()); });
  if (const JsonValue precision = fields.at("precision"); precision.is_there())
    spec.precision = precision.read([&] { return precision_from_name(precision.text()); });
  spec.implementation = fields.at("implementation").text();
  const ImplementationBase& implementation = fields.at("implementation").read([&]() -> auto& {
    return registry.find(spec.operation, spec.precision, spec.implementation);
  });
  const JsonValue backend = fields.at("backend");
  if (backend.is_there()) spec.backend = backend.text();
  if (spec.backend != "auto")
    (void)backend.read([&] { return registry.unavailable(spec.backend); });

  const std::vector<TrialInput> inputs = registry.trials(spec.operation)->inputs();
  spec.input = fields.at("input").text();
  if (!names_case(spec.input)) {
    const TrialInput& input = fields.at("input").read([&]() -> auto& {
      return find(inputs, spec.operation, spec.input);
    });
    const JsonValue size = fields.at("size");
    spec.size = size.is_there()         ? size.count<std::int64_t>()
                : input.checked.empty() ? 0
                                        : input.checked.back();
    size.read([&] { require_size(input, spec.size); });
  }
  if (fields.at("device").is_there()) spec.device = fields.at("device").count<int>();
  const JsonValue parameters = parameters_field(fields);
  const std::vector<ParameterInfo>& known = implementation.info().parameters;
  if (parameters.is_there())
    for (const auto& [given, value] : parameters_from_json(parameters))
      parameters.at(given).read([&, &name = given, &setting = value] {
        const ParameterInfo& parameter = find_parameter(known, spec.implementation, name);
        spec.parameters[parameter.name] = checked_parameter_value(parameter, setting);
      });
  if (fields.at("check").is_there()) spec.check = fields.at("check").flag();
  if (fields.at("samples").is_there()) spec.samples = fields.at("samples").count<int>();
  return spec;
}

std::unique_ptr<TrialRun> make_run(const Trials& trials, const ImplementationBase& implementation,
                                   const Context& context, const ParameterValues& parameters,
                                   const std::string& input, std::int64_t size,
                                   const TrialSourceReader& read_case) {
  if (!names_case(input)) return trials.make(implementation, context, parameters, input, size);
  const InputError::Where where{{}, 0, "input", input};
  if (!read_case) throw InputError(where, "cases cannot be read here, expected an input by name");
  auto run = trials.make(implementation, context, parameters, *read_case(input));
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
    const std::unique_ptr<TrialRun> run = make_run(
        *registry.trials(spec.operation), implementation, open(registry, spec, implementation),
        spec.parameters, spec.input, spec.size, read_case);
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
  const ordered_json trial = parse_json(line, deepest_line);
  out["trial"] = trial.is_discarded() ? ordered_json(line) : trial;
  // Bytes of the line that are not UTF-8 are replaced.
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string outcome_of(const std::string& answer) {
  const ordered_json object = parse_json(answer, deepest_line);
  if (!object.is_object() || !object.contains("outcome") || !object["outcome"].is_string())
    return {};
  return object["outcome"].get<std::string>();
}

}  // namespace tessera
