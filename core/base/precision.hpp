#pragma once

#include <string_view>

/// \file
/// The three precisions of an operation, as run-time names and as type arguments.

namespace tessera {

enum class Precision { double_precision, mixed, single };

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

[[nodiscard]] constexpr std::string_view name(Precision precision) {
  switch (precision) {
    case Precision::double_precision:
      return "double";
    case Precision::mixed:
      return "mixed";
    case Precision::single:
      return "single";
  }
  return "unknown";
}

/// \throws SelectionError when `text` is none of double, mixed, single.
[[nodiscard]] Precision precision_from_name(std::string_view text);

}  // namespace tessera
