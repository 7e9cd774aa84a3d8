#include "core/memory/array.hpp"
#include "physics/md/wrap/wrap.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

/// \file
/// Properties of md/wrap that need no oracle.

namespace tessera::md {
namespace {

template <class P>
struct Wrapped {
  std::vector<typename P::Storage> positions;
  std::vector<std::int32_t> images;
};

template <class P>
Wrapped<P> wrap(const Implementation<Wrap, P>& implementation, const Wrapped<P>& start,
                const Box& box) {
  const Context context = test::context();
  Array<typename P::Storage> positions(context, start.positions);
  Array<std::int32_t> images(context, start.images);
  const auto plan = implementation.make_plan({positions.size() / 3}, context, {});
  plan->execute({positions.rows(3), images.rows(3), box});
  return {positions.to_host(), images.to_host()};
}

TEST_CASE("crossings are counted, with their sign") {
  test::with_target<Wrap>([]<class P>(const Implementation<Wrap, P>& implementation) {
    const Box box{{-2, 0, 0}, {4, 8, 16}, {true, true, true}};
    const Wrapped<P> out = wrap(implementation, {{2.5, -1, 33, -2, 8, 0}, {0, 0, 0, 5, 5, 5}}, box);
    CHECK(out.positions == std::vector<typename P::Storage>{-1.5, 7, 1, -2, 0, 0});
    CHECK(out.images == std::vector<std::int32_t>{1, -1, 2, 5, 6, 5});
  });
}

TEST_CASE("directions that are not periodic are left alone") {
  test::with_target<Wrap>([]<class P>(const Implementation<Wrap, P>& implementation) {
    const Box box{{0, 0, 0}, {4, 4, 4}, {false, true, false}};
    const Wrapped<P> out = wrap(implementation, {{-9, 5, 77}, {0, 0, 0}}, box);
    CHECK(out.positions == std::vector<typename P::Storage>{-9, 1, 77});
    CHECK(out.images == std::vector<std::int32_t>{0, 1, 0});
  });
}

TEST_CASE("in a tilted box whole edges are counted") {
  test::with_target<Wrap>([]<class P>(const Implementation<Wrap, P>& implementation) {
    // a = (4, 0, 0), b = (2, 8, 0), c = (-8, 4, 16)
    const Box box{{1, 0, -2}, {4, 8, 16}, {true, true, true}, {2, -8, 4}};
    // The position with fractions of 1/4 along a, b and c is
    // (1 + 1 + 0.5 - 2, 2 + 1, 4 - 2) = (0.5, 3, 2). The test wraps it and three other images.
    const std::vector<typename P::Storage> inside = {0.5, 3, 2};
    const Wrapped<P> out = wrap(implementation,
                                {{0.5, 3, 2, 2.5, 11, 2, -7.5, 7, 18, 6.5 + 16, -5 - 8, 2 - 32},
                                 {0, 0, 0, 0, 0, 0, 3, 3, 3, 0, 0, 0}},
                                box);
    for (std::size_t i = 0; i < 12; ++i)
      CHECK(out.positions[i] == inside[i % 3]);
    CHECK(out.images == std::vector<std::int32_t>{0, 0, 0, 0, 1, 0, 3, 3, 4, 2, -1, -2});
  });
}

TEST_CASE("image flags stay at the end of their range, and what is not finite stays as it is") {
  test::with_target<Wrap>([]<class P>(const Implementation<Wrap, P>& implementation) {
    using Storage = typename P::Storage;
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
    constexpr Storage infinity = std::numeric_limits<Storage>::infinity();
    const auto far = static_cast<Storage>(1e35);
    for (const double tilt : {0.0, 1.0}) {
      const Box box{{0, 0, 0}, {4, 4, 4}, {true, true, true}, {tilt, 0, 0}};
      const Wrapped<P> out =
          wrap(implementation,
               {{9, -9, 1, 1, 1, far, 1, 1, -far, std::nanf(""), 1, 1, 1, infinity, 1},
                {most, least, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7}},
               box);
      CHECK(out.images[0] == most);
      CHECK(out.images[1] == least);
      CHECK(out.images[5] == most);
      CHECK(out.images[8] == least);
      CHECK(std::isnan(out.positions[9]));
      CHECK(out.positions[13] == infinity);
      CHECK(out.images[12] == 7);
      CHECK(out.images[13] == 7);
    }
  });
}

TEST_CASE("an atom that rounds up to the far face has crossed it") {
  test::with_target<Wrap>([]<class P>(const Implementation<Wrap, P>& implementation) {
    using Storage = typename P::Storage;
    constexpr bool wide = sizeof(Storage) == 8;
    const double low = wide ? 1e9 : 4096;
    const double length = 0.7;
    const Box box{{low, low, low}, {length, length, length}, {true, true, true}};
    Wrapped<P> start;
    for (int i = 0; i < 3000; ++i) {
      start.positions.push_back(static_cast<Storage>(low + 0.0071 * (i - 1500)));
      start.images.push_back(0);
    }
    const Wrapped<P> out = wrap(implementation, start, box);
    double worst = 0;
    for (std::size_t i = 0; i < start.positions.size(); ++i)
      worst = std::fmax(worst,
                        std::abs(static_cast<double>(out.positions[i]) -
                                 static_cast<double>(start.positions[i]) + out.images[i] * length));
    CHECK(worst < (wide ? 1e-6 : 0.01));
  });
}

TEST_CASE("what is wrapped stays where it is") {
  test::with_target<Wrap>([]<class P>(const Implementation<Wrap, P>& implementation) {
    for (const double tilt : {0.0, 0.7}) {
      const Box box{{1, -7, 0.1}, {3.3, 5.7, 107.7}, {true, true, true}, {tilt, 5 * tilt, -tilt}};
      Wrapped<P> start;
      for (int i = 0; i < 999; ++i) {
        start.positions.push_back(static_cast<typename P::Storage>(0.37 * i - 150));
        start.images.push_back(0);
      }
      const Wrapped<P> once = wrap(implementation, start, box);
      const Wrapped<P> twice = wrap(implementation, once, box);
      CHECK(once.positions == twice.positions);
      CHECK(once.images == twice.images);
    }
  });
}

}  // namespace
}  // namespace tessera::md
