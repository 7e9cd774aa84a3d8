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
/// Access by name and type to JSON values from outside the program. Only sources include this
/// header: public headers do not depend on a JSON parser.

namespace tessera {

/// The parsed value; discarded where the text is not JSON or nests deeper than `deepest`. The limit
/// exists because printing and destroying a value recurse.
[[nodiscard]] nlohmann::ordered_json parse_json(const std::string& text, int deepest);

/// A value and its location. Every complaint is an InputError with file, line, the path of the
/// field ("records[3].best[0].seconds"), the value and the expectation.
class JsonValue {
 public:
  /// \param value has to outlive this object and all values that are derived from it.
  /// \param where file, line and the path of the value; an empty path stands for the whole
  /// document.
  explicit JsonValue(const nlohmann::ordered_json& value, InputError::Where where = {})
      : value_(&value), where_(std::move(where)) {}

  /// Whether the field exists. Optional fields may be missing; reading a missing value is a
  /// complaint.
  [[nodiscard]] bool is_there() const { return value_ != nullptr; }

  /// A field of an object.
  [[nodiscard]] JsonValue at(const std::string& name) const;
  /// Names of all fields of an object.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Refuses fields other than `names` and `former_name`, and suggests the closest of `names`.
  void require_known(const std::vector<std::string>& names,
                     const std::string& former_name = {}) const;

  /// An item of a list.
  [[nodiscard]] JsonValue at(std::size_t index) const;
  [[nodiscard]] std::vector<JsonValue> items() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool flag() const;
  /// A finite number, 0 or more.
  [[nodiscard]] double number() const;
  /// An integer, 0 or more.
  template <class Integer>
  [[nodiscard]] Integer count() const {
    return static_cast<Integer>(
        count_up_to(std::in_range<std::int64_t>(std::numeric_limits<Integer>::max())
                        ? static_cast<std::int64_t>(std::numeric_limits<Integer>::max())
                        : std::numeric_limits<std::int64_t>::max()));
  }
  /// The underlying JSON value.
  [[nodiscard]] const nlohmann::ordered_json& json() const;

  /// Result of `action`. Complaints of `action` about a name or a value get the location of this
  /// value.
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

  const nlohmann::ordered_json* value_;  ///< null where the value is missing
  InputError::Where where_;              ///< location; its `value` is empty
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_JSON_VALUE_HPP
