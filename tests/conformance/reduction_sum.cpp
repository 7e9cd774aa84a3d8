#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <tessera/core/base/random.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <vector>

#include "tests/support/target.hpp"

/// \file
/// Properties of reduction/sum that need no oracle.

namespace tessera::reduction {
namespace {

/// Sums of `values` (row-major, `columns` wide) by the target.
template <class P>
std::vector<double> sums(const Implementation<Sum, P>& implementation,
                         const std::vector<typename P::Storage>& values, std::int64_t columns,
                         const SumTerms& terms, const std::vector<double>& weights = {}) {
  const Context context = test::context();
  Array<typename P::Storage> data(context, values);
  Array<double> weight(context, weights);
  Array<double> result(context, terms.count);
  result.fill_bytes(0xff);
  SumArgs<typename P::Storage> args;
  args.values = {data.data(), {static_cast<std::int64_t>(values.size()) / columns, columns}};
  if (!weights.empty()) args.weights = weight.view();
  args.terms = terms;
  args.result = result.view();
  const auto plan = implementation.make_plan(sum_problem(args), context, {});
  plan->prepare(args);
  plan->execute(args);
  return result.to_host();
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
    const double sum = rows * (rows - 1) / 2;
    const double squares = static_cast<double>(rows * (rows - 1) / 2 * (2 * rows - 1) / 3);
    CHECK(result[0] == sum);
    CHECK(result[1] == rows - sum);
    CHECK(result[2] == squares);
    CHECK(result[3] == sum - squares);
  });
}

TEST_CASE("rounding does not grow with the number of rows") {
  test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) {
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
  test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) {
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
  test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) {
    std::vector<typename P::Storage> values(200, 1);
    values[100] = NAN;
    const auto result = sums(implementation, values, 2, terms_of({{0, -1}, {1, -1}}));
    CHECK(std::isnan(result[0]));
    CHECK(result[1] == 100);
  });
}

}  // namespace
}  // namespace tessera::reduction
