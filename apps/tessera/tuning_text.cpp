#include "apps/tessera/tuning_text.hpp"

#include "core/base/printable.hpp"
#include "core/tuning/problem_key_json.hpp"

#include <fmt/format.h>

namespace tessera::command_line {

using nlohmann::ordered_json;

std::string text_of_parameters(const ParameterValues& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    const auto* const word = std::get_if<std::string>(&value);
    text += (text.empty() ? "" : " ") + name + "=" + (word == nullptr ? to_string(value) : *word);
  }
  return printable(text);
}

std::string text_of_gains(const Interval& gains) {
  if (gains == Interval()) return {};
  return fmt::format("{:.3f} to {:.3f}", gains.low, gains.high);
}

std::string text_of_kinds(const ProblemKey& problem) {
  std::string text;
  for (const auto& [name, value] : problem.kinds)
    text += (text.empty() ? "" : ", ") + name + " " + value;
  return printable(text);
}

ordered_json json_of(const TuningEvidence& evidence) {
  return {{"match", evidence.match},   {"record", problem_key_as_json(evidence.record)},
          {"device", evidence.device}, {"date", evidence.date},
          {"gain", evidence.gain},     {"text", evidence.text}};
}

}  // namespace tessera::command_line
