#ifndef TESSERA_CORE_BASE_JSON_VALUE_HPP
#define TESSERA_CORE_BASE_JSON_VALUE_HPP

#include "core/base/error.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Values of JSON from outside, read by name and type. For sources: what a library offers names no
/// parser.

namespace tessera {

/// A discarded value where the text is no JSON, or has more values inside one another than
/// `deepest`: printing and destroying them is a recursion.
[[nodiscard]] nlohmann::ordered_json parse_json(const std::string& text, int deepest);

/// A value and its place. Every complaint is an InputError with file, line, the path of the field
/// ("records[3].best[0].seconds"), the value and what was expected.
class JsonValue {
 public:
  /// \param value has to outlive this object and what it gives.
  /// \param where file, line and the path of the value; no path: it is the whole.
  explicit JsonValue(const nlohmann::ordered_json& value, InputError::Where where = {})
      : value_(&value), where_(std::move(where)) {}

  /// Fields may be left out: complaints that one is missing come when it is read.
  [[nodiscard]] bool is_there() const { return value_ != nullptr; }

  /// A field of an object.
  [[nodiscard]] JsonValue at(const std::string& name) const;
  /// Of all fields of an object.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Refuses fields of an object that have none of these names, with the nearest one.
  void require_known(const std::vector<std::string>& names) const;

  /// An item of a list.
  [[nodiscard]] JsonValue at(std::size_t index) const;
  [[nodiscard]] std::vector<JsonValue> items() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool flag() const;
  /// Finite, 0 or more.
  [[nodiscard]] double number() const;
  /// A whole number, 0 or more.
  template <class Integer>
  [[nodiscard]] Integer count() const {
    return static_cast<Integer>(
        count_up_to(std::in_range<std::int64_t>(std::numeric_limits<Integer>::max())
                        ? static_cast<std::int64_t>(std::numeric_limits<Integer>::max())
                        : std::numeric_limits<std::int64_t>::max()));
  }
  /// As it is.
  [[nodiscard]] const nlohmann::ordered_json& json() const;

  /// What `action` gives; its complaints about a name or a value get the place of this one.
  template <class Action>
  decltype(auto) read(const Action& action) const {
    try {
      return action();
    } catch (const SelectionError& error) {
      throw InputError({where_.file, where_.line, where_.field, {}}, error.what());
    } catch (const InputError& error) {
      throw InputError({where_.file, where_.line, where_.field, error.where().value},
                       error.expected());
    }
  }

  [[nodiscard]] const InputError::Where& where() const { return where_; }
  [[noreturn]] void complain(const std::string& expected) const;

 private:
  JsonValue(const nlohmann::ordered_json* value, InputError::Where where)
      : value_(value), where_(std::move(where)) {}

  [[nodiscard]] InputError::Where inside(const std::string& path) const;
  [[nodiscard]] const nlohmann::ordered_json& object() const;
  [[nodiscard]] const nlohmann::ordered_json& list() const;
  [[nodiscard]] std::int64_t count_up_to(std::int64_t most) const;

  const nlohmann::ordered_json* value_;  ///< null: it is missing
  InputError::Where where_;              ///< without a value
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_JSON_VALUE_HPP
