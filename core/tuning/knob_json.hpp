#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tessera/core/tuning/knobs.hpp>

/// \file
/// Knob values in JSON, for the sources of this folder: what a library offers names no parser.

namespace tessera {

[[nodiscard]] inline nlohmann::ordered_json knob_as_json(const KnobValue& value) {
  return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

[[nodiscard]] nlohmann::ordered_json knobs_as_json(const KnobValues& knobs);

/// \throws InputError naming what was expected for the knob `name`.
[[nodiscard]] KnobValue knob_from_json(const nlohmann::ordered_json& value,
                                       const std::string& name = "knob");
[[nodiscard]] KnobValues knobs_from_json(const nlohmann::ordered_json& object,
                                         const std::string& name = "knobs");

}  // namespace tessera
