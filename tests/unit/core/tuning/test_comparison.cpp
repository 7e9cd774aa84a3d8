#include "core/base/random.hpp"
#include "core/tuning/comparison.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace tessera {
namespace {

TEST_CASE("the interval of a median is that of the table of the sign test") {
  // Two-sided quantiles of the binomial distribution: n, and the rank of the value from either end.
  struct Row {
    int n, place;
  };
  for (const Row row : {Row{8, 1}, Row{10, 1}, Row{12, 2}, Row{15, 3}, Row{20, 4}, Row{21, 5}}) {
    CAPTURE(row.n);
    std::vector<double> values;
    for (int k = row.n; k >= 1; --k)
      values.push_back(k);
    const Interval interval = median_interval(values, 0.99);
    CHECK(interval.low == row.place);
    CHECK(interval.high == row.n + 1 - row.place);
  }
  CHECK(std::isinf(median_interval({1, 2, 3, 4, 5, 6, 7}, 0.99).high));
  CHECK(std::isinf(median_interval({}, 0.99).low));
  CHECK(least_values(0.99) == 8);
}

TEST_CASE("the interval holds the median as often as it says, of any distribution") {
  RandomSequence random(5);
  constexpr int sets = 2000;
  int missed = 0;
  for (int set = 0; set < sets; ++set) {
    std::vector<double> values;
    // Times around 1, with occasional long delays.
    for (int k = 0; k < 21; ++k)
      values.push_back(std::exp(random.uniform(-1, 1)) * (random() % 4 == 0 ? 20 : 1));
    // The median of the distribution: three quarters are in (1/e, e), uniform in the logarithm.
    const double median = std::exp(-1 + 2 * (0.5 / 0.75));
    const Interval interval = median_interval(values, 0.99);
    missed += interval.low > median || interval.high < median;
  }
  CHECK(missed < 0.02 * sets);
}

TEST_CASE("ratios are of the same rounds") {
  const std::vector<double> slow_rounds{1, 1, 5, 1, 9, 1, 1, 30, 1};
  std::vector<double> half = slow_rounds;
  for (double& s : half)
    s *= 0.5;
  const Ratio ratio = ratio_of(half, slow_rounds);
  CHECK(ratio.median == 0.5);
  CHECK(ratio.interval == Interval{0.5, 0.5});
  CHECK(ratio.gain() == 2);
  CHECK(ratio.rounds == 9);
  CHECK(!unsupported(ratio.gains(), 0.1));
  CHECK(noise_of(ratio_of(slow_rounds, slow_rounds)) == 0);
}

TEST_CASE("a gain needs an interval beyond the noise") {
  CHECK(!unsupported({1.2, 1.4}, 0.1));
  CHECK(unsupported({1.1, 1.4}, 0.1));  // 1.1 x 0.9 < 1
  CHECK(unsupported({0.9, 7.3}, 0.01));
  CHECK(unsupported({1.004, 1.005}, 0));  // below the smallest gain
  CHECK(unsupported({6.9, 7.5}, 0.62));   // with that noise the load determines which is faster
  CHECK(too_noisy(0.21));
  CHECK(!too_noisy(0.2));
  CHECK(*too_noisy(std::numeric_limits<double>::infinity()) == "too few rounds were compared");
  CHECK(too_noisy(std::nan("")));
  CHECK(std::isinf(noise_of(Ratio{})));
  CHECK(std::isinf(noise_of(ratio_of({1, 1, 1}, {1, 1, 1}))));
}

}  // namespace
}  // namespace tessera
