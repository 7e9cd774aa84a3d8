#include "backends/openmp/pair_force_cluster/cluster_images.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace tessera::openmp::cluster {
namespace {

/// Random atoms in a box; with two groups, the second half of the atoms is the second group.
struct System {
  md::Box box;
  std::vector<double> positions;
  ClusterOrder order;
  Shifts shifts;

  System(const md::Box& of, int groups, double radius) : box(of), shifts(of) {
    constexpr int atoms = 500;
    std::mt19937 random(11);
    std::uniform_real_distribution<double> anywhere(-2, 2);
    for (int i = 0; i < atoms; ++i)
      for (const double length : box.length)
        positions.push_back(anywhere(random) * length);
    AtomGroups groups_of;
    std::vector<std::int32_t> numbers(atoms);
    for (int i = 0; i < atoms; ++i)
      numbers[static_cast<std::size_t>(i)] = i;
    groups_of.count = groups;
    groups_of.atoms = numbers.data();
    for (int g = 0; g < groups; ++g) {
      groups_of.begin[g + 1] = atoms * (g + 1) / groups;
      groups_of.radius[g] = radius;
    }
    order.build(PositionView<double>{positions.data(), 3, 1}, groups_of, box, {4, 1.0, 16}, 2);
  }

  /// Gap between the bounding box of cluster a and that of cluster b shifted by `shift`.
  [[nodiscard]] double gap(std::int64_t a, std::int64_t b, const double* shift) const {
    double squared = 0;
    for (int d = 0; d < 3; ++d) {
      const double low = order.lower(d)[b] + shift[d];
      const double high = order.upper(d)[b] + shift[d];
      const double apart = std::max({0.0, low - order.upper(d)[a], order.lower(d)[a] - high});
      squared += apart * apart;
    }
    return std::sqrt(squared);
  }
};

TEST_CASE("openmp.cluster: every pair across a face has one image, on one side of the box") {
  md::Box brick;
  brick.length[0] = 9;
  brick.length[1] = 7;
  brick.length[2] = 8;
  md::Box tilted = brick;
  tilted.tilt[0] = 3;
  tilted.tilt[1] = -2;
  tilted.tilt[2] = 3.4;
  md::Box slab = brick;
  slab.periodic[1] = false;
  constexpr double radius = 2.5;
  for (const md::Box& box : {brick, tilted, slab})
    for (int groups = 1; groups <= 2; ++groups) {
      const System system(box, groups, radius);
      const ClusterOrder& order = system.order;
      double reach[max_groups][max_groups] = {};
      for (int from = 0; from < groups; ++from)
        for (int to = from; to < groups; ++to)
          reach[from][to] = radius;
      ClusterImages images;
      const std::int64_t first = order.clusters() + 3;
      images.build(order, system.shifts, reach, first);
      REQUIRE(images.first() == first);

      int candidates = 0;
      for (int code = 0; code < shift_count; ++code) {
        if (code == no_shift || !system.shifts.possible(code)) continue;
        for (std::int64_t a = 0; a < order.clusters(); ++a)
          for (std::int64_t b = 0; b < order.clusters(); ++b) {
            const int from = order.group_of(order.column_of(a));
            const int to = order.group_of(order.column_of(b));
            const bool here = interacts_with_images(from, to, code);
            // The same pair from the other side.
            CHECK((here ? 1 : 0) + (interacts_with_images(to, from, 2 * no_shift - code) ? 1 : 0) ==
                  1);
            if (!here || !(system.gap(a, b, system.shifts.vector(code)) < radius)) continue;
            const ClusterImages::Range range = images.of_column(order.column_of(b), code);
            REQUIRE(range.clusters.begin <= b);
            REQUIRE(b < range.clusters.end);
            const std::int64_t image = b + range.offset;
            REQUIRE(image >= images.first());
            REQUIRE(image < images.end());
            CHECK(images.owner(image) == b);
            CHECK(images.code(image) == code);
            ++candidates;
          }
      }
      CHECK(candidates > 500);

      std::int64_t visited = 0;
      for (std::int64_t c = 0; c < order.clusters(); ++c)
        images.of_cluster(c, [&](std::int64_t image) {
          CHECK(images.owner(image) == c);
          if (groups == 1) CHECK(images.code(image) > no_shift);
          ++visited;
        });
      CHECK(visited == images.end() - images.first());
    }
}

TEST_CASE("openmp.cluster: an open box and groups that do not see each other have no images") {
  md::Box open;
  for (int d = 0; d < 3; ++d) {
    open.length[d] = 9;
    open.periodic[d] = false;
  }
  const System system(open, 1, 2.5);
  const double reach[max_groups][max_groups] = {{2.5}};
  ClusterImages images;
  images.build(system.order, system.shifts, reach, system.order.clusters());
  CHECK(images.end() == images.first());

  md::Box closed = open;
  for (bool& periodic : closed.periodic)
    periodic = true;
  const System blind(closed, 1, 2.5);
  const double nothing[max_groups][max_groups] = {};
  images.build(blind.order, blind.shifts, nothing, blind.order.clusters());
  CHECK(images.end() == images.first());
}

}  // namespace
}  // namespace tessera::openmp::cluster
