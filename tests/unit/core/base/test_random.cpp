#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/execution/grow_until_fits.hpp"
#include "physics/md/coincident_atoms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tessera {
namespace {

TEST_CASE("a sequence of random numbers depends on its seed alone and is even") {
  RandomSequence one(7);
  RandomSequence same(7);
  RandomSequence other(8);
  double sum = 0;
  int differ = 0;
  std::vector<int> counts(6);
  for (int i = 0; i < 60000; ++i) {
    const double u = one.uniform();
    REQUIRE(u == same.uniform());
    differ += u != other.uniform();
    REQUIRE((u >= 0 && u < 1));
    sum += u;
    ++counts[static_cast<std::size_t>(other.below(6))];
  }
  CHECK(differ == 60000);
  CHECK(std::abs(sum / 60000 - 0.5) < 0.005);
  for (const int count : counts)
    CHECK(std::abs(count - 10000) < 500);
  const double u = one.uniform(-3, 5);
  CHECK((u >= -3 && u < 5));
  std::vector<int> cards(52);
  std::iota(cards.begin(), cards.end(), 0);
  std::shuffle(cards.begin(), cards.end(), one);
  CHECK(!std::is_sorted(cards.begin(), cards.end()));
}

TEST_CASE("a capacity grows until what is tried fits, and not beyond its index") {
  std::vector<std::int32_t> tried;
  const auto needs = [&](std::int64_t needed) {
    return [&tried, needed](std::int32_t capacity) {
      tried.push_back(capacity);
      return needed;
    };
  };
  CHECK(grow_until_fits(96, needs(96)) == 96);
  CHECK(tried.size() == 1);
  CHECK(grow_until_fits(96, needs(97)) == 112);
  CHECK(tried.size() == 3);
  CHECK_THROWS_AS((void)grow_until_fits(1, needs(std::int64_t{1} << 31)), ArgumentError);
}

TEST_CASE("two atoms at one place are named in order, by their ids where they have any") {
  const md::CoincidentAtoms plain(5, 2);
  CHECK(plain.first() == 2);
  CHECK(plain.second() == 5);
  CHECK(std::string(plain.what()) ==
        "atoms 2 and 5 have the same position: their force is not defined");
  const std::vector<std::int64_t> ids{40, 30};
  const md::CoincidentAtoms named(1, 0, ids);
  CHECK(named.particles() == std::vector<std::int64_t>{0, 1});
  CHECK(std::string(named.what()) ==
        "atoms with ids 40 and 30 have the same position: their force is not defined");
}

}  // namespace
}  // namespace tessera
