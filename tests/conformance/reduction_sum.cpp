#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "core/operations/registry.hpp"
#include "physics/reduction/sum/fixed_point.hpp"
#include "physics/reduction/sum/sum.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Properties of reduction/sum that need no oracle.

namespace tessera::reduction {
namespace {

/// Sums of `values` (row-major, `columns` wide) by the target.
template <class P>
std::vector<SumOf<typename P::Storage>> sums(const Implementation<Sum, P>& implementation,
                                             const std::vector<typename P::Storage>& values,
                                             std::int64_t columns, const SumTerms& terms,
                                             const std::vector<double>& weights = {},
                                             Determinism determinism = Determinism::none,
                                             const std::vector<std::uint8_t>& mask = {},
                                             NotFinite not_finite = NotFinite::propagate) {
  const Context context = test::context();
  Array<std::uint8_t> in(context, mask);
  Array<typename P::Storage> data(context, values);
  Array<double> weight(context, weights);
  Array<SumOf<typename P::Storage>> result(context, terms.count);
  result.fill_bytes(0xff);
  SumArgs<typename P::Storage> args;
  args.values = {data.data(), {static_cast<std::int64_t>(values.size()) / columns, columns}};
  if (!weights.empty()) args.weights = weight.view();
  if (!mask.empty()) args.mask = in.view();
  args.terms = terms;
  args.result = result.view();
  const auto plan =
      implementation.make_plan(sum_problem(args, determinism, not_finite), context, {});
  plan->prepare(args);
  plan->execute(args);
  return result.to_host();
}

template <class P>
bool offers(const Implementation<Sum, P>& implementation, Determinism determinism) {
  return most_determinism(implementation.info()) >= determinism;
}

/// Runs a property for targets of floating-point numbers.
template <class Property>
void with_floating_target(const Property& property) {
  test::with_target<Sum>([&]<class P>(const Implementation<Sum, P>& implementation) {
    if constexpr (!std::is_integral_v<typename P::Storage>)
      property.template operator()<P>(implementation);
  });
}

SumTerms terms_of(std::initializer_list<SumTerm> list) {
  SumTerms terms;
  for (const SumTerm& term : list)
    terms.term[terms.count++] = term;
  return terms;
}

TEST_CASE("a term without columns counts the rows") {
  test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) {
    for (const int rows : {0, 1, 31, 32, 33, 1000, 100003}) {
      const std::vector<typename P::Storage> values(static_cast<std::size_t>(rows), 7);
      CHECK(sums(implementation, values, 1, terms_of({{-1, -1}}))[0] == rows);
    }
  });
}

TEST_CASE("whole numbers are summed exactly") {
  test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) {
    constexpr std::int64_t rows = 4097;
    std::vector<typename P::Storage> values;
    for (std::int64_t i = 0; i < rows; ++i) {
      values.push_back(static_cast<typename P::Storage>(i));
      values.push_back(static_cast<typename P::Storage>(1 - i));
    }
    const auto result =
        sums(implementation, values, 2, terms_of({{0, -1}, {1, -1}, {0, 0}, {0, 1}}));
    constexpr std::int64_t sum = rows * (rows - 1) / 2;
    constexpr std::int64_t squares = rows * (rows - 1) / 2 * (2 * rows - 1) / 3;
    CHECK(result[0] == sum);
    CHECK(result[1] == rows - sum);
    CHECK(result[2] == squares);
    CHECK(result[3] == sum - squares);
  });
}

TEST_CASE("rounding does not grow with the number of rows") {
  with_floating_target([]<class P>(const Implementation<Sum, P>& implementation) {
    using Storage = typename P::Storage;
    // The exact sum is a square times a power of two. Sequential summation of 40,000 squares would
    // exceed the tolerance.
    constexpr int rows = 1 << 21;
    const auto tenth = static_cast<Storage>(0.1);
    const std::vector<Storage> values(rows, tenth);
    const double expected = rows * (static_cast<double>(tenth) * static_cast<double>(tenth));
    const double sum = sums(implementation, values, 1, terms_of({{0, 0}}))[0];
    CHECK(std::abs(sum - expected) <= 1e-14 * expected);
  });
}

TEST_CASE("weights of one change nothing, doubled weights double") {
  with_floating_target([]<class P>(const Implementation<Sum, P>& implementation) {
    RandomSequence random(7);
    std::vector<typename P::Storage> values;
    for (int i = 0; i < 3000; ++i)
      values.push_back(static_cast<typename P::Storage>(random.uniform()));
    const SumTerms terms = terms_of({{0, -1}, {1, 2}});
    const auto plain = sums(implementation, values, 3, terms);
    const auto ones = sums(implementation, values, 3, terms, std::vector<double>(1000, 1.0));
    const auto twos = sums(implementation, values, 3, terms, std::vector<double>(1000, 2.0));
    for (std::size_t t = 0; t < plain.size(); ++t) {
      CHECK(ones[t] == test::relative(plain[t]).epsilon(1e-13));
      CHECK(twos[t] == test::relative(2 * plain[t]).epsilon(1e-13));
    }
  });
}

TEST_CASE("a not-a-number in the input reaches the sums of its column only") {
  with_floating_target([]<class P>(const Implementation<Sum, P>& implementation) {
    std::vector<typename P::Storage> values(200, 1);
    for (const double bad : {NAN, INFINITY, -INFINITY}) {
      values[100] = static_cast<typename P::Storage>(bad);
      const SumTerms terms = terms_of({{0, -1}, {1, -1}, {0, 1}});
      const auto result = sums(implementation, values, 2, terms);
      CHECK(!std::isfinite(result[0]));
      CHECK(result[1] == 100);
      CHECK(!std::isfinite(result[2]));
      if (!offers(implementation, Determinism::any_order)) continue;
      const auto same = sums(implementation, values, 2, terms, {}, Determinism::any_order);
      CHECK(std::isnan(same[0]));
      CHECK(same[1] == 100);
      CHECK(std::isnan(same[2]));
    }
  });
}

TEST_CASE("what is not finite is found in a column that goes backwards") {
  const Context context = test::context();
  std::vector<double> numbers(9, 1);
  numbers[2] = NAN;
  const Array<double> data(context, numbers);
  const Array<std::uint8_t> in(context, std::vector<std::uint8_t>{1, 0, 1, 1, 1});
  const View<const double, 1> column(data.data() + 8, {5}, {-2});
  const View<const std::uint8_t, 1> backwards(in.data() + 4, {5}, {-1});
  CHECK(first_row(context, column, {}, Search::nan) == 3);
  CHECK(first_row(context, column, backwards, Search::nan) == -1);
}

TEST_CASE("a number that is not finite is named where that is asked for") {
  with_floating_target([]<class P>(const Implementation<Sum, P>& implementation) {
    using Storage = typename P::Storage;
    const SumTerms terms = terms_of({{2, -1}, {0, 2}});
    std::vector<Storage> values(3 * 5000, 1);
    const std::vector<double> weights(5000, 2);
    const auto find = [&](const std::vector<double>& with, const std::vector<std::uint8_t>& mask) {
      return sums(implementation, values, 3, terms, with, Determinism::none, mask, NotFinite::find);
    };
    const auto place = [&](const std::vector<double>& with, const std::vector<std::uint8_t>& mask) {
      try {
        (void)find(with, mask);
      } catch (const NotFiniteError& error) {
        return std::pair{error.row(), error.column()};
      }
      return std::pair{std::int64_t{-7}, std::int64_t{-7}};
    };
    using Place = std::pair<std::int64_t, std::int64_t>;
    CHECK(find({}, {})[0] == 5000);
    values[3 * 7 + 1] = static_cast<Storage>(NAN);  // in a column that no term names
    CHECK(find({}, {})[0] == 5000);
    values[3 * 4321 + 2] = static_cast<Storage>(-INFINITY);
    CHECK(place({}, {}) == Place{4321, 2});
    values[3 * 1234] = static_cast<Storage>(NAN);
    CHECK(place({}, {}) == Place{1234, 0});
    std::vector<std::uint8_t> mask(5000, 1);
    mask[1234] = 0;
    CHECK(place({}, mask) == Place{4321, 2});
    mask[4321] = 0;
    CHECK(find(weights, mask)[0] == 2 * 4998);
    std::vector<double> bad = weights;
    bad[99] = INFINITY;
    CHECK(place(bad, mask) == Place{99, -1});

    std::vector<Storage> huge(3 * 2, std::numeric_limits<Storage>::max());
    if constexpr (std::is_same_v<Storage, double>)
      CHECK_THROWS_AS(
          (void)sums(implementation, huge, 3, terms, {}, Determinism::none, {}, NotFinite::find),
          OverflowError);
  });
}

TEST_CASE("sums that lie apart from each other are looked at where they are") {
  with_floating_target([]<class P>(const Implementation<Sum, P>& implementation) {
    using Storage = typename P::Storage;
    const Context context = test::context();
    const std::vector<Storage> values(3 * 100, 1);
    Array<Storage> data(context, values);
    Array<double> result(context, 6);
    result.fill_bytes(0xff);  // NaN between the sums
    SumArgs<Storage> args;
    args.values = {data.data(), {100, 3}};
    args.terms = terms_of({{2, -1}, {0, 2}});
    args.result = {result.data(), {2}, {3}};
    const auto plan = implementation.make_plan(
        sum_problem(args, Determinism::none, NotFinite::find), context, {});
    plan->prepare(args);
    plan->execute(args);
    CHECK(result.to_host()[0] == 100);
    CHECK(result.to_host()[3] == 100);
  });
}

TEST_CASE("a sum of integers that does not fit is an error") {
  test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) {
    if constexpr (std::is_same_v<typename P::Storage, std::int64_t>) {
      constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
      CHECK(sums(implementation, {most, -most, most}, 1, terms_of({{0, -1}}))[0] == most);
      CHECK(sums(implementation, {-most, -1}, 1, terms_of({{0, -1}}))[0] == -most - 1);
      CHECK_THROWS_AS(sums(implementation, {most, 1}, 1, terms_of({{0, -1}})), OverflowError);
      CHECK_THROWS_AS(sums(implementation, {-most, -2}, 1, terms_of({{0, -1}})), OverflowError);
      // Four times 2^126 is 0 modulo 2^128.
      const std::vector<std::int64_t> large(4, std::numeric_limits<std::int64_t>::min());
      CHECK_THROWS_AS(sums(implementation, large, 1, terms_of({{0, 0}})), OverflowError);
    }
  });
}

TEST_CASE("any_order: shuffled rows give the same bits, and next to no error") {
  with_floating_target([]<class P>(const Implementation<Sum, P>& implementation) {
    using Storage = typename P::Storage;
    if (!offers(implementation, Determinism::any_order)) return;
    // Large numbers that cancel exactly, and small ones whose sum remains.
    constexpr std::size_t rows = 20000;
    RandomSequence random(5);
    std::vector<Storage> values;
    for (std::size_t i = 0; i < rows / 4; ++i) {
      const auto large = static_cast<Storage>(random.uniform(-1e10, 1e10));
      for (const Storage v : {large, static_cast<Storage>(-large), Storage(0.375), Storage(0)})
        values.push_back(v);
    }
    const SumTerms terms = terms_of({{0, -1}, {0, 0}});
    std::vector<double> first;
    for (int shuffle = 0; shuffle < 20; ++shuffle) {
      const auto found = sums(implementation, values, 1, terms, {}, Determinism::any_order);
      CHECK(found[0] == 0.375 * rows / 4);
      if (first.empty()) first = found;
      CHECK(found == first);
      for (std::size_t i = values.size() - 1; i > 0; --i)
        std::swap(values[i], values[random() % (i + 1)]);
    }
  });
}

/// Large numbers that cancel almost completely. All are multiples of 2^-60 and below 2^50.
std::vector<double> ill_conditioned(std::size_t rows) {
  RandomSequence random(17);
  std::vector<double> values;
  while (values.size() < rows) {
    const double large = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(50)));
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(large, 10)), -10);
    const double small = std::ldexp(std::nearbyint(std::ldexp(random.uniform(-1, 1), 52)), -60);
    values.insert(values.end(), {rounded, small, -rounded});
  }
  values.resize(rows - rows % 3);
  return values;
}

/// The exact sum in units of 2^-60.
fixed_point::Integer128 exact_sum(const std::vector<double>& values) {
  fixed_point::Integer128 sum = 0;
  for (const double v : values) {
    int exponent = 0;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(v, &exponent), 53));
    const int shift = exponent - 53 + 60;
    sum += shift >= 0 ? fixed_point::Integer128{mantissa} * (fixed_point::Integer128{1} << shift)
                      : fixed_point::Integer128{mantissa} / (fixed_point::Integer128{1} << -shift);
  }
  return sum;
}

TEST_CASE("any_order: the error on sums that cancel is what is stated") {
  test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) {
    if constexpr (std::is_same_v<typename P::Storage, double>) {
      if (!offers(implementation, Determinism::any_order)) return;
      for (const std::size_t rows : {std::size_t{3}, std::size_t{999}, std::size_t{60000}}) {
        const std::vector<double> values = ill_conditioned(rows);
        double largest = 0;
        for (const double v : values)
          largest = std::fmax(largest, std::fabs(v));
        const double exact = fixed_point::to_double(exact_sum(values), -60);
        const double found =
            sums(implementation, values, 1, terms_of({{0, -1}}), {}, Determinism::any_order)[0];
        // A scale is at most 16 times the largest magnitude; the scale of the weight is at most 16.
        const double bound = static_cast<double>(values.size()) * 0x1p-87 * 16 * largest * 16 +
                             0x1p-53 * std::fabs(exact);
        CHECK(std::fabs(found - exact) <= bound);
      }
    }
  });
}

TEST_CASE("any_order: the bits are those of one thread") {
  with_floating_target([]<class P>(const Implementation<Sum, P>& implementation) {
    using Storage = typename P::Storage;
    if (!offers(implementation, Determinism::any_order)) return;
    constexpr std::size_t columns = 6;
    RandomSequence random(23);
    std::vector<Storage> values;
    std::vector<double> weights;
    for (std::size_t i = 0; i < 30011; ++i) {
      weights.push_back(random.uniform(0, 3));
      for (std::size_t c = 0; c < columns; ++c)
        values.push_back(
            static_cast<Storage>(std::ldexp(random.uniform(-1, 1.1), 3 * static_cast<int>(c))));
    }
    SumTerms terms = terms_of({{-1, -1}});
    for (std::int16_t a = 0; a < 6; ++a)
      for (std::int16_t b = a; b < 6; ++b)
        terms.term[terms.count++] = {a, b};

    std::vector<double> expected(static_cast<std::size_t>(terms.count));
    SumArgs<Storage> args;
    args.values = {values.data(), {static_cast<std::int64_t>(weights.size()), columns}};
    args.weights = {weights.data(), {static_cast<std::int64_t>(weights.size())}};
    args.terms = terms;
    args.result = {expected.data(), {terms.count}};
    const auto& serial = dynamic_cast<const Implementation<Sum, P>&>(
        registry().find("reduction/sum", P::value, "serial.portable"));
    serial.make_plan(sum_problem(args, Determinism::any_order), registry().open("serial"), {})
        ->execute(args);
    CHECK(sums(implementation, values, columns, terms, weights, Determinism::any_order) ==
          expected);
  });
}

/// All first and second moments about an origin of columns of positive numbers, row-major or
/// column-major in memory. With `weighted`, rows have the weights of classes, and a mask excludes
/// every fifth row, whose values are not finite.
template <class P>
std::vector<double> moments_about(const Implementation<Sum, P>& implementation,
                                  const Context& context, std::int64_t columns, bool by_rows,
                                  bool weighted, Determinism determinism) {
  using Storage = typename P::Storage;
  constexpr std::int64_t rows = 30011;
  RandomSequence random(29);
  std::vector<Storage> values(static_cast<std::size_t>(rows * columns));
  std::vector<std::int32_t> classes;
  std::vector<std::uint8_t> mask;
  for (std::int64_t i = 0; i < rows; ++i) {
    classes.push_back(static_cast<std::int32_t>(random.below(3)));
    mask.push_back(i % 5 == 0 ? 0 : 1);
    for (std::int64_t c = 0; c < columns; ++c)
      values[static_cast<std::size_t>(by_rows ? i * columns + c : c * rows + i)] =
          static_cast<Storage>(weighted && mask.back() == 0 ? INFINITY : random.uniform(1, 2));
  }
  const Array<Storage> data(context, values);
  const Array<double> weights(context, std::vector<double>{0.3, 1.7, 20});
  const Array<std::int32_t> weight_class(context, classes);
  const Array<std::uint8_t> in(context, mask);
  std::vector<double> about = {0.9, 0.1, 0.7, -0.3, 0.5, 0.2};
  about.resize(static_cast<std::size_t>(columns));
  const Array<double> origin(context, about);

  SumArgs<Storage> args;
  args.values = {data.data(), {rows, columns}};
  if (!by_rows) args.values = {data.data(), {rows, columns}, {1, rows}};
  if (weighted) {
    args.weights = weights.view();
    args.weight_class = weight_class.view();
    args.mask = in.view();
  }
  args.origin = origin.view();
  args.terms = terms_of({{-1, -1}});
  for (std::int16_t a = 0; a < columns; ++a) {
    args.terms.term[args.terms.count++] = {a, -1};
    for (std::int16_t b = a; b < columns; ++b)
      args.terms.term[args.terms.count++] = {a, b};
  }
  Array<double> result(context, args.terms.count);
  args.result = result.view();
  implementation.make_plan(sum_problem(args, determinism), context, {})->execute(args);
  return result.to_host();
}

TEST_CASE("about an origin, however the values lie: any_order has the bits of one thread") {
  with_floating_target([]<class P>(const Implementation<Sum, P>& implementation) {
    const auto& serial = dynamic_cast<const Implementation<Sum, P>&>(
        registry().find("reduction/sum", P::value, "serial.portable"));
    for (const std::int64_t columns : {1, 2, 3, 6})
      for (const bool by_rows : {true, false})
        for (const bool weighted : {true, false}) {
          CAPTURE(columns);
          CAPTURE(by_rows);
          CAPTURE(weighted);
          const auto expected = moments_about(serial, registry().open("serial"), columns, by_rows,
                                              weighted, Determinism::any_order);
          const auto found = [&](Determinism determinism) {
            return moments_about(implementation, test::context(), columns, by_rows, weighted,
                                 determinism);
          };
          const auto close = found(Determinism::none);
          for (std::size_t t = 0; t < expected.size(); ++t)
            CHECK(close[t] == test::relative(expected[t]).epsilon(1e-13));
          if (offers(implementation, Determinism::any_order))
            CHECK(found(Determinism::any_order) == expected);
        }
  });
}

TEST_CASE("any_order: numbers near the ends of their range") {
  test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) {
    if constexpr (std::is_same_v<typename P::Storage, double>) {
      if (!offers(implementation, Determinism::any_order)) return;
      const auto of = [&](const std::vector<double>& values, SumTerm term) {
        return sums(implementation, values, 1, terms_of({term}), {}, Determinism::any_order)[0];
      };
      constexpr double most = std::numeric_limits<double>::max();
      constexpr double least = std::numeric_limits<double>::denorm_min();
      CHECK(of({most, -most, most}, {0, -1}) == most);
      CHECK(of({most, most}, {0, -1}) == INFINITY);
      CHECK(of({least, least, least}, {0, -1}) == 3 * least);
      CHECK(of({1e200, -1e200}, {0, 0}) == INFINITY);
      CHECK(of({1e-200, 1e-200}, {0, 0}) == 0);
      CHECK(of({1e150, 1e-150}, {0, 0}) == 1e150 * 1e150);
      CHECK(of({-0.0, -0.0}, {0, -1}) == 0);
    }
  });
}

}  // namespace
}  // namespace tessera::reduction
