#ifndef TESSERA_PHYSICS_REDUCTION_NOT_FINITE_HPP
#define TESSERA_PHYSICS_REDUCTION_NOT_FINITE_HPP

#include "core/memory/device.hpp"
#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// Numbers that are none in what is reduced: what becomes of them, and where they are.

namespace tessera::reduction {

/// What a sum does with infinities and NaNs.
enum class NotFinite {
  propagate,  ///< they make what they are in infinite or NaN
  find        ///< execute() waits, and throws NotFiniteError that names the first
};

/// What minima and maxima do with NaNs; infinities are small and large.
enum class NotANumber {
  pass_over,  ///< they are neither small nor large
  propagate,  ///< the smallest and the largest value of a column with a NaN is its first NaN
  find        ///< execute() waits, and throws NotFiniteError that names the first
};

/// What is looked for.
enum class Search { nan, not_finite };

/// The first row that the mask does not leave out and whose number is looked for; -1 where there is
/// none. Brings the column to the host piece by piece: meant for what is known to be wrong.
/// \param mask by row, not given: all count
template <class T>
[[nodiscard]] std::int64_t first_row(const Context& context, const View<const T, 1>& column,
                                     const View<const std::uint8_t, 1>& mask, Search search);

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_NOT_FINITE_HPP
