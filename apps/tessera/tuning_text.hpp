#ifndef TESSERA_APPS_TESSERA_TUNING_TEXT_HPP
#define TESSERA_APPS_TESSERA_TUNING_TEXT_HPP

#include "core/operations/tuned_choices.hpp"
#include "core/tuning/statistics.hpp"

#include <nlohmann/json.hpp>

#include <string>

/// \file
/// Text and JSON of tuned choices.

namespace tessera::command_line {

/// Text of parameter values: "block=128 order=tiles".
[[nodiscard]] std::string text_of_parameters(const ParameterValues& parameters);
/// Text of ProblemKey::kinds: "form lj/cut, outputs forces".
[[nodiscard]] std::string text_of_kinds(const ProblemKey& problem);
/// Text of an interval: "1.190 to 1.270"; empty where the gains are not known.
[[nodiscard]] std::string text_of_gains(const Interval& gains);

[[nodiscard]] nlohmann::ordered_json json_of(const TuningEvidence& evidence);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNING_TEXT_HPP
