#include "core/tuning/landscape.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/input_file.hpp"
#include "core/base/json_value.hpp"
#include "core/parameters/parameter_json.hpp"
#include "core/tuning/problem_key_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera {
namespace {

using nlohmann::ordered_json;

constexpr const char* schema = "tessera.landscape/1";

/// Limit on the nesting of JSON; a landscape needs six levels.
constexpr int deepest_landscape = 16;

/// Rounds to four digits, more than the accuracy of a measurement.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 4 - std::ceil(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

ordered_json as_json(const Measurement& m) {
  if (!m.counts()) return {std::string(name(m.outcome)), m.reason};
  return {"measured",
          rounded(m.seconds),
          rounded(m.spread),
          rounded(m.prepare),
          std::isfinite(m.steps) ? ordered_json(rounded(m.steps)) : ordered_json(),
          m.samples};
}

Measurement measurement_from(const JsonValue& row) {
  Measurement m;
  const JsonValue outcome = row.at(0);
  m.outcome = outcome.read([&] { return measurement_outcome(outcome.text()); });
  if (!m.counts()) {
    m.reason = row.at(1).text();
    return m;
  }
  m.seconds = row.at(1).number();
  m.spread = row.at(2).number();
  m.prepare = row.at(3).number();
  m.steps =
      row.at(4).json().is_null() ? std::numeric_limits<double>::infinity() : row.at(4).number();
  m.samples = row.at(5).count<int>();
  return m;
}

/// Reads the candidates of one implementation, one row each, into `landscape`.
void add_table(const JsonValue& table, Landscape& landscape) {
  std::vector<std::string> parameters;
  for (const JsonValue& parameter : parameters_field(table).items())
    parameters.push_back(parameter.text());
  for (const JsonValue& row : table.at("rows").items()) {
    Candidate c{table.at("implementation").text(), {}};
    const JsonValue values = row.at(0);
    for (std::size_t k = 0; k < parameters.size(); ++k)
      c.parameters[parameters[k]] = parameter_from_json(values.at(k));
    landscape.candidates.push_back(std::move(c));
    landscape.measurements.push_back(measurement_from(row.at(1)));
  }
}

/// The candidates first to last - 1, of one implementation: the names of parameters once, then a
/// row of values for each candidate, which keeps thousands of rows small. Other fields refer to
/// candidates by the number of their row, counted across all tables.
ordered_json table_of(const Landscape& landscape, std::size_t first, std::size_t last) {
  ordered_json table;
  table["implementation"] = landscape.candidates[first].implementation;
  table["parameters"] = ordered_json::array();
  for (const auto& parameter : landscape.candidates[first].parameters)
    table["parameters"].push_back(parameter.first);
  table["rows"] = ordered_json::array();
  for (std::size_t c = first; c < last; ++c) {
    ordered_json values = ordered_json::array();
    for (const auto& parameter : landscape.candidates[c].parameters)
      values.push_back(parameter_as_json(parameter.second));
    table["rows"].push_back({values, as_json(landscape.measurements[c])});
  }
  return table;
}

/// Writes one row per line.
std::string text_of(const ordered_json& out) {
  std::string text = "{\n";
  for (const auto& [field, value] : out.items()) {
    if (text.size() > 2) text += ",\n";
    text += ordered_json(field).dump() + ": ";
    if (field != "candidates") {
      text += value.dump();
      continue;
    }
    text += "[";
    for (std::size_t t = 0; t < value.size(); ++t) {
      text += (t > 0 ? ",\n{" : "\n{");
      text += "\"implementation\": " + value[t]["implementation"].dump() +
              ", \"parameters\": " + value[t]["parameters"].dump() + ", \"rows\": [";
      for (std::size_t r = 0; r < value[t]["rows"].size(); ++r)
        text += (r > 0 ? ",\n" : "\n") + value[t]["rows"][r].dump();
      text += "]}";
    }
    text += "]";
  }
  return text + "\n}\n";
}

}  // namespace

Measured Landscape::measured() const {
  Measured all;
  for (std::size_t c = 0; c < measurements.size(); ++c)
    if (measurements[c].known()) all[c] = measurements[c];
  return all;
}

double Landscape::best_seconds() const {
  double best = 0;
  for (const Measurement& m : measurements)
    if (m.counts() && (best == 0 || m.seconds < best)) best = m.seconds;
  return best;
}

std::size_t Landscape::valid() const {
  return static_cast<std::size_t>(std::count_if(measurements.begin(), measurements.end(),
                                                [](const auto& m) { return m.counts(); }));
}

double Landscape::share_within(double speed) const {
  const double best = best_seconds();
  const auto good = std::count_if(measurements.begin(), measurements.end(), [&](const auto& m) {
    return m.counts() && best >= speed * m.seconds;
  });
  return valid() == 0 ? 0 : static_cast<double>(good) / static_cast<double>(valid());
}

Landscape read_landscape(const std::filesystem::path& path) {
  const ordered_json whole = parse_json(read_file(path), deepest_landscape);
  if (!whole.is_object() || !whole.contains("schema") || whole["schema"] != schema)
    throw InputError({path.string(), 0, "schema", {}},
                     std::string("expected a landscape, ") + schema);
  const JsonValue value(whole, {path.string(), 0, {}, {}});
  Landscape l;
  for (const auto& [field, into] : {std::pair{"operation", &l.operation},
                                    {"precision", &l.precision},
                                    {"input", &l.input},
                                    {"device", &l.device},
                                    {"architecture", &l.architecture},
                                    {"backend", &l.backend},
                                    {"build", &l.build},
                                    {"date", &l.date},
                                    {"strategy", &l.strategy}})
    *into = value.at(field).text();
  l.items = value.at("items").number();
  l.key = problem_key_from_json(value.at("key"));
  for (const JsonValue& table : value.at("candidates").items())
    add_table(table, l);
  const auto candidate = [&](const JsonValue& number) {
    const auto c = number.count<std::size_t>();
    if (c >= l.candidates.size()) number.complain("expected the number of a candidate");
    return c;
  };
  // Older landscapes lack this field.
  if (value.at("refused").is_there())
    for (const JsonValue& one : value.at("refused").items())
      l.refused.push_back({one.at(0).text(), one.at(1).text(), one.at(2).count<std::int64_t>(),
                           one.at(3).count<std::int64_t>()});
  for (const JsonValue& one : value.at("order").items())
    l.order.push_back(candidate(one));
  for (const JsonValue& one : value.at("compared").items()) {
    auto& [compared, ratios] = l.compared.emplace_back();
    compared = candidate(one.at(0));
    for (const JsonValue& ratio : one.at(1).items())
      ratios.push_back(ratio.number());
  }
  return l;
}

void write_landscape(const Landscape& l, const std::filesystem::path& path) {
  ordered_json out;
  out["schema"] = schema;
  out["operation"] = l.operation;
  out["precision"] = l.precision;
  out["input"] = l.input;
  out["items"] = l.items;
  out["device"] = l.device;
  out["architecture"] = l.architecture;
  out["backend"] = l.backend;
  out["build"] = l.build;
  out["date"] = l.date;
  out["strategy"] = l.strategy;
  out["key"] = problem_key_as_json(l.key);
  out["refused"] = ordered_json::array();
  for (const RefusedCandidates& one : l.refused)
    out["refused"].push_back({one.implementation, one.reason, one.count, one.of});
  out["order"] = l.order;
  out["compared"] = ordered_json::array();
  for (const auto& [candidate, ratios] : l.compared) {
    std::vector<double> short_ratios;
    for (const double r : ratios)
      short_ratios.push_back(rounded(r));
    out["compared"].push_back({candidate, short_ratios});
  }
  out["candidates"] = ordered_json::array();
  for (std::size_t first = 0; first < l.candidates.size();) {
    std::size_t last = first;
    while (last < l.candidates.size() &&
           l.candidates[last].implementation == l.candidates[first].implementation)
      ++last;
    out["candidates"].push_back(table_of(l, first, last));
    first = last;
  }
  write_file_atomically(path, text_of(out));
}

std::vector<Measurement> RecordedEvaluator::measure(const std::vector<std::size_t>& which,
                                                    double /*seconds*/) {
  std::vector<Measurement> all;
  for (const std::size_t c : which)
    all.push_back(landscape_.measurements.at(c));
  return all;
}

std::vector<double> RecordedEvaluator::round(const std::vector<std::size_t>& which,
                                             bool /*backwards*/, double /*seconds*/) {
  std::vector<double> times;
  for (const std::size_t c : which) {
    const Measurement& m = landscape_.measurements.at(c);
    times.push_back(m.counts() ? m.seconds : 0);
  }
  return times;
}

Measurement RecordedEvaluator::check(std::size_t candidate, double /*seconds*/) {
  return landscape_.measurements.at(candidate);
}

std::size_t evaluations_to(const Landscape& landscape, const std::string& strategy_name,
                           std::uint64_t seed, double speed, std::size_t group) {
  const auto strategy = make_strategy(strategy_name, landscape.candidates, seed);
  const double best = landscape.best_seconds();
  Measured measured;
  std::size_t done = 0;
  while (true) {
    const std::vector<std::size_t> next = strategy->next(measured, group);
    if (next.empty()) return landscape.candidates.size() + 1;
    for (const std::size_t c : next) {
      const Measurement& m = landscape.measurements[c];
      measured[c] = m;
      ++done;
      if (m.counts() && best >= speed * m.seconds) return done;
    }
  }
}

}  // namespace tessera
