#include "physics/md/case/type_key.hpp"

#include "core/base/error.hpp"

#include <algorithm>

namespace tessera::md {

const cases::Value* TypeReferenceKind::read(const cases::Value& value, const cases::Range&,
                                            TypeReference& out) {
  if (const auto* name = value.as<std::string>()) {
    out = *name;
    return nullptr;
  }
  const auto* const number = value.as<std::int64_t>();
  if (number == nullptr || *number < 1) return &value;
  out = *number;
  return nullptr;
}

std::string TypeReferenceKind::write(const TypeReference& type) {
  const auto* const name = std::get_if<std::string>(&type);
  return name != nullptr ? cases::in_quotes(*name) : std::to_string(std::get<std::int64_t>(type));
}

std::string TypeReferenceKind::expected(const cases::Range&, bool many) {
  return many ? "types, each by name or by number from 1 up"
              : "a type, by name or by number from 1 up";
}

std::string TypeReferenceKind::column(const cases::Range&, bool many) {
  return many ? "texts or whole numbers >= 1" : "text or whole number >= 1";
}

std::int32_t resolve_type(const TypeReference& reference, std::int64_t count,
                          const std::vector<std::string>& names, const cases::Origin& origin,
                          const std::string& field) {
  const auto wrong = [&](const std::string& message) {
    return InputError({origin.file, origin.line, field, TypeReferenceKind::write(reference)},
                      message);
  };
  const std::string numbers = "a type from 1 to " + std::to_string(count);
  if (const auto* number = std::get_if<std::int64_t>(&reference)) {
    if (*number > count) throw wrong("expected " + numbers);
    return static_cast<std::int32_t>(*number - 1);
  }
  if (names.empty()) throw wrong("the types have no names, expected " + numbers);
  const std::string& name = std::get<std::string>(reference);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::int32_t>(found - names.begin());
  const std::string guess = cases::suggestion(name, names);
  throw wrong(guess.empty() ? "expected one of the types " + cases::list_of(names)
                            : "there is no such type" + guess);
}

}  // namespace tessera::md
