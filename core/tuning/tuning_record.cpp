#include "core/tuning/tuning_record.hpp"

#include "core/base/build_info.hpp"
#include "core/parameters/parameter_json.hpp"
#include "core/tuning/comparison.hpp"
#include "core/tuning/problem_key_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace tessera {
namespace {

/// Limit on the nesting of JSON; a record needs four levels.
constexpr int deepest_record = 64;

using nlohmann::ordered_json;

ordered_json json_of(const TunedCandidate& candidate) {
  ordered_json out = {{"implementation", candidate.implementation},
                      {"parameters", parameters_as_json(candidate.parameters)},
                      {"seconds", candidate.seconds},
                      {"spread", candidate.spread},
                      {"samples", candidate.samples},
                      {"source", candidate.source}};
  if (candidate.gains != Interval()) out["gains"] = {candidate.gains.low, candidate.gains.high};
  return out;
}

double seconds_of(const JsonValue& value) {
  if (!(value.number() > 0)) value.complain("expected a number greater than 0");
  return value.number();
}

TunedCandidate candidate_of(const JsonValue& value) {
  TunedCandidate candidate{value.at("implementation").text(),
                           parameters_from_json(parameters_field(value)),
                           seconds_of(value.at("seconds")),
                           value.at("spread").number(),
                           value.at("samples").count<int>(),
                           value.at("source").text(),
                           {}};
  if (const JsonValue gains = value.at("gains"); gains.is_there()) {
    candidate.gains = {gains.at(0).number(), gains.at(1).number()};
    if (!(candidate.gains.low > 0) || candidate.gains.high < candidate.gains.low)
      gains.complain("expected the least gain and the most, greater than 0");
  }
  return candidate;
}

MemorySpace memory_of(const std::string& text) {
  for (const MemorySpace memory :
       {MemorySpace::host, MemorySpace::cuda, MemorySpace::hip, MemorySpace::emulated})
    if (name(memory) == text) return memory;
  throw SelectionError("memory", text, {"host", "cuda", "hip", "emulated"});
}

/// Equality up to rounding. A wider tolerance is not needed, because the magnitudes of equal
/// subjects come from the same case.
bool about_equal(double a, double b) {
  constexpr double close = 1e-3;
  return a == b || std::abs(a - b) <= close * std::max(a, b);
}

}  // namespace

TunedDevice tuned_device(const DeviceProperties& device) {
  return {device.backend,       device.name,        device.memory, device.architecture,
          device.compute_units, device.concurrency, device.driver};
}

bool same_device(const TunedDevice& a, const TunedDevice& b) {
  if (a.memory != b.memory || a.name != b.name || a.architecture != b.architecture) return false;
  return a.memory == MemorySpace::host ? a.concurrency == b.concurrency
                                       : a.compute_units == b.compute_units;
}

TunedBuild tuned_build() {
  const BuildInfo& build = build_info();
  return {build.version, build.compiler, build.cuda_compiler, build.kokkos, build.flags};
}

Refusal unsupported(const TuningRecord& record, const TunedCandidate& candidate) {
  const double noise = record.noise;
  const bool wins = &candidate == &record.winner();
  // The untuned candidate as winner, or the winner where the untuned one fails, makes no claim
  // about a gain.
  if (wins && record.gain() == 1) return too_noisy(noise);
  if (candidate.gains != Interval()) return unsupported(candidate.gains, noise);
  if (!wins) return "it was not compared with the defaults of " + candidate.implementation;
  // Older records have a gain and a noise instead, both from medians.
  return unsupported({record.gain() * (1 - noise), record.gain() * (1 + noise)}, noise);
}

std::string utc_date() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

bool same_subject(const TuningRecord& a, const TuningRecord& b) {
  if (a.operation != b.operation || a.precision != b.precision ||
      !same_device(a.device, b.device) || a.problem.size != b.problem.size ||
      a.problem.kinds != b.problem.kinds ||
      a.problem.magnitudes.size() != b.problem.magnitudes.size())
    return false;
  return std::equal(a.problem.magnitudes.begin(), a.problem.magnitudes.end(),
                    b.problem.magnitudes.begin(), [](const auto& x, const auto& y) {
                      return x.first == y.first && about_equal(x.second, y.second);
                    });
}

std::string subject_of(const TuningRecord& record) {
  return record.operation + " " + std::string(name(record.precision)) + " " +
         std::to_string(record.problem.size);
}

std::string to_json(const TuningRecord& record) {
  ordered_json out;
  out["operation"] = record.operation;
  out["precision"] = name(record.precision);
  out["problem"] = problem_key_as_json(record.problem);
  out["device"] = {{"backend", record.device.backend},
                   {"name", record.device.name},
                   {"memory", name(record.device.memory)},
                   {"architecture", record.device.architecture},
                   {"compute_units", record.device.compute_units},
                   {"concurrency", record.device.concurrency},
                   {"driver", record.device.driver}};
  out["build"] = {{"version", record.build.version},
                  {"compiler", record.build.compiler},
                  {"cuda_compiler", record.build.cuda_compiler},
                  {"kokkos", record.build.kokkos},
                  {"flags", record.build.flags}};
  out["best"] = ordered_json::array();
  for (const TunedCandidate& candidate : record.best)
    out["best"].push_back(json_of(candidate));
  out["untuned"] = json_of(record.untuned);
  out["noise"] = record.noise;
  out["candidates"] = record.candidates;
  out["evaluated"] = record.evaluated;
  out["strategy"] = record.strategy;
  out["input"] = record.input;
  out["date"] = record.date;
  out["kept_default"] = record.kept_default;
  // The name of a case may contain bytes that are not UTF-8.
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

TuningRecord tuning_record(const std::string& text, const InputError::Where& where) {
  const ordered_json object = parse_json(text, deepest_record);
  const JsonValue value(object, {where.file, 0, where.field, {}});
  TuningRecord record;
  record.operation = value.at("operation").text();
  const JsonValue precision = value.at("precision");
  record.precision = precision.read([&] { return precision_from_name(precision.text()); });
  record.problem = problem_key_from_json(value.at("problem"));
  const JsonValue device = value.at("device");
  const JsonValue memory = device.at("memory");
  record.device = {device.at("backend").text(),
                   device.at("name").text(),
                   memory.read([&] { return memory_of(memory.text()); }),
                   device.at("architecture").text(),
                   device.at("compute_units").count<int>(),
                   device.at("concurrency").count<std::int64_t>(),
                   device.at("driver").text()};
  const JsonValue build = value.at("build");
  record.build = {build.at("version").text(), build.at("compiler").text(),
                  build.at("cuda_compiler").text(), build.at("kokkos").text(),
                  build.at("flags").text()};
  for (const JsonValue& candidate : value.at("best").items())
    record.best.push_back(candidate_of(candidate));
  if (record.best.empty()) value.at("best").complain("expected a winner");
  record.untuned = candidate_of(value.at("untuned"));
  record.noise = value.at("noise").number();
  record.candidates = value.at("candidates").count<int>();
  record.evaluated = value.at("evaluated").count<int>();
  record.strategy = value.at("strategy").text();
  record.input = value.at("input").text();
  record.date = value.at("date").text();
  record.kept_default = value.at("kept_default").flag();
  return record;
}

}  // namespace tessera
