#include "core/base/random.hpp"
#include "physics/md/box.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/pair_force/skin_budget.hpp"
#include "physics/md/reduced_box.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::md {
namespace {

double norm(const Vec3<double>& r) {
  return std::sqrt(dot(r, r));
}

Box random_box(RandomSequence& random, double largest_tilt) {
  Box box;
  for (int d = 0; d < 3; ++d)
    box.length[d] = random.uniform(5, 12);
  box.tilt[0] = random.uniform(-largest_tilt, largest_tilt) * box.length[0];
  box.tilt[1] = random.uniform(-largest_tilt, largest_tilt) * box.length[0];
  box.tilt[2] = random.uniform(-largest_tilt, largest_tilt) * box.length[1];
  return box;
}

/// The shortest image of r, by trying all images of the reduced box around the central one.
Vec3<double> shortest_image(const Box& box, Vec3<double> r) {
  const Box small = reduced(box, least_tilt(box));
  const Vec3<double> s =
      small.shares(r + Vec3<double>{small.lower[0], small.lower[1], small.lower[2]});
  r = r - small.edges({std::nearbyint(s.x), std::nearbyint(s.y), std::nearbyint(s.z)});
  Vec3<double> best = r;
  for (int a = -2; a <= 2; ++a)
    for (int b = -2; b <= 2; ++b)
      for (int c = -2; c <= 2; ++c) {
        const Vec3<double> image = r + small.edges({static_cast<double>(a), static_cast<double>(b),
                                                    static_cast<double>(c)});
        if (norm(image) < norm(best)) best = image;
      }
  return best;
}

}  // namespace

TEST_CASE("a box is checked number by number") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_NOTHROW(check_box(Box{}));
  const auto check = [](const Box& box, const char* field, const char* message) {
    try {
      check_box(box);
      FAIL_CHECK("no exception for " << field);
    } catch (const BoxError& error) {
      CHECK(error.field() == field);
      CHECK(std::string(error.what()) == message);
    }
  };
  Box box;
  box.lower[1] = nan;
  check(box, "lower y", "the box has lower y = nan, expected a finite number");
  box = {};
  box.length[2] = 0;
  check(box, "length z", "the box has length z = 0, expected a length greater than zero");
  box.length[2] = infinity;
  check(box, "length z", "the box has length z = inf, expected a length greater than zero");
  box.length[2] = nan;
  check(box, "length z", "the box has length z = nan, expected a length greater than zero");
  box = {};
  box.tilt[1] = -infinity;
  check(box, "tilt xz", "the box has tilt xz = -inf, expected a finite number");
  for (const int open : {0, 1, 2}) {
    box = {};
    box.periodic[open] = false;
    box.tilt[open == 0 ? 2 : open == 1 ? 1 : 0] = 0.25;
    CHECK_NOTHROW(check_box(box));
    for (int t = 0; t < 3; ++t) {
      if (t == (open == 0 ? 2 : open == 1 ? 1 : 0)) continue;
      Box bad = box;
      bad.tilt[t] = 0.25;
      CHECK_THROWS_AS(check_box(bad), BoxError);
    }
  }
  box = {};
  box.periodic[2] = false;
  box.tilt[2] = 0.5;
  check(box, "tilt yz", "the box has tilt yz = 0.5, expected 0, because z is not periodic");
  box = {};
  box.tilt[0] = 1e7;
  check(box, "tilt xy", "the box has tilt xy = 1e+07, expected at most a million box lengths");
}

TEST_CASE("boxes are equal in all numbers, the volume ignores tilts") {
  const Box box{{0, 1, 2}, {3, 4, 5}, {true, true, true}, {6, 7, 8}};
  Box other = box;
  CHECK(box == other);
  other.tilt[2] = 9;
  CHECK_FALSE(box == other);
  CHECK(box.volume() == 60);
  CHECK(box.edge(0) == Vec3<double>{3, 0, 0});
  CHECK(box.edge(1) == Vec3<double>{6, 4, 0});
  CHECK(box.edge(2) == Vec3<double>{7, 8, 5});
  CHECK(box.edges({1, -1, 2}) == Vec3<double>{11, 12, 10});
  const Vec3<double> s = box.shares({11, 13, 12});
  CHECK(s.x == test::relative(1));
  CHECK(s.y == test::relative(-1));
  CHECK(s.z == test::relative(2));
}

TEST_CASE("the nearest image is exact within half the least length, whatever the tilts") {
  RandomSequence random(5);
  int within = 0;
  for (int i = 0; i < 20000; ++i) {
    const Box box = random_box(random, i % 2 == 0 ? 0.5 : 3.0);
    const double half = 0.5 * std::min({box.length[0], box.length[1], box.length[2]});
    // A short vector, and one of its distant images.
    const Vec3<double> r = {random.uniform(-half, half), random.uniform(-half, half),
                            random.uniform(-half, half)};
    const auto whole = [&] { return std::nearbyint(random.uniform(-4, 4)); };
    const Vec3<double> found = MinimumImage(box)(r + box.edges({whole(), whole(), whole()}));
    const Vec3<double> expected = shortest_image(box, r);
    if (norm(expected) < half) {
      ++within;
      CHECK(norm(found - expected) < 1e-12);
    } else {
      CHECK(norm(found) >= half * (1 - 1e-12));
    }
  }
  CHECK(within > 5000);
}

TEST_CASE("without tilts each coordinate is its own nearest image, bit for bit") {
  RandomSequence random(5);
  for (int i = 0; i < 1000; ++i) {
    Box box = random_box(random, 0);
    box.periodic[1] = i % 3 != 0;
    const MinimumImage image(box);
    const Vec3<double> r = {random.uniform(-50, 50), random.uniform(-50, 50),
                            random.uniform(-50, 50)};
    CHECK(image(r) == image.reduce<false>(r));
  }
}

TEST_CASE("the reduced box has the same lattice and small tilts") {
  RandomSequence random(5);
  for (int i = 0; i < 1000; ++i) {
    const Box box = random_box(random, 4);
    const Box small = reduced(box, least_tilt(box));
    CHECK(std::abs(small.tilt[0]) <= 0.5 * box.length[0] * (1 + 1e-12));
    CHECK(std::abs(small.tilt[1]) <= 0.5 * box.length[0] * (1 + 1e-12));
    CHECK(std::abs(small.tilt[2]) <= 0.5 * box.length[1] * (1 + 1e-12));
    for (int d = 0; d < 3; ++d) {
      const Vec3<double> edge = small.edge(d);
      const Vec3<double> s =
          box.shares(edge + Vec3<double>{box.lower[0], box.lower[1], box.lower[2]});
      for (const double n : {s.x, s.y, s.z})
        CHECK(std::abs(n - std::nearbyint(n)) < 1e-12);
      // A cutoff of half the least length fits between all faces.
      CHECK(width_between_faces(small, d) >
            0.74 * std::min({box.length[0], box.length[1], box.length[2]}));
    }
  }
  const Box cube;
  CHECK(reduced(cube, least_tilt(cube)) == cube);
  for (int d = 0; d < 3; ++d)
    CHECK(width_between_faces(cube, d) == 1);
}

TEST_CASE("widths between faces are those of the crossed edges") {
  RandomSequence random(5);
  const auto cross = [](const Vec3<double>& a, const Vec3<double>& b) {
    return Vec3<double>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  };
  for (int i = 0; i < 100; ++i) {
    const Box box = random_box(random, 1);
    for (int d = 0; d < 3; ++d) {
      const double area = norm(cross(box.edge((d + 1) % 3), box.edge((d + 2) % 3)));
      CHECK(width_between_faces(box, d) == test::relative(box.volume() / area).epsilon(1e-12));
    }
  }
}

TEST_CASE("the skin is used up by what the box changes between atoms") {
  PairForceProblem problem;
  problem.cutoff = 2.5;
  problem.skin = 0.4;
  for (double& length : problem.box.length)
    length = 10;
  SkinBudget reach(problem, 9);
  CHECK(reach.skin() == 0.4);
  CHECK(reach.allowed_displacement(problem.box) == test::relative(0.2));
  Box box = problem.box;
  box.lower[0] = 3;
  CHECK(reach.allowed_displacement(box) == test::relative(0.2));
  box.length[0] += 0.3;
  CHECK(reach.allowed_displacement(box) == test::relative(0.05));
  box.tilt[2] = 0.4;
  CHECK(reach.allowed_displacement(box) == test::relative((0.4 - 0.5) / 2));
  CHECK_THROWS_AS(reach.require(box), BoxError);
  // A change of the box moves atoms in other images further.
  reach.set_images({{-1, 0, 0}, {1, 0, 0}}, {1, 1, 1});
  box = problem.box;
  box.length[0] -= 0.1;
  CHECK(reach.allowed_displacement(box) == test::relative((0.4 - 0.3) / 2));
  box.length[1] = 4.9;
  CHECK(reach.allowed_displacement(box) < 0);
  // A small box reduces the skin.
  box.length[1] = 5.5;
  reach.prepare(box);
  CHECK(reach.skin() == test::relative(0.25));
  CHECK(reach.allowed_displacement(box) == test::relative(0.125));
}

}  // namespace tessera::md
