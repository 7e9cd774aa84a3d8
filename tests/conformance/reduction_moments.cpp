#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "physics/reduction/moments/moments.hpp"
#include "tests/support/print_bits.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

/// \file
/// Properties of reduction/moments that need no oracle.

namespace tessera::reduction {

struct FoundMoments {
  double weight = 0;
  std::vector<double> means;
  std::vector<double> seconds;
};

/// Optional arguments of the target; empty ones are not passed.
struct Given {
  std::vector<double> weights = {};
  std::vector<std::uint8_t> mask = {};
  Determinism determinism = Determinism::none;
};

/// Moments of `values` (`columns` wide, row-major) by the target.
template <class P>
FoundMoments found(const Implementation<Moments, P>& implementation,
                   const std::vector<typename P::Storage>& values, std::int64_t columns,
                   const Given& given = {}) {
  const Context context = test::context();
  Array<typename P::Storage> data(context, values);
  Array<double> weights(context, given.weights);
  Array<std::uint8_t> mask(context, given.mask);
  Array<double> weight(context, 1);
  Array<double> means(context, columns);
  Array<double> seconds(context, columns * columns);
  MomentsArgs<typename P::Storage> args;
  args.values = {data.data(), {static_cast<std::int64_t>(values.size()) / columns, columns}};
  if (!given.weights.empty()) args.weights = weights.view();
  if (!given.mask.empty()) args.mask = mask.view();
  args.weight = weight.view();
  args.means = means.view();
  args.seconds = seconds.rows(columns);
  const auto plan = implementation.make_plan(moments_problem(args, given.determinism), context, {});
  plan->execute(args);
  return {weight.to_host()[0], means.to_host(), seconds.to_host()};
}

TESSERA_PROPERTY(Moments, "two points") {
  using T = typename P::Storage;
  const auto of = found(implementation, std::vector<T>{1, 10, 3, 20}, 2);
  CHECK(of.weight == 2);
  CHECK(of.means == std::vector<double>{2, 15});
  CHECK(of.seconds == std::vector<double>{1, 5, 5, 25});
}

TESSERA_PROPERTY(Moments, "a column far from zero keeps its deviation") {
  using T = typename P::Storage;
  // Integers that are exact in float, whose deviation would be lost completely in plain sums of
  // squares.
  constexpr std::int64_t rows = 30000;
  std::vector<T> values;
  for (std::int64_t i = 0; i < rows; ++i)
    values.push_back(static_cast<T>(16'000'000 + (i % 2 == 0 ? 1 : -1)));
  for (const bool sorted : {false, true}) {
    if (sorted) std::sort(values.begin(), values.end());
    const auto of = found(implementation, values, 1);
    CHECK(of.means[0] == 16'000'000);
    CHECK(of.seconds[0] == 1);
  }
}

TESSERA_PROPERTY(Moments, "a constant column deviates by nothing that counts") {
  using T = typename P::Storage;
  for (const std::size_t rows : {1u, 2u, 5000u}) {
    const auto value = static_cast<T>(0.1);
    const auto of = found(implementation, std::vector<T>(rows, value), 1);
    const auto known = static_cast<double>(value);
    CHECK(of.means[0] == test::relative(known).epsilon(1e-15));
    CHECK(std::abs(of.seconds[0]) <= 0x1p-100 * known * known);
  }
}

TESSERA_PROPERTY(Moments, "no weights without sign make a square of a deviation negative") {
  using T = typename P::Storage;
  RandomSequence random(29);
  for (const Determinism determinism : {Determinism::none, most_determinism(implementation.info())})
    for (std::size_t rows = 2; rows < 60; ++rows) {
      Given given;
      given.determinism = determinism;
      std::vector<T> values;
      const auto same = static_cast<T>(random.uniform(-1, 1));
      for (std::size_t i = 0; i < rows; ++i) {
        given.weights.push_back(i % 3 == 1 ? 0 : random.uniform(0.5, 1.5));
        values.push_back(i % 3 == 1 ? static_cast<T>(random.uniform(-1, 1)) : same);
      }
      const auto of = found(implementation, values, 1, given);
      CHECK_MESSAGE(of.seconds[0] >= 0, rows << " rows: " << of.seconds[0]);
      CHECK(of.seconds[0] < 1e-20);
    }
}

TESSERA_PROPERTY(Moments, "what is left out is not there, whatever it is") {
  using T = typename P::Storage;
  std::vector<T> values;
  std::vector<T> some;
  Given given;
  for (int i = 0; i < 4000; ++i) {
    const bool in = i % 3 == 1;
    given.mask.push_back(in ? 1 : 0);
    values.push_back(in ? static_cast<T>(i % 7) : std::numeric_limits<T>::quiet_NaN());
    if (in) some.push_back(values.back());
  }
  const auto masked = found(implementation, values, 1, given);
  const auto alone = found(implementation, some, 1);
  CHECK(masked.weight == alone.weight);
  CHECK(masked.means[0] == test::relative(alone.means[0]).epsilon(1e-14));
  CHECK(masked.seconds[0] == test::relative(alone.seconds[0]).epsilon(1e-13));
}

TESSERA_PROPERTY(Moments, "a weight of two is a row that is there twice") {
  using T = typename P::Storage;
  RandomSequence random(3);
  std::vector<T> once;
  std::vector<T> twice;
  Given given;
  for (int i = 0; i < 1000; ++i) {
    const bool is_double = i % 4 == 0;
    given.weights.push_back(is_double ? 2 : 1);
    const T row[2] = {static_cast<T>(random.uniform(2, 3)), static_cast<T>(random.uniform(-1, 5))};
    once.insert(once.end(), row, row + 2);
    for (int k = 0; k < (is_double ? 2 : 1); ++k)
      twice.insert(twice.end(), row, row + 2);
  }
  const auto weighted = found(implementation, once, 2, given);
  const auto repeated = found(implementation, twice, 2);
  CHECK(weighted.weight == repeated.weight);
  for (std::size_t a = 0; a < 2; ++a)
    CHECK(weighted.means[a] == test::relative(repeated.means[a]).epsilon(1e-13));
  for (std::size_t e = 0; e < 4; ++e)
    CHECK(weighted.seconds[e] == test::relative(repeated.seconds[e]).epsilon(1e-12));
}

TESSERA_PROPERTY(Moments, "without any weight there is no mean") {
  using T = typename P::Storage;
  Given nothing;
  nothing.mask.assign(3, 0);
  for (const auto& of : {found(implementation, std::vector<T>{}, 3),
                         found(implementation, std::vector<T>(9, 4), 3, nothing)}) {
    CHECK(of.weight == 0);
    for (const double mean : of.means)
      CHECK(std::isnan(mean));
    for (const double second : of.seconds)
      CHECK(std::isnan(second));
  }
}

TESSERA_PROPERTY(Moments, "any_order: shuffled rows give the same bits") {
  using T = typename P::Storage;
  if (most_determinism(implementation.info()) < Determinism::any_order) return;
  RandomSequence random(9);
  std::vector<T> values;
  for (int i = 0; i < 3000; ++i)
    values.push_back(static_cast<T>(1e5 + random.uniform(-3, 5)));
  Given given;
  given.determinism = Determinism::any_order;
  const auto first = found(implementation, values, 1, given);
  test::print_bits("means", first.means);
  test::print_bits("second moments", first.seconds);
  for (int shuffle = 0; shuffle < 20; ++shuffle) {
    for (std::size_t i = values.size() - 1; i > 0; --i)
      std::swap(values[i], values[random() % (i + 1)]);
    const auto again = found(implementation, values, 1, given);
    CHECK(again.means == first.means);
    CHECK(again.seconds == first.seconds);
  }
}

TESSERA_PROPERTY(
    Moments, "the public call runs the chosen implementation; shapes that do not fit are refused") {
  using T = typename P::Storage;
  const Context context = test::context_with_target();
  Array<T> data(context, std::vector<T>{4, 2, 3, 8, 2, 2});
  Array<double> weight(context, 1);
  Array<double> means(context, 2);
  Array<double> seconds(context, 4);
  MomentsArgs<T> args;
  args.values = data.rows(2);
  args.weight = weight.view();
  args.means = means.view();
  moments<P>(context, args);
  CHECK(means.to_host() == std::vector<double>{3, 4});
  args.seconds = seconds.rows(2);
  CHECK(moments_problem(args).seconds);
  args.seconds.extents[1] = 1;
  CHECK_THROWS_AS((void)moments_problem(args), ArgumentError);
  args.seconds = {};
  args.means.extents[0] = 1;
  CHECK_THROWS_AS((void)moments_problem(args), ArgumentError);
  args.means = means.view();
  args.values = {data.data(), {0, 7}};
  CHECK_THROWS_AS((void)moments_problem(args), ArgumentError);
}

}  // namespace tessera::reduction
