#ifndef TESSERA_PHYSICS_REDUCTION_NOT_FINITE_HPP
#define TESSERA_PHYSICS_REDUCTION_NOT_FINITE_HPP

#include "core/memory/device.hpp"
#include "core/memory/view.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// Effect of numbers that are not finite on results of reductions, and the search for such numbers.

namespace tessera::reduction {

/// Effect of infinities and NaNs on a sum.
enum class NotFinite {
  propagate,  ///< a sum with such numbers is infinite or NaN
  find        ///< execute() waits, and throws a NotFiniteError that names the first one
};

/// Effect of NaNs on minima and maxima; infinities are ordinary small and large values.
enum class NotANumber {
  pass_over,  ///< NaNs are ignored
  propagate,  ///< the smallest and the largest value of a column with a NaN is its first NaN
  find        ///< execute() waits, and throws a NotFiniteError that names the first one
};

/// Kind of number that first_row() searches for.
enum class Search { nan, not_finite };

/// The first row that the mask includes and whose number is of the kind `search`; -1 if there is
/// none. Copies the column to the host in pieces, and is meant for data that are known to contain
/// such a number.
/// \param mask by row; not given: all rows count
template <class T>
[[nodiscard]] std::int64_t first_row(const Context& context, const View<const T, 1>& column,
                                     const View<const std::uint8_t, 1>& mask, Search search);

/// \throws NotFiniteError for the lowest row with a NaN in one of the columns, if there is one.
template <class T>
void throw_first_nan(std::string_view operation, const Context& context,
                     const View<const T, 2>& values, const View<const std::uint8_t, 1>& mask);

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_NOT_FINITE_HPP
