#include "core/tuning/problem_key_json.hpp"

#include <cstdint>

namespace tessera {

nlohmann::ordered_json problem_key_as_json(const ProblemKey& key) {
  return {{"size", key.size}, {"kinds", key.kinds}, {"magnitudes", key.magnitudes}};
}

ProblemKey problem_key_from_json(const JsonValue& value) {
  ProblemKey key;
  key.size = value.at("size").count<std::int64_t>();
  const JsonValue kinds = value.at("kinds");
  for (const std::string& name : kinds.names())
    key.kinds[name] = kinds.at(name).text();
  const JsonValue magnitudes = value.at("magnitudes");
  for (const std::string& name : magnitudes.names())
    key.magnitudes[name] = magnitudes.at(name).number();
  return key;
}

}  // namespace tessera
