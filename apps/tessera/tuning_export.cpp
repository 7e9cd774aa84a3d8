#include "apps/tessera/tuning_export.hpp"

#include "apps/tessera/tuning_text.hpp"
#include "core/base/error.hpp"
#include "core/base/printable.hpp"
#include "core/operations/registry.hpp"
#include "core/tuning/recorded_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace tessera::command_line {
namespace {

/// C++ identifier, as in "cuda_list".
std::string identifier(const std::string& text) {
  std::string name = text;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

/// C++ string literal of a text from a file.
std::string literal(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string cpp_value(const ParameterValue& value) {
  if (const auto* const integer = std::get_if<std::int64_t>(&value))
    return fmt::format("std::int64_t{{{}}}", *integer);
  if (const auto* const text = std::get_if<std::string>(&value))
    return fmt::format("std::string({})", literal(*text));
  const std::string text = to_string(value);
  const bool whole = std::holds_alternative<double>(value) &&
                     text.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? text + ".0" : text;
}

std::string evidence_of(const TuningRecord& record, const TunedCandidate& candidate) {
  return fmt::format("{}, {}: {} of size {}, {:.4g} us a step, {:.2f} x untuned, noise {:.1f} %",
                     record.device.name, record.date.substr(0, 10), name(record.precision),
                     record.problem.size, 1e6 * candidate.seconds,
                     record.untuned.seconds / candidate.seconds, 100 * record.noise);
}

struct Row {
  const TuningRecord* record;
  const TunedCandidate* candidate;
};

/// Whether row `a` precedes `b`: the larger size and, of equal sizes, the later date takes
/// precedence.
bool counts_more(const Row& a, const Row& b) {
  return std::pair(a.record->problem.size, a.record->date) >
         std::pair(b.record->problem.size, b.record->date);
}

}  // namespace

ExportKind export_kind(const std::string& file) {
  if (file.ends_with(".hpp")) return ExportKind::parameters;
  if (file.ends_with(".cmake")) return ExportKind::select;
  throw InputError({{}, 0, "--export", file}, "expected a name that ends in .hpp or .cmake");
}

std::string parameters_header(const std::vector<TuningRecord>& records) {
  // Rows by operation, implementation and architecture.
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::vector<Row>>> groups;
  std::string left_out;
  for (const TuningRecord& record : records)
    for (const TunedCandidate& candidate : record.best) {
      if (candidate.parameters.empty()) continue;
      if (const Refusal reason = stale(record, candidate, record.device, tuning_setting()))
        left_out += fmt::format("// Left out: {} of {}: {}\n", printable(candidate.implementation),
                                printable(subject_of(record)), printable(*reason));
      else
        groups[{record.operation, candidate.implementation}][record.device.architecture].push_back(
            {&record, &candidate});
    }
  std::string text =
      "#pragma once\n\n#include <array>\n#include <cstdint>\n#include <string>\n"
      "#include <tessera/core/parameters/tuning_parameter.hpp>\n\n/// \\file\n"
      "/// Defaults by architecture as they were measured, written by `tessera tune --export`. The "
      "parameters of an\n/// implementation use them:\n///\n"
      "///     inline Parameters Parameters::defaults(const DeviceProperties& device) {\n"
      "///       static const auto rows = tessera::tuned::<name>::parameter_rows<Parameters>();\n"
      "///       return default_row(rows, device.architecture).parameters;\n///     }\n\n";
  text += left_out.empty() ? "" : left_out + "\n";
  for (auto& [key, architectures] : groups) {
    text += fmt::format("/// {} of {}.\nnamespace tessera::tuned::{}::{} {{\n\n", key.second,
                        key.first, identifier(key.first), identifier(key.second));
    text += fmt::format(
        "template <class Parameters>\n[[nodiscard]] std::array<DefaultRow<Parameters>, {}> "
        "parameter_rows(\n    const Parameters& otherwise = {{}}) {{\n  return {{{{\n",
        architectures.size() + 1);
    for (auto& [architecture, rows] : architectures) {
      std::stable_sort(rows.begin(), rows.end(), counts_more);
      for (std::size_t i = 1; i < rows.size(); ++i)
        text += fmt::format("      // {}: {}\n",
                            printable(evidence_of(*rows[i].record, *rows[i].candidate)),
                            text_of_parameters(rows[i].candidate->parameters));
      text += fmt::format("      {{{},\n       make_parameters<Parameters>({{\n",
                          literal(architecture));
      for (const auto& [parameter, value] : rows.front().candidate->parameters)
        text += fmt::format("           {{{}, {}}},\n", literal(parameter), cpp_value(value));
      text += fmt::format("       }}, otherwise),\n       {}}},\n",
                          literal(evidence_of(*rows.front().record, *rows.front().candidate)));
    }
    text += fmt::format(
        "      {{\"\", otherwise, \"not measured\"}},\n  }}}};\n}}\n\n}}  // namespace "
        "tessera::tuned::{}::{}\n\n",
        identifier(key.first), identifier(key.second));
  }
  text.pop_back();
  return text;
}

std::string select_script(const std::vector<TuningRecord>& records, const Context& context) {
  const TunedDevice here = tuned_device(context.opened().properties());
  std::map<std::string, std::vector<Row>> winners;
  std::string comments;
  for (const TuningRecord& record : records) {
    Refusal reason = foreign(record, here);
    if (!reason) reason = stale(record, record.winner(), here, tuning_setting());
    if (reason)
      comments +=
          fmt::format("# Left out: {}: {}\n", printable(subject_of(record)), printable(*reason));
    else
      winners[record.operation].push_back({&record, &record.winner()});
  }
  std::string selection;
  for (auto& [operation, rows] : winners) {
    std::stable_sort(rows.begin(), rows.end(), counts_more);
    const std::string& winner = rows.front().candidate->implementation;
    for (const Row& row : rows)
      comments += fmt::format("# {}={}: {}\n", operation, row.candidate->implementation,
                              printable(evidence_of(*row.record, *row.candidate)));
    // A configured choice applies to every precision.
    std::string lacking;
    for (const Precision precision : AllElements::values) {
      const auto all = registry().implementations(operation, precision);
      if (!all.empty() && std::none_of(all.begin(), all.end(), [&](const ImplementationBase* i) {
            return i->info().name == winner;
          }))
        lacking += (lacking.empty() ? "" : ", ") + std::string(name(precision));
    }
    if (!lacking.empty())
      comments +=
          fmt::format("# Left out: {}={} does not exist in {}\n", operation, winner, lacking);
    else
      selection += (selection.empty() ? "" : ";") + operation + "=" + winner;
  }
  return fmt::format(
      "# Written by `tessera tune --export` on {}: cmake -C FILE builds a library that chooses "
      "so.\n"
      "# Of several sizes the largest decides.\n{}set(TESSERA_SELECT \"{}\" CACHE STRING "
      "\"measured\" "
      "FORCE)\n",
      printable(here.name), comments, selection);
}

}  // namespace tessera::command_line
