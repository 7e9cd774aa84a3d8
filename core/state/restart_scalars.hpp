#ifndef TESSERA_CORE_STATE_RESTART_SCALARS_HPP
#define TESSERA_CORE_STATE_RESTART_SCALARS_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

/// \file
/// Named numbers that the parts of a step carry over from one run to the next.

namespace tessera {

class RestartScalars {
 public:
  using Value = std::variant<std::int64_t, double>;

  void put(const std::string& name, Value value) { values_[name] = value; }

  /// Absent when there is no number of this name and type, for instance because the run that saved
  /// the numbers had no such part.
  template <class T>
  [[nodiscard]] std::optional<T> get(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end() || !std::holds_alternative<T>(found->second)) return {};
    return std::get<T>(found->second);
  }

  [[nodiscard]] const std::map<std::string, Value>& all() const { return values_; }

 private:
  std::map<std::string, Value> values_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_RESTART_SCALARS_HPP
