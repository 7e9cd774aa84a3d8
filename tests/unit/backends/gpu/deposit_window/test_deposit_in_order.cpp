#include "backends/gpu/deposit_window/choice.hpp"
#include "backends/gpu/deposit_window/shares.hpp"
#include "core/base/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

// Tests the choice of the windows of cuda.window on the host.

namespace tessera::gpu::deposit_window {
namespace {

pic::GridAxes axes(std::int32_t x, std::int32_t y, std::int32_t z, bool periodic = false) {
  pic::GridAxes axes;
  const std::int32_t cells[3] = {x, y, z};
  for (int a = 0; a < 3; ++a) {
    axes.axis[a].cells = cells[a];
    axes.axis[a].nodes = periodic ? cells[a] : cells[a] + 1;
    axes.axis[a].periodic = periodic;
  }
  return axes;
}

TEST_CASE("cuda.window: segments in one place share a window, wider than their sample") {
  const Bounds segments[4] = {{{10, 20, 5}, {30, 24, 6}},
                              {{12, 21, 5}, {31, 25, 6}},
                              {{9, 22, 5}, {28, 26, 6}},
                              {{10, 23, 5}, {29, 27, 6}}};
  const Choice choice = choose(segments, 0, 4, axes(63, 63, 511), 1, 6144);
  CHECK(choice.end == 4);
  const Window window = window_of(choice.bounds, 1);
  CHECK(window.size <= 6144);
  for (const Bounds& segment : segments)
    CHECK(window.holds(segment, 1));
  CHECK(choice.bounds.least[0] == 7);
  CHECK(choice.bounds.most[0] == 33);
  CHECK(choice.bounds.least[1] == 19);
  CHECK(choice.bounds.most[1] == 28);
  CHECK(choice.bounds.least[2] == 5);
  CHECK(choice.bounds.most[2] == 6);
}

TEST_CASE("cuda.window: a window is no larger than there is room, and on the grid") {
  RandomSequence random(3);
  for (const bool periodic : {false, true})
    for (int round = 0; round < 2000; ++round) {
      const pic::GridAxes grid = axes(20, 16, 40, periodic);
      std::vector<Bounds> segments;
      for (int s = 0; s < 8; ++s) {
        Bounds bounds = Bounds::none();
        const std::int64_t seen = random.below(4);
        for (std::int64_t n = 0; n < seen; ++n) {
          std::int32_t low[3];
          for (int a = 0; a < 3; ++a)
            low[a] = static_cast<std::int32_t>(random.below(grid.axis[a].cells));
          bounds.take(low);
        }
        segments.push_back(bounds);
      }
      const int order = 1 + round % 3;
      const std::int32_t capacity = 200 << (round % 5);
      int begin = 0;
      while (begin < 8) {
        const Choice choice = choose(segments.data(), begin, 8, grid, order, capacity);
        REQUIRE(choice.end > begin);
        REQUIRE(choice.end <= 8);
        const Window window = window_of(choice.bounds, order);
        CHECK(window.size <= capacity);
        if (window_of(segments[static_cast<std::size_t>(begin)], order).size > capacity) {
          CHECK(choice.bounds.empty());
          CHECK(choice.end == begin + 1);
        } else {
          for (int s = begin; s < choice.end; ++s)
            CHECK(window.holds(segments[static_cast<std::size_t>(s)], order));
        }
        if (!choice.bounds.empty())
          for (int a = 0; a < 3; ++a) {
            CHECK(choice.bounds.most[a] - choice.bounds.least[a] < grid.axis[a].cells);
            if (periodic) continue;
            CHECK(choice.bounds.least[a] >= 0);
            CHECK(choice.bounds.most[a] < grid.axis[a].cells);
          }
        begin = choice.end;
      }
    }
}

TEST_CASE("cuda.window: of particles off the grid there is no window") {
  const Bounds segments[2] = {Bounds::none(), Bounds::none()};
  const Choice choice = choose(segments, 0, 2, axes(63, 63, 63), 1, 4096);
  CHECK(choice.bounds.empty());
  CHECK(choice.end == 2);
  CHECK(window_of(choice.bounds, 1).size == 0);
}

/// Checks that the shares of a particle, added in the way of cuda.window, equal those of
/// pic::SharedParticle with WholeNumber.
void check_exact_shares(double whole, const double (&fraction)[3]) {
  const std::int32_t low[3] = {0, 0, 0};
  std::int64_t expected[8];
  pic::SharedParticle<1, double>(low, fraction)
      .share_out(WholeNumber(whole), [&](int i, int j, int k, const WholeNumber& share) {
        expected[i + 2 * j + 4 * k] = static_cast<std::int64_t>(share.value);
      });
  for (const bool short_ones : {false, true}) {
    if (short_ones && std::abs(whole) > 0x1p51) continue;
    const Shares shares = shares_of<true>(fraction, whole, short_ones);
    std::int64_t sum = 0;
    for (int n = 0; n < 8; ++n) {
      const Words words = shares.words(n);
      const std::int64_t share = integer_of(words.low, words.high);
      CHECK(share == expected[n]);
      sum += share;
    }
    CHECK(sum == static_cast<std::int64_t>(whole));
  }
}

TEST_CASE("cuda.window: shares in integers are those of whole numbers, bit by bit") {
  RandomSequence random(11);
  for (int n = 0; n < 20000; ++n) {
    const auto place = [&] {
      return n % 7 == 0 ? 0.5 * static_cast<double>(random.below(3)) : random.uniform();
    };
    const double fraction[3] = {place(), place(), place()};
    const std::int64_t largest = std::int64_t{1} << n % 53;
    for (const std::int64_t whole : {largest, -largest, random.below(largest + 1)})
      check_exact_shares(static_cast<double>(whole), fraction);
  }
}

TEST_CASE("cuda.window: shares of numbers are the nearest integers") {
  RandomSequence random(12);
  for (int n = 0; n < 1000; ++n) {
    const double fraction[3] = {random.uniform(), random.uniform(), random.uniform()};
    const double whole = std::ldexp(random.uniform() - 0.5, 45);
    const Shares shares = shares_of<false>(fraction, whole, true);
    for (int i = 0; i < 8; ++i) {
      double share = whole;
      for (int a = 0; a < 3; ++a)
        share *= (i >> a & 1) != 0 ? fraction[a] : 1 - fraction[a];
      const Words words = shares.words(i);
      CHECK(std::abs(static_cast<double>(integer_of(words.low, words.high)) - share) <= 0.51);
    }
  }
}

}  // namespace
}  // namespace tessera::gpu::deposit_window
