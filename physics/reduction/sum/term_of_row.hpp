#ifndef TESSERA_PHYSICS_REDUCTION_SUM_TERM_OF_ROW_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_TERM_OF_ROW_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// Contribution of one row to a term, including weights, origin and mask, for bodies that need no
/// optimized loads.

namespace tessera::reduction {

/// w(i) (v(i, a) - o(a)) (v(i, b) - o(b)), computed in type `Number`; zero if the mask excludes the
/// row, even if its values are not finite.
template <class Number = double, class Storage>
[[nodiscard]] TESSERA_INLINE Number term_of_row(const SumArgs<Storage>& args, SumTerm term,
                                                std::int64_t row) {
  if (args.mask.given() && args.mask(row) == 0) return 0;
  Number product = 1;
  if constexpr (!std::is_integral_v<Storage>)
    if (args.weights.given())
      product = static_cast<Number>(
          args.weights(args.weight_class.given() ? std::int64_t{args.weight_class(row)} : row));
  const std::int16_t columns[2] = {term.a, term.b};
  for (const std::int16_t column : columns) {
    if (column < 0) continue;
    auto number = static_cast<Number>(args.values(row, column));
    if constexpr (!std::is_integral_v<Storage>)
      if (args.origin.given()) number -= static_cast<Number>(args.origin(column));
    product *= number;
  }
  return product;
}

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_TERM_OF_ROW_HPP
