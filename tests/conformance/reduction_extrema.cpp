#include "core/base/error.hpp"
#include "physics/reduction/extrema/extrema.hpp"
#include "tests/support/target.hpp"

/// \file
/// Properties of reduction/extrema that need no oracle.

namespace tessera::reduction {

template <class T>
struct Input {
  std::vector<T> values;  ///< row-major
  std::int64_t columns = 1;
  NotANumber not_a_number = NotANumber::pass_over;
  std::vector<std::uint8_t> mask = {};
};

using Rows = std::vector<std::int64_t>;

template <class T>
struct Found {
  std::vector<T> extremes;  ///< smallest and largest of column 0, of column 1, ...
  Rows rows;                ///< rows of these, in the same order
};

template <class P, class T = typename P::Storage>
Found<T> found(const Implementation<Extrema, P>& implementation, const Input<T>& in) {
  const Context context = test::context();
  const std::int64_t rows = static_cast<std::int64_t>(in.values.size()) / in.columns;
  Array<T> data(context, in.values), extremes(context, 2 * in.columns);
  Array<std::int64_t> places(context, 2 * in.columns);
  Array<std::uint8_t> mask(context, in.mask);
  ExtremaArgs<T> args{{data.data(), {rows, in.columns}}, {}, extremes.rows(2), places.rows(2)};
  if (!in.mask.empty()) args.mask = mask.view();
  implementation.make_plan(extrema_problem(args, in.not_a_number), context, {})->execute(args);
  return {extremes.to_host(), places.to_host()};
}

TESSERA_PROPERTY(Extrema, "a planted value is found wherever it is") {
  using T = typename P::Storage;
  for (const std::int64_t rows : {2, 31, 32, 33, 1000, 100003})
    for (const std::int64_t at : {std::int64_t{0}, rows / 2, rows - 1}) {
      Input<T> input{std::vector<T>(static_cast<std::size_t>(rows), 5)};
      input.values[static_cast<std::size_t>(at)] = -7;
      input.values[static_cast<std::size_t>((at + 1) % rows)] = 9;
      CHECK(found(implementation, input).extremes == std::vector<T>{-7, 9});
      CHECK(found(implementation, input).rows == Rows{at, (at + 1) % rows});
    }
}

TESSERA_PROPERTY(Extrema, "among equal values the lowest row counts") {
  Input<typename P::Storage> input{std::vector<typename P::Storage>(5000, 3)};
  CHECK(found(implementation, input).rows == Rows{0, 0});
  input.values[100] = input.values[4000] = input.values[4999] = 1;
  input.values[77] = input.values[78] = input.values[4998] = 8;
  CHECK(found(implementation, input).rows == Rows{100, 77});
}

TESSERA_PROPERTY(Extrema, "the largest and the smallest number there are, and none at all") {
  using T = typename P::Storage;
  const T least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max();
  const auto ends = found(implementation, Input<T>{{0, most, least, 1}});
  CHECK(ends.extremes == std::vector<T>{least, most});
  CHECK(ends.rows == Rows{2, 1});
  // The value that stands for "no extreme" may also be an element of the data.
  const T none = no_extreme<T>(0);
  CHECK(found(implementation, Input<T>{{none, none}}).rows == Rows{0, 0});
  const auto empty = found(implementation, Input<T>{{}, 2});
  CHECK(empty.rows == Rows{-1, -1, -1, -1});
  CHECK(empty.extremes == std::vector<T>{none, no_extreme<T>(1), none, no_extreme<T>(1)});
}

TESSERA_PROPERTY(Extrema, "a NaN is passed over, handed on or named, infinity is a number") {
  using T = typename P::Storage;
  if constexpr (std::is_floating_point_v<T>) {
    const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    const auto some = found(implementation, Input<T>{{nan, 2, nan, -1, nan}});
    CHECK(some.extremes == std::vector<T>{-1, 2});
    CHECK(some.rows == Rows{3, 1});
    CHECK(found(implementation, Input<T>{std::vector<T>(100, nan)}).rows == Rows{-1, -1});
    CHECK(found(implementation, Input<T>{{1, -inf, inf}}).rows == Rows{1, 2});
    CHECK(found(implementation, Input<T>{{0, T{-0.0}}}).rows == Rows{0, 0});
    Input<T> input{std::vector<T>(3 * 5000, 2), 3, NotANumber::propagate};
    input.values[3 * 4000 + 1] = input.values[3 * 3000 + 2] = input.values[3 * 3500 + 2] = nan;
    const auto handed_on = found(implementation, input);
    CHECK(handed_on.rows == Rows{0, 0, 4000, 4000, 3000, 3000});
    CHECK(handed_on.extremes[0] == 2);
    CHECK_FALSE((handed_on.extremes[2] <= inf || handed_on.extremes[5] <= inf));  // NaN
    input.not_a_number = NotANumber::find;
    using Place = std::pair<std::int64_t, std::int64_t>;
    const auto place = [&]() -> Place {
      try {
        static_cast<void>(found(implementation, input));
      } catch (const NotFiniteError& error) {
        return {error.row(), error.column()};
      }
      return {-7, -7};
    };
    CHECK(place() == Place{3000, 2});
    input.mask.assign(5000, 1);
    input.mask[3000] = 0;
    CHECK(place() == Place{3500, 2});
    input.mask[3500] = input.mask[4000] = 0;
    CHECK(place() == Place{-7, -7});
  }
}

TESSERA_PROPERTY(Extrema, "the public call runs, and refuses shapes that do not fit") {
  using T = typename P::Storage;
  const Context context = test::context_with_target();
  Array<T> data(context, std::vector<T>{4, 2, 3, 8, 1, 5}), extremes(context, 4);
  ExtremaArgs<T> args{data.rows(2), {}, extremes.rows(2), {}};
  extrema<P>(context, args);
  CHECK(extremes.to_host() == std::vector<T>{1, 4, 2, 8});
  args.extremes.extents[0] = 1;
  CHECK_THROWS_AS((void)extrema_problem(args), ArgumentError);
}

}  // namespace tessera::reduction
