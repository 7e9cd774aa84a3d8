#include "physics/reduction/not_finite.hpp"

#include "core/base/error.hpp"
#include "core/memory/copy_view.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::reduction {
namespace {

/// Copies `rows` elements of a column, from `first` on, to the host.
template <class T>
std::vector<T> rows_of(const Context& context, const View<const T, 1>& column, std::int64_t first,
                       std::int64_t rows) {
  return to_host(context, View<const T, 1>{&column(first), {rows}, {column.strides[0]}});
}

bool is_wanted(double number, Search search) {
  return search == Search::nan ? std::isnan(number) : !std::isfinite(number);
}

}  // namespace

template <class T>
std::int64_t first_row(const Context& context, const View<const T, 1>& column,
                       const View<const std::uint8_t, 1>& mask, Search search) {
  constexpr std::int64_t rows_at_a_time = 1 << 20;
  const std::int64_t rows = column.extents[0];
  for (std::int64_t first = 0; first < rows; first += rows_at_a_time) {
    const std::int64_t some = std::min(rows_at_a_time, rows - first);
    const std::vector<T> numbers = rows_of(context, column, first, some);
    std::vector<std::uint8_t> in(numbers.size(), 1);
    if (mask.given()) in = rows_of(context, mask, first, some);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (in[i] != 0 && is_wanted(static_cast<double>(numbers[i]), search))
        return first + static_cast<std::int64_t>(i);
  }
  return -1;
}

template <class T>
void throw_first_nan(std::string_view operation, const Context& context,
                     const View<const T, 2>& values, const View<const std::uint8_t, 1>& mask) {
  if constexpr (std::is_floating_point_v<T>) {
    std::pair first{values.extents[0], values.extents[1]};  // row and column
    for (std::int64_t c = 0; c < values.extents[1]; ++c) {
      const View<const T, 1> column{&values(0, c), {values.extents[0]}, {values.strides[0]}};
      const std::int64_t row = first_row(context, column, mask, Search::nan);
      if (row >= 0) first = std::min(first, {row, c});
    }
    const auto [row, column] = first;
    if (row < values.extents[0])
      throw NotFiniteError(row, column,
                           std::string(operation) + ": row " + std::to_string(row) + " of column " +
                               std::to_string(column) + " is NaN");
  }
}

template void throw_first_nan(std::string_view, const Context&, const View<const double, 2>&,
                              const View<const std::uint8_t, 1>&);
template void throw_first_nan(std::string_view, const Context&, const View<const float, 2>&,
                              const View<const std::uint8_t, 1>&);
template void throw_first_nan(std::string_view, const Context&, const View<const std::int32_t, 2>&,
                              const View<const std::uint8_t, 1>&);
template void throw_first_nan(std::string_view, const Context&, const View<const std::int64_t, 2>&,
                              const View<const std::uint8_t, 1>&);
template std::int64_t first_row(const Context&, const View<const double, 1>&,
                                const View<const std::uint8_t, 1>&, Search);
template std::int64_t first_row(const Context&, const View<const float, 1>&,
                                const View<const std::uint8_t, 1>&, Search);

}  // namespace tessera::reduction
