#include <charconv>
#include <tessera/core/tuning/knobs.hpp>

namespace tessera {

std::string to_string(const KnobValue& value) {
  char text[32];
  const auto end =
      std::visit([&](auto v) { return std::to_chars(text, text + sizeof text, v).ptr; }, value);
  return {text, end};
}

KnobValue knob_value_from_text(const std::string& name, const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto r = std::from_chars(text.data(), end, integer);
      r.ec == std::errc{} && r.ptr == end)
    return integer;
  double real = 0;
  if (const auto r = std::from_chars(text.data(), end, real); r.ec == std::errc{} && r.ptr == end)
    return real;
  throw InputError({{}, 0, name, text}, "expected a number");
}

}  // namespace tessera
