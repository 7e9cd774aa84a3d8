#include "backends/openmp/pair_force_cluster/cluster_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

/// \file
/// Clusters do not depend on the order of atoms in memory.

namespace tessera::openmp::cluster {
namespace {

constexpr int lanes = 4;

/// Atoms in slots of blocks, in random order; some slots are empty.
struct Shuffled {
  std::vector<double> blocks;
  std::vector<std::int32_t> slots, names, places;
  AtomGroups::Reordered reordered;
  AtomGroups groups;

  Shuffled(const std::vector<double>& positions, const AtomGroups& given, std::mt19937& random) {
    const auto atoms = static_cast<std::size_t>(given.begin[given.count]);
    const std::size_t room = (2 * atoms / lanes + 1) * lanes;
    blocks.assign(3 * room, 1e300);
    names.assign(room, -1);
    places.resize(atoms);
    std::vector<std::int32_t> free(room);
    std::iota(free.begin(), free.end(), 0);
    std::shuffle(free.begin(), free.end(), random);
    for (std::size_t k = 0; k < atoms; ++k) {
      const std::int32_t atom = given.atom(static_cast<std::int64_t>(k));
      const std::int32_t slot = free[k];
      const std::int32_t lane = slot % lanes;
      for (int d = 0; d < 3; ++d)
        blocks[static_cast<std::size_t>(3 * (slot - lane) + d * lanes + lane)] =
            positions[static_cast<std::size_t>(3 * atom + d)];
      slots.push_back(slot);
      names[static_cast<std::size_t>(slot)] = atom;
      places[static_cast<std::size_t>(atom)] = slot;
    }
    for (int group = 0; group < given.count; ++group)
      std::sort(slots.begin() + given.begin[group], slots.begin() + given.begin[group + 1]);
    reordered = {names.data(), places.data(), given.atoms};
    groups = given;
    groups.atoms = slots.data();
    groups.reordered = &reordered;
  }
  Shuffled(const Shuffled&) = delete;
};

/// Random positions with a nonuniform density, many of them with equal z.
std::vector<double> uneven_positions(std::size_t atoms, const md::Box& box, std::mt19937& random) {
  std::vector<double> positions;
  std::normal_distribution<double> dense(0, 0.06);
  std::uniform_real_distribution<double> anywhere(-1, 2);
  for (std::size_t i = 0; i < atoms; ++i)
    for (int d = 0; d < 3; ++d) {
      const double share = i % 4 != 0 ? 0.9 + dense(random) : anywhere(random);
      positions.push_back(share * box.length[d]);
      if (d == 2) positions.back() = std::round(16 * positions.back()) / 16;
    }
  return positions;
}

TEST_CASE("openmp.cluster: the same clusters, in whatever order atoms lie") {
  std::mt19937 random(7);
  md::Box brick;
  brick.length[0] = 30;
  brick.length[1] = 34;
  brick.length[2] = 28;
  md::Box tilted = brick;
  tilted.tilt[0] = 9;
  tilted.tilt[1] = -5;
  tilted.tilt[2] = 11;
  md::Box open = brick;
  open.periodic[0] = open.periodic[2] = false;
  md::Box wide = brick;
  for (double& length : wide.length)
    length *= 20;
  for (const md::Box& box : {brick, tilted, open, wide})
    for (const int count : {1, 2}) {
      CAPTURE(box.length[0]);
      CAPTURE(box.tilt[0]);
      CAPTURE(count);
      constexpr std::int64_t atoms = 50000;
      const std::vector<double> positions = uneven_positions(atoms, box, random);
      std::vector<std::int32_t> grouped(atoms);
      std::iota(grouped.begin(), grouped.end(), 0);
      std::stable_partition(grouped.begin(), grouped.end(),
                            [&](std::int32_t i) { return count == 1 || i % 3 != 0; });
      AtomGroups groups;
      groups.count = count;
      groups.atoms = count == 1 ? nullptr : grouped.data();
      groups.begin[1] = count == 1 ? atoms : atoms - (atoms + 2) / 3;
      groups.begin[count] = atoms;
      for (double& radius : groups.radius)
        radius = 2.5;
      const Clustering shape{lanes, 1.0, 16};
      ClusterOrder given;
      given.build(PositionView<double>{positions.data(), 3, 1}, groups, box, shape, 2);
      const Shuffled shuffled(positions, groups, random);
      ClusterOrder order;
      order.build(BlockView<double>{shuffled.blocks.data(), lanes}, shuffled.groups, box, shape, 3);
      order.rename(shuffled.names.data(), 2);

      REQUIRE(order.clusters() == given.clusters());
      REQUIRE(order.all_columns() == given.all_columns());
      for (int d = 0; d < 3; ++d) {
        CHECK(order.origin(d) == given.origin(d));
        CHECK(order.extent(d) == given.extent(d));
        CHECK(order.furthest(d) == given.furthest(d));
      }
      const std::int64_t slots = order.clusters() * lanes;
      CHECK(std::equal(order.atom(), order.atom() + slots, given.atom()));
      CHECK(std::equal(order.image(), order.image() + 3 * slots, given.image()));
      CHECK(std::equal(order.count(), order.count() + order.clusters(), given.count()));
      CHECK(std::equal(order.shifted(), order.shifted() + order.clusters(), given.shifted()));
      for (int d = 0; d < 3; ++d) {
        CHECK(std::equal(order.lower(d), order.lower(d) + order.clusters(), given.lower(d)));
        CHECK(std::equal(order.upper(d), order.upper(d) + order.clusters(), given.upper(d)));
      }
    }
}

}  // namespace
}  // namespace tessera::openmp::cluster
