#ifndef TESSERA_CORE_BASE_PRECISION_HPP
#define TESSERA_CORE_BASE_PRECISION_HPP

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

/// \file
/// What an operation calculates with, as run-time names and as type arguments: the three precisions
/// of floating-point numbers, and integers where an operation takes them. Which of them an
/// operation has is said once, in its operation.cmake.

namespace tessera {

enum class Precision { double_precision, mixed, single, int32, int64 };

/// Everything in double.
struct Double {
  using Storage = double;  ///< type of the arrays in an operation's arguments
  using Compute = double;  ///< type of the arithmetic on single terms
  static constexpr Precision value = Precision::double_precision;
};

/// Arrays, integration and totals in double; single terms in float. A difference of two coordinates
/// is taken in double or fixed point before it becomes a float.
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

/// For what adds up or moves numbers of arrays and computes no single terms: mixed is double there.
template <class P>
using OfArrays = std::conditional_t<std::is_same_v<P, Mixed>, Double, P>;

/// Types for operations to be instantiated with.
template <class... Ps>
struct ElementList {
  static constexpr std::array<Precision, sizeof...(Ps)> values{Ps::value...};
};

/// Everything that a run of a simulation may calculate in.
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

/// \throws SelectionError when `text` is none of them.
[[nodiscard]] Precision precision_from_name(std::string_view text);

/// \throws SelectionError when `precision` is not among `candidates`.
void require_precision(Precision precision, std::span<const Precision> candidates);

/// From a run-time precision to a type: calls `call.template operator()<P>()` with the P of the
/// list whose value it is, and returns what that returns. The only such way in the program.
/// \throws SelectionError when the list lacks it.
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
