#include <cmath>
#include <ctime>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <tessera/core/base/build_info.hpp>
#include <tessera/core/tuning/tuning_record.hpp>
#include <utility>

namespace tessera {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json json_of(const KnobValues& knobs) {
  ordered_json values = ordered_json::object();
  for (const auto& [name, value] : knobs)
    std::visit([&, &knob = name](auto v) { values[knob] = v; }, value);
  return values;
}

ordered_json json_of(const TunedCandidate& candidate) {
  return {{"implementation", candidate.implementation},
          {"knobs", json_of(candidate.knobs)},
          {"seconds", candidate.seconds},
          {"spread", candidate.spread},
          {"samples", candidate.samples},
          {"source", candidate.source}};
}

/// An object of a record; every complaint names the field by its path.
class Node {
 public:
  Node(const json& value, std::string file, std::string path)
      : value_(value), file_(std::move(file)), path_(std::move(path)) {
    if (!value_.is_object()) complain("expected an object");
  }

  [[nodiscard]] Node object(const std::string& name) const {
    return {at(name), file_, path_of(name)};
  }
  [[nodiscard]] std::vector<Node> objects(const std::string& name) const {
    const json& list = at(name);
    if (!list.is_array()) complain("expected a list", name);
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < list.size(); ++i)
      nodes.emplace_back(list[i], file_, path_of(name) + "[" + std::to_string(i) + "]");
    return nodes;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    const json& value = at(name);
    if (!value.is_string()) complain("expected a text", name);
    return value.get<std::string>();
  }
  /// The value of a name as `read` understands it.
  template <class Read>
  [[nodiscard]] auto named(const std::string& name, const Read& read) const {
    const std::string value = text(name);
    try {
      return read(value);
    } catch (const Error& error) {
      complain(error.what(), name);
    }
  }
  template <class Integer>
  [[nodiscard]] Integer count(const std::string& name) const {
    const json& value = at(name);
    // A number beyond 2^63 is unsigned and comes out below zero.
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
        !std::in_range<Integer>(value.get<std::int64_t>()))
      complain("expected a whole number from 0 to " +
                   std::to_string(std::numeric_limits<Integer>::max()),
               name);
    return value.get<Integer>();
  }
  [[nodiscard]] bool flag(const std::string& name) const {
    const json& value = at(name);
    if (!value.is_boolean()) complain("expected true or false", name);
    return value.get<bool>();
  }
  [[nodiscard]] double number(const std::string& name) const {
    const json& value = at(name);
    if (!value.is_number() || !(value.get<double>() >= 0) || !std::isfinite(value.get<double>()))
      complain("expected a finite number of 0 or more", name);
    return value.get<double>();
  }
  [[nodiscard]] double seconds(const std::string& name) const {
    const double value = number(name);
    if (!(value > 0)) complain("expected a number greater than 0", name);
    return value;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, value] : value_.items())
      all.push_back(name);
    return all;
  }
  [[nodiscard]] KnobValue knob(const std::string& name) const {
    const json& value = at(name);
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_string()) return value.get<std::string>();
    const bool too_large =
        value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>());
    if (value.is_number_integer() && !too_large) return value.get<std::int64_t>();
    if (value.is_number_float()) return value.get<double>();
    complain("expected a number of 64 bits, a name, true or false", name);
  }

  [[noreturn]] void complain(const std::string& expected, const std::string& name = {}) const {
    const bool given = !name.empty() && value_.is_object() && value_.contains(name);
    throw InputError(
        {file_, 0, name.empty() ? path_ : path_of(name),
         given ? value_[name].dump(-1, ' ', false, json::error_handler_t::replace) : std::string()},
        expected);
  }

 private:
  [[nodiscard]] const json& at(const std::string& name) const {
    if (!value_.contains(name)) complain("is missing", name);
    return value_[name];
  }
  [[nodiscard]] std::string path_of(const std::string& name) const {
    return path_.empty() ? name : path_ + "." + name;
  }

  const json& value_;
  std::string file_;
  std::string path_;
};

KnobValues knobs_of(const Node& node) {
  KnobValues knobs;
  for (const std::string& name : node.names())
    knobs[name] = node.knob(name);
  return knobs;
}

TunedCandidate candidate_of(const Node& node) {
  return {node.text("implementation"), knobs_of(node.object("knobs")), node.seconds("seconds"),
          node.number("spread"),       node.count<int>("samples"),     node.text("source")};
}

MemorySpace memory_of(const std::string& text) {
  for (const MemorySpace memory : {MemorySpace::host, MemorySpace::cuda, MemorySpace::hip})
    if (name(memory) == text) return memory;
  throw SelectionError("memory", text, {"host", "cuda", "hip"});
}

/// Magnitudes of two keys of one subject come from the same case, or from none.
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
  out["problem"]["size"] = record.problem.size;
  out["problem"]["kinds"] = record.problem.kinds;
  out["problem"]["magnitudes"] = record.problem.magnitudes;
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
  // The name of a case may be no UTF-8.
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

TuningRecord tuning_record(const std::string& text, const InputError::Where& where) {
  const json value = json::parse(text, nullptr, false);
  const Node node(value, where.file, where.field);
  TuningRecord record;
  record.operation = node.text("operation");
  record.precision =
      node.named("precision", [](const std::string& p) { return precision_from_name(p); });
  const Node problem = node.object("problem");
  record.problem.size = problem.count<std::int64_t>("size");
  const Node kinds = problem.object("kinds");
  for (const std::string& name : kinds.names())
    record.problem.kinds[name] = kinds.text(name);
  const Node magnitudes = problem.object("magnitudes");
  for (const std::string& name : magnitudes.names())
    record.problem.magnitudes[name] = magnitudes.number(name);
  const Node device = node.object("device");
  record.device = {device.text("backend"),
                   device.text("name"),
                   device.named("memory", memory_of),
                   device.text("architecture"),
                   device.count<int>("compute_units"),
                   device.count<std::int64_t>("concurrency"),
                   device.text("driver")};
  const Node build = node.object("build");
  record.build = {build.text("version"), build.text("compiler"), build.text("cuda_compiler"),
                  build.text("kokkos"), build.text("flags")};
  for (const Node& candidate : node.objects("best"))
    record.best.push_back(candidate_of(candidate));
  if (record.best.empty()) node.complain("expected a winner", "best");
  record.untuned = candidate_of(node.object("untuned"));
  record.noise = node.number("noise");
  record.candidates = node.count<int>("candidates");
  record.evaluated = node.count<int>("evaluated");
  record.strategy = node.text("strategy");
  record.input = node.text("input");
  record.date = node.text("date");
  record.kept_default = node.flag("kept_default");
  return record;
}

}  // namespace tessera
