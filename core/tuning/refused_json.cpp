#include "core/tuning/refused_json.hpp"

namespace tessera {

using nlohmann::ordered_json;

ordered_json refused_as_json(const std::vector<RefusedCandidates>& refused) {
  ordered_json list = ordered_json::array();
  for (const RefusedCandidates& one : refused)
    list.push_back({{"implementation", one.implementation},
                    {"reason", one.reason},
                    {"count", one.count},
                    {"of", one.of}});
  return list;
}

std::vector<RefusedCandidates> refused_from_json(const JsonValue& list) {
  std::vector<RefusedCandidates> refused;
  for (const JsonValue& one : list.items())
    refused.push_back({one.at("implementation").text(), one.at("reason").text(),
                       one.at("count").count<std::int64_t>(), one.at("of").count<std::int64_t>()});
  return refused;
}

}  // namespace tessera
