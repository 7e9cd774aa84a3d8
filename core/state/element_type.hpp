#ifndef TESSERA_CORE_STATE_ELEMENT_TYPE_HPP
#define TESSERA_CORE_STATE_ELEMENT_TYPE_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// Run-time names for the element types of state that is written to files.

namespace tessera {

/// The numbers are part of the format of restart files and never change.
enum class ElementType : std::uint8_t {
  float32 = 1,
  float64 = 2,
  int32 = 3,
  int64 = 4,
  text = 5,
  uint8 = 6
};

[[nodiscard]] constexpr std::string_view name(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return "float32";
    case ElementType::float64:
      return "float64";
    case ElementType::int32:
      return "int32";
    case ElementType::int64:
      return "int64";
    case ElementType::text:
      return "text";
    case ElementType::uint8:
      return "uint8";
  }
  return "unknown";
}

[[nodiscard]] constexpr std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::float32:
    case ElementType::int32:
      return 4;
    case ElementType::float64:
    case ElementType::int64:
      return 8;
    case ElementType::text:
    case ElementType::uint8:
      return 1;
  }
  return 0;  // no such type
}

template <class T>
inline constexpr ElementType element_type_of = T::no_element_type;
template <>
inline constexpr ElementType element_type_of<float> = ElementType::float32;
template <>
inline constexpr ElementType element_type_of<double> = ElementType::float64;
template <>
inline constexpr ElementType element_type_of<std::int32_t> = ElementType::int32;
template <>
inline constexpr ElementType element_type_of<std::int64_t> = ElementType::int64;
template <>
inline constexpr ElementType element_type_of<char> = ElementType::text;
template <>
inline constexpr ElementType element_type_of<std::uint8_t> = ElementType::uint8;

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_ELEMENT_TYPE_HPP
