#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "physics/pic/reorder/reorder.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

/// \file
/// Properties of pic/reorder that need no oracle.

namespace tessera::pic {
namespace {

template <class P>
struct Bunch {
  using Storage = typename P::Storage;

  Context context = test::context();
  Grid grid;
  std::int64_t particles;
  Array<Storage> coordinates;
  Array<std::uint8_t> alive;
  Array<std::int64_t> ids;
  Array<std::int64_t> counts;

  explicit Bunch(const std::vector<Storage>& of)
      : particles(static_cast<std::int64_t>(of.size() / 6)),
        coordinates(context, of),
        alive(context, std::vector<std::uint8_t>(of.size() / 6, 1)),
        ids(context, numbers(particles)),
        counts(context, 2) {
    for (int a = 0; a < 3; ++a)
      grid.nodes[a] = 4;
  }

  [[nodiscard]] ReorderArgs<Storage> args() {
    return {{coordinates.data(), {particles, 6}},
            {alive.data(), {particles}},
            {},
            {ids.data(), {particles}},
            grid,
            {counts.data(), {2}}};
  }
  void run(const Implementation<Reorder, P>& implementation) {
    const auto plan = implementation.make_plan(reorder_problem(args()), context, {});
    plan->prepare(args());
    plan->execute(args());
  }

  static std::vector<std::int64_t> numbers(std::int64_t n) {
    std::vector<std::int64_t> all;
    for (std::int64_t p = 0; p < n; ++p)
      all.push_back(p);
    return all;
  }
};

TEST_CASE("cells follow each other with x fastest, then who is outside, then who is lost") {
  test::with_target<Reorder>([]<class P>(const Implementation<Reorder, P>& implementation) {
    using Storage = typename P::Storage;
    // Nodes at 0.5, 1.5, 2.5, 3.5: the centers of the cells are 1, 2, 3.
    const auto at = [](double x, double y, double z) {
      return std::vector<Storage>{static_cast<Storage>(x), 0, static_cast<Storage>(y), 0,
                                  static_cast<Storage>(z), 0};
    };
    std::vector<Storage> all;
    for (const auto& particle :
         {at(1, 1, 3), at(9, 1, 1), at(1, 2, 1), at(1, 1, 1), at(2, 1, 1), at(3.5, 1, 1)})
      all.insert(all.end(), particle.begin(), particle.end());
    Bunch<P> bunch(all);
    std::vector<std::uint8_t> alive(6, 1);
    alive[3] = 0;
    bunch.alive = Array<std::uint8_t>(bunch.context, alive);
    bunch.run(implementation);
    CHECK(bunch.ids.to_host() == std::vector<std::int64_t>{4, 5, 2, 0, 1, 3});
    CHECK(bunch.alive.to_host() == std::vector<std::uint8_t>{1, 1, 1, 1, 1, 0});
    CHECK(bunch.counts.to_host() == std::vector<std::int64_t>{4, 5});
    CHECK(bunch.coordinates.to_host()[6] == Storage(3.5));
  });
}

TEST_CASE("what is in order stays as it is") {
  test::with_target<Reorder>([]<class P>(const Implementation<Reorder, P>& implementation) {
    using Storage = typename P::Storage;
    RandomSequence random(6);
    std::vector<Storage> all;
    for (int v = 0; v < 6 * 1000; ++v)
      all.push_back(static_cast<Storage>(4 * random.uniform()));
    Bunch<P> bunch(all);
    bunch.run(implementation);
    const std::vector<std::int64_t> once = bunch.ids.to_host();
    const std::vector<Storage> coordinates = bunch.coordinates.to_host();
    CHECK(once != Bunch<P>::numbers(1000));
    bunch.run(implementation);
    CHECK(bunch.ids.to_host() == once);
    CHECK(bunch.coordinates.to_host() == coordinates);
  });
}

}  // namespace
}  // namespace tessera::pic
