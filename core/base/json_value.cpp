#include "core/base/json_value.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {

using nlohmann::ordered_json;

ordered_json parse_json(const std::string& text, int deepest) {
  bool too_deep = false;
  const auto look = [&](int depth, ordered_json::parse_event_t, ordered_json&) {
    too_deep = too_deep || depth > deepest;
    return !too_deep;
  };
  ordered_json value = ordered_json::parse(text, look, false);
  return too_deep ? ordered_json(ordered_json::value_t::discarded) : value;
}

void JsonValue::complain(const std::string& expected) const {
  InputError::Where where = where_;
  if (value_ != nullptr && !value_->is_discarded())
    where.value = value_->dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  throw InputError(where, expected);
}

const ordered_json& JsonValue::json() const {
  if (value_ == nullptr) complain("is missing");
  return *value_;
}

const ordered_json& JsonValue::object() const {
  if (!json().is_object()) throw InputError(where_, "expected an object");
  return *value_;
}

const ordered_json& JsonValue::list() const {
  if (!json().is_array()) throw InputError(where_, "expected a list");
  return *value_;
}

InputError::Where JsonValue::inside(const std::string& path) const {
  return {where_.file, where_.line, where_.field + path, {}};
}

JsonValue JsonValue::at(const std::string& name) const {
  const auto found = object().find(name);
  return {found == value_->end() ? nullptr : &*found,
          inside(where_.field.empty() ? name : "." + name)};
}

std::vector<std::string> JsonValue::names() const {
  std::vector<std::string> all;
  for (const auto& [name, value] : object().items())
    all.push_back(name);
  return all;
}

void JsonValue::require_known(const std::vector<std::string>& names,
                              const std::string& former_name) const {
  for (const std::string& name : this->names())
    if (std::find(names.begin(), names.end(), name) == names.end() && name != former_name)
      at(name).read([&] { throw SelectionError("field", name, names); });
}

JsonValue JsonValue::at(std::size_t index) const {
  return {index < list().size() ? &(*value_)[index] : nullptr,
          inside("[" + std::to_string(index) + "]")};
}

std::vector<JsonValue> JsonValue::items() const {
  std::vector<JsonValue> all;
  for (std::size_t i = 0; i < list().size(); ++i)
    all.push_back(at(i));
  return all;
}

std::string JsonValue::text() const {
  if (!json().is_string()) complain("expected a text");
  return value_->get<std::string>();
}

bool JsonValue::flag() const {
  if (!json().is_boolean()) complain("expected true or false");
  return value_->get<bool>();
}

double JsonValue::number() const {
  if (!json().is_number() || !std::isfinite(value_->get<double>()) || value_->get<double>() < 0)
    complain("expected a finite number of 0 or more");
  return value_->get<double>();
}

std::int64_t JsonValue::count_up_to(std::int64_t most) const {
  // get<std::int64_t>() turns an unsigned number beyond 2^63 into a negative one.
  if (!json().is_number_integer() || value_->get<std::int64_t>() < 0 ||
      value_->get<std::int64_t>() > most)
    complain(most == std::numeric_limits<std::int64_t>::max()
                 ? "expected a whole number, 0 or more"
                 : "expected a whole number from 0 to " + std::to_string(most));
  return value_->get<std::int64_t>();
}

}  // namespace tessera
