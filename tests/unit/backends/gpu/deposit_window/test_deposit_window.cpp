#include "backends/gpu/deposit_window/fixed_words.hpp"
#include "backends/gpu/deposit_window/parameters.hpp"
#include "backends/gpu/deposit_window/positions.hpp"
#include "backends/gpu/deposit_window/window.hpp"
#include "core/base/random.hpp"
#include "physics/pic/charge_deposit/fixed_point_deposit.hpp"
#include "physics/pic/particle_shape.hpp"
#include "tests/support/candidates.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

// Compares the arithmetic of cuda.window, on the host, with 64-bit integers.

namespace tessera::gpu::deposit_window {
namespace {

/// A node of a window: a 64-bit integer in two words, to which threads add in any order.
struct Node {
  std::uint32_t low = 0;
  std::uint32_t high = 0;

  /// Adds the low and then the high word; other threads may add between the two steps.
  void add(const Words& words) { high += high_with_carry(words, add_low(words)); }
  std::uint32_t add_low(const Words& words) {
    const std::uint32_t before = low;
    low += words.low;
    return before;
  }
  [[nodiscard]] std::int64_t sum() const { return integer_of(low, high); }
};

std::int64_t integer_of(const Words& words) {
  return deposit_window::integer_of(words.low, words.high);
}

TEST_CASE("cuda.window: words of the nearest integer are those of 64 bits") {
  const double largest = std::ldexp(1.0, nearest_bits);
  for (const double number :
       {0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1.0, -1.0, 4294967295.0, 4294967296.0,
        -4294967296.0, -4294967297.0, largest, -largest, largest - 1, 1 - largest})
    CHECK(integer_of(nearest_words(number)) == static_cast<std::int64_t>(std::rint(number)));
  RandomSequence random(7);
  for (int n = 0; n < 20000; ++n) {
    const double number = std::ldexp(random.uniform(-1, 1), n % (nearest_bits + 1));
    CHECK(integer_of(nearest_words(number)) == static_cast<std::int64_t>(std::rint(number)));
  }
  for (const std::int64_t integer : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 52,
                                     INT64_MAX, INT64_MIN, std::int64_t{0x123456789abcdef}})
    CHECK(integer_of(words_of_integer(integer)) == integer);
}

TEST_CASE("cuda.window: additions to two words make the sum of 64 bits, in whatever order") {
  RandomSequence random(11);
  for (int round = 0; round < 50; ++round) {
    const bool both_signs = round % 2 == 1;
    std::vector<Words> words;
    std::int64_t expected = 0;
    for (int n = 0; n < 2048; ++n) {
      const double share =
          std::ldexp(random.uniform(both_signs ? -1 : 0, 1), round % (nearest_bits + 1));
      words.push_back(nearest_words(share));
      expected += static_cast<std::int64_t>(std::rint(share));
    }
    Node node;
    for (const Words& share : words)
      node.add(share);
    CHECK(node.sum() == expected);
    // Adds all low words first, and then the high words from the last to the first.
    Node late;
    std::vector<std::uint32_t> high;
    for (const Words& share : words)
      high.push_back(high_with_carry(share, late.add_low(share)));
    std::reverse(high.begin(), high.end());
    for (const std::uint32_t word : high)
      late.high += word;
    CHECK(late.sum() == expected);
  }
}

TEST_CASE("cuda.window: all particles of a block may lie on one node") {
  for (const int together : {1, 8, 16})
    for (const int particles : {0, 1, 33, 64, 2048, 3000, 4096}) {
      CAPTURE(together);
      CAPTURE(particles);
      const int exponent = block_unit_exponent(particles, together);
      CHECK(together * std::ldexp(1.0, exponent) <= std::ldexp(1.0, nearest_bits));
      CHECK(particles * std::ldexp(1.0, exponent) <= 0x1p62);
      // One more bit would exceed one of the two limits.
      CHECK((2 * together * std::ldexp(1.0, exponent) > 0x1p50 ||
             2 * particles * std::ldexp(1.0, exponent) > 0x1p61));
      for (const double sign : {1.0, -1.0}) {
        Node node;
        for (int n = 0; n < particles; n += together)
          node.add(
              nearest_words(sign * std::min(together, particles - n) * std::ldexp(1.0, exponent)));
        CHECK(std::ldexp(static_cast<double>(node.sum()), -exponent) == sign * particles);
      }
    }
}

template <int Order>
void check_whole_numbers(std::int64_t whole, double fraction) {
  const pic::ParticleShape<Order, double> shape(fraction);
  std::int64_t expected[Order + 1];
  shape.split(whole, expected);
  WholeNumber found[Order + 1];
  shape.split(WholeNumber(static_cast<double>(whole)), found);
  for (int n = 0; n <= Order; ++n) {
    CHECK(found[n].value == static_cast<double>(expected[n]));
    CHECK(integer_of(words_of(found[n], false)) == expected[n]);
    if (std::abs(whole) <= std::int64_t{1} << nearest_bits)
      CHECK(integer_of(words_of(found[n], true)) == expected[n]);
  }
}

TEST_CASE("cuda.window: whole numbers in doubles have the shares of integers, bit by bit") {
  RandomSequence random(5);
  for (int n = 0; n < 20000; ++n) {
    const double fraction = n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 0.5 : random.uniform();
    const int bits = n % 53;
    for (const std::int64_t whole :
         {std::int64_t{1} << bits, -(std::int64_t{1} << bits), std::int64_t{0},
          random.below((std::int64_t{1} << bits) + 1)}) {
      check_whole_numbers<1>(whole, fraction);
      check_whole_numbers<2>(whole, fraction);
      check_whole_numbers<3>(whole, fraction);
    }
  }
}

TEST_CASE("cuda.window: every node that shares a particle has a place of its own in the window") {
  RandomSequence random(3);
  for (int order = 1; order <= 3; ++order)
    for (int round = 0; round < 200; ++round) {
      Bounds bounds = Bounds::none();
      CHECK(bounds.empty());
      CHECK(window_of(bounds, order).size == 0);
      std::vector<std::array<std::int32_t, 3>> lows;
      for (int n = 0; n < 20; ++n) {
        std::int32_t low[3];
        for (int a = 0; a < 3; ++a)
          low[a] = static_cast<std::int32_t>(random.below(3 + 4 * a) + 1000 * a - 5);
        lows.push_back({low[0], low[1], low[2]});
        bounds.take(low);
      }
      const Window window = window_of(bounds, order);
      std::set<std::int32_t> places;
      for (std::int32_t z = 0; z < window.nodes[2]; ++z)
        for (std::int32_t y = 0; y < window.nodes[1]; ++y)
          for (std::int32_t x = 0; x < window.nodes[0]; ++x)
            places.insert(x + y * window.step[1] + z * window.step[2]);
      CHECK(static_cast<std::int32_t>(places.size()) == window.count());
      CHECK(*places.begin() == 0);
      CHECK(*places.rbegin() < window.size);
      CHECK(window.step[1] % 2 == 1);
      CHECK(window.step[2] % 2 == 1);
      for (const auto& at : lows) {
        const std::int32_t low[3] = {at[0], at[1], at[2]};
        const std::int32_t last =
            window.place(low) + order * (window.step[0] + window.step[1] + window.step[2]);
        CHECK(places.contains(window.place(low)));
        CHECK(places.contains(last));
        for (int a = 0; a < 3; ++a)
          CHECK(low[a] + order < window.first[a] + window.nodes[a]);
      }
    }
}

TEST_CASE("cuda.window: a window that no memory holds has no size that fits") {
  Bounds bounds{{0, 0, 0}, {1 << 21, 1 << 21, 1 << 21}};
  CHECK(window_of(bounds, 1).size == INT32_MAX);
  bounds = {{0, 0, 5}, {1 << 20, 1 << 20, 5}};
  CHECK(window_of(bounds, 1).size == INT32_MAX);
}

TEST_CASE("cuda.window: a window holds what shares its nodes alone") {
  const Window window = window_of({{2, 3, 4}, {5, 6, 7}}, 2);
  CHECK(window.holds(Bounds::none(), 2));
  CHECK(window.holds({{2, 3, 4}, {5, 6, 7}}, 2));
  CHECK(window.holds({{3, 3, 4}, {3, 3, 4}}, 2));
  CHECK(window.holds({{2, 3, 4}, {6, 6, 7}}, 1));
  for (int a = 0; a < 3; ++a) {
    Bounds bounds{{2, 3, 4}, {5, 6, 7}};
    --bounds.least[a];
    CHECK(!window.holds(bounds, 2));
    ++bounds.least[a];
    ++bounds.most[a];
    CHECK(!window.holds(bounds, 2));
  }
}

TEST_CASE("cuda.window: images of nodes around a seam are near each other, and are their nodes") {
  for (const std::int32_t nodes : {1, 2, 3, 7, 512})
    for (std::int32_t reference = 0; reference < nodes; ++reference)
      for (std::int32_t low = 0; low < nodes; ++low) {
        const std::int32_t image = nearest_image(low, reference, nodes);
        CHECK(2 * std::abs(image - reference) <= nodes);
        CHECK(node_of_image(image, nodes) == low);
        for (std::int32_t above = 0; above <= 3; ++above)
          CHECK(node_of_image(image + above, nodes) == (low + above) % nodes);
      }
}

TEST_CASE("cuda.window: rows and planes of a window by a reciprocal") {
  for (const std::int32_t d : {1, 2, 3, 5, 7, 31, 33, 64, 127, 1000, 4093, 28672}) {
    // The reciprocal on the device has an error of up to one unit in the last place.
    const float inverse = 1.0f / static_cast<float>(d);
    for (const float off : {std::nextafter(inverse, 0.0f), inverse, std::nextafter(inverse, 2.0f)})
      for (std::int32_t n = 0; n < 28672; ++n)
        if (quotient(n, off) != n / d) FAIL(n << " / " << d << " became " << quotient(n, off));
  }
}

template <class Place>
void check_places(const int (&log2_cells)[3], const int (&last)[3], double most_error) {
  RandomSequence random(13);
  for (int n = 0; n < 20000; ++n) {
    int cell[3];
    double fraction[3];
    for (int a = 0; a < 3; ++a) {
      cell[a] = n % 3 == a ? last[a] : static_cast<int>(random.below(last[a] + 1));
      // Fractions with the rounding of a position on a grid of up to 512 spacings.
      const double place = 64.0 * (n % 8) + cell[a] + random.uniform();
      fraction[a] = place - (64.0 * (n % 8) + cell[a]);
      if (n % 11 == a) fraction[a] = 0;
      if (n % 13 == a) fraction[a] = 0x1.fffffffffffffp-1;
      if (n % 17 == a && cell[a] == last[a]) fraction[a] = 1;
    }
    int found[3];
    double of_cell[3];
    Place::pack(cell, fraction, log2_cells).unpack(last, log2_cells, found, of_cell);
    for (int a = 0; a < 3; ++a) {
      // The end of a cell may be represented as the beginning of the next one.
      const double error = found[a] + of_cell[a] - (cell[a] + fraction[a]);
      CHECK(std::abs(error) <= most_error);
      CHECK(found[a] <= last[a]);
      CHECK(of_cell[a] >= 0);
      CHECK(of_cell[a] <= 1);
    }
  }
}

TEST_CASE("cuda.window: places in a bin are exact, or packed to a part of the tile") {
  check_places<PackedPosition<0>>({4, 4, 3}, {15, 15, 7}, 0x1p-39);
  check_places<PackedPosition<0>>({4, 4, 3}, {5, 15, 0}, 0x1p-39);
  check_places<PackedPosition<0>>({3, 3, 2}, {7, 7, 3}, 0x1p-40);
  check_places<PackedPosition<0>>({4, 4, 4}, {15, 15, 15}, 0x1p-38);
  check_places<PackedPosition<1>>({4, 4, 3}, {15, 15, 7}, 0x1p-39);
}

TEST_CASE("cuda.window: with a spare bit packed places keep what is rounded, bit by bit") {
  RandomSequence random(19);
  const int log2_cells[3] = {4, 4, 3};
  const int last[3] = {15, 15, 7};
  for (int n = 0; n < 20000; ++n) {
    int cell[3];
    double fraction[3];
    for (int a = 0; a < 3; ++a) {
      cell[a] = n % 3 == a ? last[a] : static_cast<int>(random.below(last[a] + 1));
      fraction[a] = std::ldexp(std::floor(std::ldexp(random.uniform(), pic::rounded_position_bits)),
                               -pic::rounded_position_bits);
      if (n % 11 == a) fraction[a] = 0;
      if (n % 13 == a) fraction[a] = 1 - std::ldexp(1.0, -pic::rounded_position_bits);
      if (n % 17 == a && cell[a] == last[a]) fraction[a] = 1;
    }
    int found[3];
    double of_cell[3];
    PackedPosition<1>::pack(cell, fraction, log2_cells).unpack(last, log2_cells, found, of_cell);
    for (int a = 0; a < 3; ++a) {
      CHECK(found[a] == cell[a]);
      CHECK(of_cell[a] == fraction[a]);
      CHECK(PackedPosition<1>::unit(a, log2_cells) == pic::rounded_position_bits);
    }
  }
}

TEST_CASE("cuda.window: wide places keep cell and fraction of a place on the grid, bit by bit") {
  RandomSequence random(17);
  const int last[3] = {7, 7, 7};
  const int log2_cells[3] = {3, 3, 3};
  for (int n = 0; n < 20000; ++n) {
    int cell[3];
    double fraction[3];
    for (int a = 0; a < 3; ++a) {
      const double place = std::ldexp(random.uniform(), n % 12);
      const double below = std::floor(place);
      cell[a] = static_cast<int>(below) % 8;
      fraction[a] = place - below;
    }
    if (n % 5 == 0) {
      cell[1] = 7;
      fraction[1] = 1;
    }
    int found[3];
    double of_cell[3];
    WidePosition::pack(cell, fraction, log2_cells).unpack(last, log2_cells, found, of_cell);
    for (int a = 0; a < 3; ++a) {
      CHECK(found[a] == cell[a]);
      CHECK(of_cell[a] == fraction[a]);
    }
  }
}

TEST_CASE("cuda.window: each algorithm makes the parameters canonical that it does not read") {
  Parameters parameters;
  CHECK(parameters == parameters.canonical());
  parameters.nodes = 3072;
  parameters.bin_chunk = 4096;
  CHECK(parameters.canonical() == Parameters{});
  parameters.algorithm = Algorithm::window;
  Parameters expected;
  expected.algorithm = Algorithm::window;
  expected.nodes = 3072;
  CHECK(parameters.canonical() == expected);
  parameters.algorithm = Algorithm::bins;
  expected = {};
  expected.algorithm = Algorithm::bins;
  expected.bin_chunk = 4096;
  CHECK(parameters.canonical() == expected);
}

TEST_CASE("cuda.window: candidates of the default space, and what no problem allows") {
  const std::vector<Parameters> candidates = test::candidates<Parameters>();
  CHECK(std::count(candidates.begin(), candidates.end(), Parameters{}) == 1);
  if (!wide_tune_space) CHECK(candidates.size() == 2 + 2 * 3 * 2 + 3 * 2 * 2);
  for (const Parameters& candidate : candidates)
    CHECK(candidate.canonical().canonical() == candidate);
  const auto refused = [](const char* name, std::int64_t value) {
    return test::message_of([&] { (void)make_parameters<Parameters>({{name, value}}); });
  };
  for (const int count : {0, 16, 48, 512})
    CHECK(refused("threads", count).find("a power of two from 32 to 256") != std::string::npos);
  for (const int count : {0, 16, 48, 768, 2048})
    CHECK(refused("bin_threads", count).find("a power of two from 32 to 1024") !=
          std::string::npos);
  for (const int count : {0, 128, 10000, 1 << 21})
    CHECK(refused("particles", count).find("a power of two from the threads") != std::string::npos);
  for (const int count : {0, 62, 4098, 30000})
    CHECK(refused("nodes", count).find("a multiple of 4") != std::string::npos);
  for (const int count : {1, 34})
    CHECK(refused("group", count).find("a group from 2 to 33") != std::string::npos);
  CHECK(refused("bin_chunk", 100).find("a bin_chunk from 256") != std::string::npos);
  CHECK(refused("pack_min_density", -1).find("pack_min_density 0") != std::string::npos);
}

}  // namespace
}  // namespace tessera::gpu::deposit_window
