#include "core/base/error.hpp"
#include "physics/reduction/extrema/extrema.hpp"
#include "tests/support/target.hpp"

#include <cmath>
#include <utility>

/// \file
/// Properties of reduction/extrema that need no oracle.

namespace tessera::reduction {

template <class T>
struct Found {
  std::vector<T> extremes;         ///< smallest and largest of column 0, of column 1, ...
  std::vector<std::int64_t> rows;  ///< rows of these, in the same order
};

/// Extrema of `values` (`columns` wide, row-major or column-major) by the target.
template <class P, class T = typename P::Storage>
Found<T> found(const Implementation<Extrema, P>& implementation, const std::vector<T>& values,
               std::int64_t columns, bool by_column = false, bool with_rows = true,
               NotANumber not_a_number = NotANumber::pass_over,
               const std::vector<std::uint8_t>& mask = {}) {
  const Context context = test::context();
  const std::int64_t rows = static_cast<std::int64_t>(values.size()) / columns;
  Array<T> data(context, values);
  Array<T> extremes(context, 2 * columns);
  Array<std::int64_t> places(context, 2 * columns);
  extremes.fill_bytes(0xff);
  ExtremaArgs<T> args;
  args.values = {data.data(), {rows, columns}};
  if (by_column) args.values = {data.data(), {rows, columns}, {1, rows}};
  args.extremes = extremes.rows(2);
  if (with_rows) args.rows = places.rows(2);
  Array<std::uint8_t> in(context, mask);
  if (!mask.empty()) args.mask = in.view();
  const auto plan = implementation.make_plan(extrema_problem(args, not_a_number), context, {});
  plan->execute(args);
  return {extremes.to_host(), places.to_host()};
}

using Rows = std::vector<std::int64_t>;

TESSERA_PROPERTY(Extrema, "a planted value is found wherever it is") {
  using T = typename P::Storage;
  for (const std::int64_t rows : {1, 2, 31, 32, 33, 1000, 100003})
    for (const std::int64_t at : {std::int64_t{0}, rows / 2, rows - 1}) {
      std::vector<T> values(static_cast<std::size_t>(rows), 5);
      values[static_cast<std::size_t>(at)] = -7;
      CHECK(found(implementation, values, 1).extremes[0] == -7);
      CHECK(found(implementation, values, 1).rows[0] == at);
      values[static_cast<std::size_t>(at)] = 9;
      CHECK(found(implementation, values, 1).extremes[1] == 9);
      CHECK(found(implementation, values, 1).rows[1] == at);
    }
}

TESSERA_PROPERTY(Extrema, "among equal values the lowest row counts") {
  using T = typename P::Storage;
  CHECK(found(implementation, std::vector<T>(5000, 3), 1).rows == Rows{0, 0});
  std::vector<T> values(5000, 3);
  for (const std::size_t low : {100u, 4000u, 4999u})
    values[low] = 1;
  for (const std::size_t high : {77u, 78u, 4998u})
    values[high] = 8;
  CHECK(found(implementation, values, 1).rows == Rows{100, 77});
}

TESSERA_PROPERTY(Extrema, "every column has its own, in any layout, also without rows") {
  using T = typename P::Storage;
  constexpr std::int64_t columns = 9;
  constexpr std::int64_t rows = 101;
  std::vector<T> by_row(rows * columns);
  std::vector<T> by_column(rows * columns);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t c = 0; c < columns; ++c) {
      const auto value = static_cast<T>((i + 10 * c) % rows);
      by_row[static_cast<std::size_t>(i * columns + c)] = value;
      by_column[static_cast<std::size_t>(c * rows + i)] = value;
    }
  const auto one = found(implementation, by_row, columns);
  const auto other = found(implementation, by_column, columns, true);
  CHECK(one.extremes == other.extremes);
  CHECK(one.rows == other.rows);
  for (std::int64_t c = 0; c < columns; ++c) {
    const auto at = static_cast<std::size_t>(2 * c);
    CHECK(one.extremes[at] == 0);
    CHECK(one.extremes[at + 1] == rows - 1);
    CHECK(one.rows[at] == (rows - 10 * c) % rows);
    CHECK(one.rows[at + 1] == rows - 1 - 10 * c);
  }
  CHECK(found(implementation, by_row, columns, false, false).extremes == one.extremes);
}

TESSERA_PROPERTY(Extrema, "the largest and the smallest number there are, and none at all") {
  using T = typename P::Storage;
  using Limits = std::numeric_limits<T>;
  const auto ends = found(implementation, std::vector<T>{0, Limits::max(), Limits::lowest(), 1}, 1);
  CHECK(ends.extremes == std::vector<T>{Limits::lowest(), Limits::max()});
  CHECK(ends.rows == Rows{2, 1});
  // The value that stands for "no extreme" may also be an element of the data.
  const T none = no_extreme<T>(0);
  CHECK(found(implementation, std::vector<T>{none, none}, 1).rows == Rows{0, 0});

  const auto empty = found(implementation, std::vector<T>{}, 2);
  CHECK(empty.rows == Rows{-1, -1, -1, -1});
  for (std::size_t e = 0; e < 4; ++e)
    CHECK(empty.extremes[e] == no_extreme<T>(static_cast<int>(e % 2)));
}

TESSERA_PROPERTY(Extrema, "a NaN is passed over, infinity is not") {
  using T = typename P::Storage;
  if constexpr (std::is_floating_point_v<T>) {
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const T inf = std::numeric_limits<T>::infinity();
    const auto some = found(implementation, std::vector<T>{nan, 2, nan, -1, nan}, 1);
    CHECK(some.extremes == std::vector<T>{-1, 2});
    CHECK(some.rows == Rows{3, 1});
    const auto none = found(implementation, std::vector<T>(100, nan), 1);
    CHECK(none.extremes == std::vector<T>{inf, -inf});
    CHECK(none.rows == Rows{-1, -1});
    CHECK(found(implementation, std::vector<T>{1, -inf, inf}, 1).rows == Rows{1, 2});
    // Zeros of both signs are equal.
    CHECK(found(implementation, std::vector<T>{0, T{-0.0}}, 1).rows == Rows{0, 0});
  }
}

TESSERA_PROPERTY(Extrema, "a NaN is handed on or named where that is asked for") {
  using T = typename P::Storage;
  if constexpr (std::is_floating_point_v<T>) {
    const T nan = std::numeric_limits<T>::quiet_NaN();
    std::vector<T> values(3 * 5000, 2);
    values[3 * 4000 + 1] = nan;
    values[3 * 3000 + 2] = nan;
    values[3 * 3500 + 2] = nan;
    values[3 * 10 + 2] = -5;
    const auto handed_on = found(implementation, values, 3, false, true, NotANumber::propagate);
    CHECK(handed_on.rows == Rows{0, 0, 4000, 4000, 3000, 3000});
    CHECK(handed_on.extremes[0] == 2);
    for (const std::size_t e : {2u, 3u, 4u, 5u})
      CHECK(std::isnan(handed_on.extremes[e]));
    const auto place = [&](const std::vector<std::uint8_t>& mask) {
      try {
        (void)found(implementation, values, 3, false, true, NotANumber::find, mask);
      } catch (const NotFiniteError& error) {
        return std::pair{error.row(), error.column()};
      }
      return std::pair{std::int64_t{-7}, std::int64_t{-7}};
    };
    using Place = std::pair<std::int64_t, std::int64_t>;
    CHECK(place({}) == Place{3000, 2});
    std::vector<std::uint8_t> mask(5000, 1);
    mask[3000] = 0;
    CHECK(place(mask) == Place{3500, 2});
    mask[3500] = mask[4000] = 0;
    CHECK(place(mask) == Place{-7, -7});
  }
}

TESSERA_PROPERTY(
    Extrema, "the public call runs the chosen implementation; shapes that do not fit are refused") {
  using T = typename P::Storage;
  const Context context = test::context_with_target();
  Array<T> data(context, std::vector<T>{4, 2, 3, 8, 1, 5});
  Array<T> extremes(context, 4);
  Array<std::int64_t> rows(context, 4);
  ExtremaArgs<T> args;
  args.values = data.rows(2);
  args.extremes = extremes.rows(2);
  args.rows = rows.rows(2);
  extrema<P>(context, args);
  CHECK(extremes.to_host() == std::vector<T>{1, 4, 2, 8});
  CHECK(rows.to_host() == Rows{2, 0, 0, 1});
  args.rows.extents[1] = 1;
  CHECK_THROWS_AS((void)extrema_problem(args), ArgumentError);
  args.rows = {};
  CHECK_NOTHROW((void)extrema_problem(args));
  args.extremes.extents[0] = 1;
  CHECK_THROWS_AS((void)extrema_problem(args), ArgumentError);
}

}  // namespace tessera::reduction
