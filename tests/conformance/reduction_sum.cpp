#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/random.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/support/target.hpp"

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
                                             Determinism determinism = Determinism::none) {
  const Context context = test::context();
  Array<typename P::Storage> data(context, values);
  Array<double> weight(context, weights);
  Array<SumOf<typename P::Storage>> result(context, terms.count);
  result.fill_bytes(0xff);
  SumArgs<typename P::Storage> args;
  args.values = {data.data(), {static_cast<std::int64_t>(values.size()) / columns, columns}};
  if (!weights.empty()) args.weights = weight.view();
  args.terms = terms;
  args.result = result.view();
  const auto plan = implementation.make_plan(sum_problem(args, determinism), context, {});
  plan->prepare(args);
  plan->execute(args);
  return result.to_host();
}

template <class P>
bool offers(const Implementation<Sum, P>& implementation, Determinism determinism) {
  return most_determinism(implementation.info()) >= determinism;
}

/// The property of a target whose numbers are no integers.
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
    // The exact sum is a square times a power of two. Taken one after the other, 40,000 squares are
    // wrong by more than is allowed here.
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
      CHECK(ones[t] == doctest::Approx(plain[t]).epsilon(1e-13));
      CHECK(twos[t] == doctest::Approx(2 * plain[t]).epsilon(1e-13));
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
