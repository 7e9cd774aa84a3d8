#ifndef TESSERA_CORE_BASE_PRECISION_HPP
#define TESSERA_CORE_BASE_PRECISION_HPP

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

/// \file
/// The element types of an operation, as run-time names and as type arguments: three precisions of
/// floating-point numbers, and integers for operations that accept them. The operation.cmake of
/// each operation declares its element types.

namespace tessera {

enum class Precision { double_precision, mixed, single, int32, int64 };

/// Everything in double.
struct Double {
  using Storage = double;  ///< type of the arrays in an operation's arguments
  using Compute = double;  ///< type in which one term is computed, such as the force of a pair
  static constexpr Precision value = Precision::double_precision;
};

/// Arrays, integration and totals in double; individual terms, such as the force of a pair, in
/// float. Differences of two coordinates are computed in double or fixed point before they become a
/// float.
struct Mixed {
  using Storage = double;
  using Compute = float;
  static constexpr Precision value = Precision::mixed;
};

/// Arrays and arithmetic in float; totals over all particles in double.
struct Single {
  using Storage = float;
  using Compute = float;
  static constexpr Precision value = Precision::single;
};

/// Integers of 32 bits.
struct Int32 {
  using Storage = std::int32_t;
  using Compute = std::int32_t;
  static constexpr Precision value = Precision::int32;
};

/// Integers of 64 bits.
struct Int64 {
  using Storage = std::int64_t;
  using Compute = std::int64_t;
  static constexpr Precision value = Precision::int64;
};

/// Element type for operations that only add or move elements of arrays. They compute no terms, so
/// mixed is the same as double.
template <class P>
using OfArrays = std::conditional_t<std::is_same_v<P, Mixed>, Double, P>;

/// Types to instantiate an operation with.
template <class... Ps>
struct ElementList {
  static constexpr std::array<Precision, sizeof...(Ps)> values{Ps::value...};
};

/// The precisions that a simulation may run in.
using FloatingElements = ElementList<Double, Mixed, Single>;
using AllElements = ElementList<Double, Mixed, Single, Int32, Int64>;

[[nodiscard]] constexpr std::string_view name(Precision precision) {
  switch (precision) {
    case Precision::double_precision:
      return "double";
    case Precision::mixed:
      return "mixed";
    case Precision::single:
      return "single";
    case Precision::int32:
      return "int32";
    case Precision::int64:
      return "int64";
  }
  return "unknown";
}

/// \throws SelectionError when `text` is the name of no precision.
[[nodiscard]] Precision precision_from_name(std::string_view text);

/// \throws SelectionError when `precision` is not among `candidates`.
void require_precision(Precision precision, std::span<const Precision> candidates);

/// Converts a run-time precision to a type: calls `call.template operator()<P>()` with the type P
/// of the list for which P::value is `precision`, and returns its result. Use it for every such
/// conversion.
/// \throws SelectionError when the list lacks the precision.
template <class First, class... Rest, class Call>
auto with_element(ElementList<First, Rest...>, Precision precision, const Call& call)
    -> decltype(call.template operator()<First>()) {
  using Result = decltype(call.template operator()<First>());
  require_precision(precision, ElementList<First, Rest...>::values);
  if constexpr (std::is_void_v<Result>) {
    const auto call_if = [&]<class P>() {
      if (precision == P::value) call.template operator()<P>();
    };
    call_if.template operator()<First>();
    (call_if.template operator()<Rest>(), ...);
  } else if constexpr (sizeof...(Rest) == 0) {
    return call.template operator()<First>();
  } else {
    if (precision == First::value) return call.template operator()<First>();
    return with_element(ElementList<Rest...>{}, precision, call);
  }
}

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_PRECISION_HPP
