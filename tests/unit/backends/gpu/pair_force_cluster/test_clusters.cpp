#include "backends/gpu/pair_force_cluster/cluster_order.hpp"
#include "backends/gpu/pair_force_cluster/parameters.hpp"
#include "backends/gpu/pair_force_cluster/reaches.hpp"
#include "core/base/random.hpp"
#include "physics/md/reduced_box.hpp"
#include "tests/support/candidates.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Tests the index arithmetic of cuda.cluster on the host: runs the steps of its prepare() in order,
// with loops in place of lanes.

namespace tessera::gpu::pair_force_cluster {
namespace {

struct System {
  md::Box box;  // reduced
  double radius = 2;
  std::vector<double> x = {};  // atoms x 3
  std::vector<std::int32_t> types = {};
  md::CutoffClasses classes = {};

  [[nodiscard]] std::int64_t atoms() const { return static_cast<std::int64_t>(x.size() / 3); }
  [[nodiscard]] View<const double, 2> view() const { return {x.data(), {atoms(), 3}}; }
  [[nodiscard]] Vec3<double> place(std::int64_t i) const { return place_of(view(), i); }
  void add(const Vec3<double>& r, std::int32_t type = 0) {
    x.insert(x.end(), {r.x, r.y, r.z});
    types.push_back(type);
  }
  /// Adds `count` random atoms in a part of the box and, folded or not, in images of it.
  void fill(int count, std::uint64_t seed, double part = 1) {
    RandomSequence random(seed);
    for (int i = 0; i < count; ++i) {
      const Vec3<double> n{part * random.uniform(), part * random.uniform(),
                           part * random.uniform()};
      const double image = box.periodic[0] && i % 7 == 0 ? 1 : 0;
      add(Vec3<double>{box.lower[0], box.lower[1], box.lower[2]} +
              box.edges({n.x + image, n.y, n.z}),
          static_cast<std::int32_t>(i % 3 == 0));
    }
  }
  [[nodiscard]] md::AtomBounds atom_bounds() const {
    md::AtomBounds found;
    const md::BoundAtom<double> body{view()};
    for (std::int64_t i = 0; i < atoms(); ++i)
      body(i, found);
    for (int d = 0; d < 3; ++d)
      if (box.periodic[d]) {
        found.low[d] = box.lower[d];
        found.high[d] = box.lower[d] + box.length[d];
      }
    return found;
  }
  /// Distance up to which a pair has to be listed.
  [[nodiscard]] double reach(std::int64_t i, std::int64_t j) const {
    if (classes.uniform) return radius;
    const auto at = static_cast<std::size_t>(types[static_cast<std::size_t>(i)] * classes.types +
                                             types[static_cast<std::size_t>(j)]);
    const double largest = *std::max_element(classes.cutoffs.begin(), classes.cutoffs.end());
    return classes.cutoffs[at] > 0 ? classes.cutoffs[at] + radius - largest : 0;
  }
};

struct Built {
  std::vector<Candidate> atoms;
  std::vector<ClusterBox> clusters, supers, regions;
  std::vector<std::int32_t> order, rank, types;
  std::vector<ExcludedRange> excluded;
  std::vector<Item> items;
  std::vector<Entry> entries;
  std::vector<std::uint8_t> bits;
  std::int32_t room = 5;
  bool exact = false;
  std::int64_t wrong_exclusion = 0;
  md::ImageRange images;

  [[nodiscard]] PairList list() const { return {items.data(), entries.data(), bits.data(), room}; }
};

template <class T>
T* start_of(std::vector<T>& values, std::int64_t size) {
  values.resize(static_cast<std::size_t>(size) + 1);
  return values.data();
}

void sort(const System& system, const Fractions& fractions, Built& built) {
  const std::int64_t n = system.atoms();
  const std::int64_t padded = supers_for(n) * super_atoms;
  std::vector<Candidate> given;
  std::vector<std::uint64_t> keys;
  start_of(given, padded);
  start_of(keys, n);
  start_of(built.order, n);
  built.order.pop_back();
  for (std::int64_t i = 0; i < n; ++i)
    GatherPositions<double>{system.view(), fractions, given.data(), keys.data(),
                            built.order.data()}(i, built.images);
  const auto by_keys = [&] {
    std::vector<std::int32_t> at(static_cast<std::size_t>(n));
    std::iota(at.begin(), at.end(), 0);
    std::stable_sort(at.begin(), at.end(), [&](std::int32_t a, std::int32_t b) {
      return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    std::vector<std::int32_t> sorted;
    for (const std::int32_t a : at)
      sorted.push_back(built.order[static_cast<std::size_t>(a)]);
    built.order = sorted;
  };
  by_keys();
  const Arrangement arrangement = Arrangement::of(n, fractions.extent);
  for (int along = 1; along < 3; ++along) {
    const std::int64_t group = along == 1 ? arrangement.slab : arrangement.column;
    for (std::int64_t k = 0; k < n; ++k)
      PositionKeys{given.data(), built.order.data(), group, along, keys.data()}(k);
    by_keys();
  }
  start_of(built.atoms, padded);
  for (std::int64_t k = 0; k < padded; ++k)
    SortCandidates{given.data(), built.order.data(), n, built.atoms.data()}(k);
  for (int group = super_atoms; group > half_atoms; group /= 2) {
    for (std::int64_t k = 0; k < padded; ++k)
      HalveGroups{built.atoms.data(), given.data(), group, {1, 1, 1}}(k);
    std::swap(built.atoms, given);
  }
  const std::int64_t supers = supers_for(n);
  const std::int64_t regions = (supers + region_supers - 1) / region_supers;
  start_of(built.clusters, supers * super_clusters);
  start_of(built.supers, supers);
  start_of(built.regions, regions);
  for (std::int64_t c = 0; c < supers * super_clusters; ++c)
    BoxClusters{built.atoms.data(), built.clusters.data()}(c);
  for (std::int64_t s = 0; s < supers; ++s)
    JoinBoxes{built.clusters.data(), supers * super_clusters, super_clusters,
              built.supers.data()}(s);
  for (std::int64_t r = 0; r < regions; ++r)
    JoinBoxes{built.supers.data(), supers, region_supers, built.regions.data()}(r);
  start_of(built.rank, n);
  start_of(built.types, n);
  for (std::int64_t k = 0; k < n; ++k)
    WriteOrder{built.atoms.data(),
               {system.types.data(), {n}},
               built.order.data(),
               built.rank.data(),
               built.types.data()}(k);
}

/// Makes the list by the search that a warp does around each super-cluster.
void search(const PairTest<double>& test, Built& built) {
  for (std::int64_t super = 0; super < test.super_count; ++super) {
    std::int32_t count = built.room;
    const ClusterBox& box = test.supers[super];
    const std::int64_t regions = (test.super_count + region_supers - 1) / region_supers;
    for (std::int64_t region = super / region_supers; region < regions; ++region) {
      if (!test.are_near(box, test.regions[region])) continue;
      const std::int64_t first = std::max(super, region * region_supers);
      const std::int64_t end = std::min(test.super_count, (region + 1) * region_supers);
      for (std::int64_t b = first; b < end; ++b) {
        if (!test.are_near(box, test.supers[b])) continue;
        for (int h = 0; h < super_atoms / half_atoms; ++h) {
          const std::int64_t half = b * (super_atoms / half_atoms) + h;
          const int other = h / (cluster_atoms / half_atoms);
          std::uint32_t mask = 0;
          std::vector<std::uint8_t> bytes(lanes_of_tile, 0);
          for (int c = 0; c < super_clusters; ++c) {
            if ((b == super && c > other) ||
                !test.are_near(test.clusters[super * super_clusters + c],
                               test.clusters[b * super_clusters + other]))
              continue;
            for (int lane = 0; lane < lanes_of_tile; ++lane) {
              const std::int64_t k = (super * super_clusters + c) * cluster_atoms + own_of(lane);
              const std::int64_t o = half * half_atoms + other_of(lane);
              float distance_sq;
              const bool listed = test.is_listed(k, o, distance_sq);
              if (test.is_plain()) {
                const bool excludes = test.excluded != nullptr && test.atoms[k].is_somewhere();
                const ExcludedRange range = excludes ? test.excluded[k] : ExcludedRange{};
                if (test.is_listed_plainly(k, test.atoms[k], range, o, test.atoms[o],
                                           test.reaches_sq[0], distance_sq) != listed)
                  FAIL("the usual test of a pair differs");
              }
              if (!listed) continue;
              mask |= 1u << c;
              bytes[static_cast<std::size_t>(lane)] |= static_cast<std::uint8_t>(1u << c);
            }
          }
          if (mask == 0) continue;
          if (count == built.room) {
            built.items.push_back({static_cast<std::int32_t>(super), 0});
            const std::size_t entries = built.items.size() * static_cast<std::size_t>(built.room);
            built.entries.resize(entries);
            built.bits.resize(entries * lanes_of_tile, 0xff);
            count = 0;
          }
          const std::size_t at = (built.items.size() - 1) * static_cast<std::size_t>(built.room) +
                                 static_cast<std::size_t>(count);
          built.entries[at] = Entry::of(static_cast<std::int32_t>(half), mask, count);
          std::copy(bytes.begin(), bytes.end(),
                    built.bits.begin() + static_cast<std::ptrdiff_t>(at * lanes_of_tile));
          built.items.back().count = ++count;
        }
      }
    }
  }
}

/// \param owned number of targets; -1: all atoms.
/// \param targets_of_pair number of targets in the pairs to be listed, if there are ghosts.
Built build(const System& system, const md::Exclusions& exclusions = {}, std::int64_t owned = -1,
            int targets_of_pair = 0) {
  Built built;
  const std::int64_t n = system.atoms();
  const Fractions fractions(system.box, system.atom_bounds(), system.radius);
  sort(system, fractions, built);
  if (exclusions.given()) {
    start_of(built.excluded, n);
    for (std::int64_t k = 0; k < n; ++k)
      FindExcluded{exclusions, built.order.data(), built.rank.data(), n, built.excluded.data()}(
          k, built.wrong_exclusion);
    if (built.wrong_exclusion != 0) return built;
  }
  const Reaches reaches(fractions, system.box.tilted(), system.radius, system.classes);
  built.exact = reaches.exact;
  PairTest<double> test{};
  test.atoms = built.atoms.data();
  test.clusters = built.clusters.data();
  test.supers = built.supers.data();
  test.regions = built.regions.data();
  test.super_count = supers_for(n);
  reaches.give(test);
  test.image = md::MinimumImage(system.box);
  test.positions = system.view();
  test.types = system.classes.uniform ? nullptr : built.types.data();
  test.type_count = system.classes.types;
  test.reaches_sq = reaches.pairs_sq.data();
  test.exclusions = exclusions;
  test.excluded = exclusions.given() ? built.excluded.data() : nullptr;
  test.owned = owned < 0 ? n : owned;
  test.targets_of_pair = targets_of_pair;
  search(test, built);
  return built;
}

using Pairs = std::map<std::pair<std::int32_t, std::int32_t>, int>;

/// {pair of the caller's indices, the smaller first: number of times that the pair is listed}.
Pairs listed(const Built& built) {
  Pairs found;
  for (std::int64_t item = 0; item < static_cast<std::int64_t>(built.items.size()); ++item)
    for_each_pair(built.list(), item, [&](std::int64_t k, std::int64_t other) {
      const std::int32_t i = built.order[static_cast<std::size_t>(k)];
      const std::int32_t j = built.order[static_cast<std::size_t>(other)];
      ++found[{std::min(i, j), std::max(i, j)}];
    });
  return found;
}

void check_every_pair_once(const System& system) {
  const Built built = build(system);
  const Pairs found = listed(built);
  const md::MinimumImage image(system.box);
  std::set<std::int32_t> rows(built.order.begin(), built.order.begin() + system.atoms());
  CHECK(static_cast<std::int64_t>(rows.size()) == system.atoms());
  int wrong = 0;
  for (std::int64_t i = 0; i < system.atoms(); ++i)
    for (std::int64_t j = i + 1; j < system.atoms(); ++j) {
      const Vec3<double> r = image(system.place(i) - system.place(j));
      const auto at = found.find({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
      const int times = at == found.end() ? 0 : at->second;
      const double reach = system.reach(i, j);
      wrong += times > 1 || (dot(r, r) < reach * reach && times == 0) ||
                       (times > 0 && !(dot(r, r) <= 1.001 * reach * reach))
                   ? 1
                   : 0;
    }
  CHECK(wrong == 0);
}

md::Box box_of(double x, double y, double z) {
  md::Box box;
  box.length[0] = x;
  box.length[1] = y;
  box.length[2] = z;
  return box;
}

TEST_CASE("cuda.cluster: every pair within reach is listed once, whatever the box") {
  std::vector<System> systems;
  for (const double length : {4.0, 4.5, 6.1, 8.5, 13.0, 40.0}) {
    systems.push_back({box_of(length, 1.3 * length, length)});
    System open = systems.back();
    open.box.periodic[0] = open.box.periodic[2] = false;
    systems.push_back(open);
    System tilted = systems.back();
    tilted.box = box_of(length, 1.3 * length, length);
    tilted.box.tilt[0] = 0.49 * length;
    tilted.box.tilt[1] = -0.3 * length;
    tilted.box.tilt[2] = 0.5 * length;
    tilted.box = md::reduced(tilted.box, md::least_tilt(tilted.box));
    systems.push_back(tilted);
  }
  std::uint64_t seed = 1;
  for (const System& empty : systems)
    for (const int atoms : {1, 2, 63, 64, 65, 333}) {
      System system = empty;
      system.fill(atoms, seed++);
      CAPTURE(seed);
      CAPTURE(atoms);
      check_every_pair_once(system);
    }
}

TEST_CASE("cuda.cluster: regions of super-clusters are left out, and none that is near") {
  System system{box_of(30, 9, 9)};
  system.fill(4500, 5);
  check_every_pair_once(system);
}

TEST_CASE(
    "cuda.cluster: atoms at half a box from each other, and on faces of it, are listed once") {
  System system{box_of(4, 4, 4)};
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 4; ++z)
        system.add({x == 4 ? 0.5 : x + 0.0, y + 0.0, z + (x == 4 ? 0.0 : 4.0)});
  check_every_pair_once(system);
}

TEST_CASE("cuda.cluster: droplets and strays in wide boxes, where fractions are too coarse") {
  for (const double length : {1e3, 1e5, 1e12}) {
    CAPTURE(length);
    for (const bool periodic : {true, false}) {
      System system{box_of(length, length, length)};
      for (bool& along : system.box.periodic)
        along = periodic;
      system.fill(60, 3);
      // Across a corner, and in the middle.
      system.fill(200, 4, 5 / length);
      for (int i = 0; i < 60; ++i) {
        const Vec3<double> r = system.place(100 + i);
        system.add({length - 0.3 * r.x, r.y, r.z});
        system.add({0.5 * length + 2e-9 * i, r.y, 0.25 * length + r.z});
      }
      check_every_pair_once(system);
      CHECK(build(system).exact == (length > 1e4));
    }
  }
}

TEST_CASE("cuda.cluster: pairs of types are listed as far as they see, or not at all") {
  for (const bool periodic : {true, false}) {
    System system{box_of(9, 10, 11)};
    system.box.periodic[1] = periodic;
    system.classes.types = 2;
    system.classes.uniform = false;
    system.classes.cutoffs = {1.8, 1.1, 1.1, 0};
    system.fill(700, 8);
    check_every_pair_once(system);
  }
}

TEST_CASE("cuda.cluster: atoms in a line, on a plane and at few places make clusters") {
  System line{box_of(100, 5, 5)};
  System plane{box_of(30, 30, 5)};
  System heap{box_of(8, 8, 8)};
  for (int i = 0; i < 400; ++i) {
    line.add({0.21 * i, 1, 2});
    plane.add({1.3 * (i % 20), 1.4 * (i / 20), 2.5});
    heap.add({1.0 + i % 2, 1 + 0.001 * (i % 5), 2});
  }
  for (System* system : {&line, &plane, &heap})
    for (const bool periodic : {true, false}) {
      system->box.periodic[2] = periodic;
      check_every_pair_once(*system);
    }
}

TEST_CASE("cuda.cluster: no list contains an atom of a non-finite position") {
  const double not_a_point[] = {std::nan(""), std::numeric_limits<double>::infinity()};
  for (const double place : not_a_point) {
    System system{box_of(5, 5, 5)};
    system.fill(100, 3);
    system.x[3 * 40 + 1] = system.x[3 * 99] = place;
    const Built built = build(system);
    int with_them = 0;
    for (const auto& [pair, times] : listed(built))
      with_them += pair.first == 40 || pair.second == 40 || pair.second == 99 ? 1 : 0;
    CHECK(with_them == 0);
    CHECK(!listed(built).empty());
    std::vector<std::int32_t> rows(built.order.begin(), built.order.begin() + 100);
    std::sort(rows.begin(), rows.end());
    for (std::int32_t i = 0; i < 100; ++i)
      CHECK(rows[static_cast<std::size_t>(i)] == i);
  }
  System system{box_of(5, 5, 5)};
  for (int i = 0; i < 70; ++i)
    system.add({std::nan(""), 1, 2});
  CHECK(listed(build(system)).empty());
}

TEST_CASE("cuda.cluster: excluded pairs are not listed, whatever does not exist is told") {
  System system{box_of(4.2, 9, 6)};
  system.fill(240, 9);
  Pairs expected = listed(build(system));
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> partners;
  for (std::int32_t i = 0; i < 240; ++i) {
    // Excluded partners: the next atom, and one with others in between.
    for (const std::int32_t partner : {i ^ 1, (i + 120) % 240}) {
      partners.push_back(partner);
      expected.erase({std::min(i, partner), std::max(i, partner)});
    }
    offsets.push_back(static_cast<std::int32_t>(partners.size()));
  }
  const md::Exclusions exclusions{{offsets.data(), {241}}, {partners.data(), {480}}};
  CHECK(listed(build(system, exclusions)) == expected);
  partners[2 * 17] = 17;
  partners[2 * 40] = 240;
  CHECK(build(system, exclusions).wrong_exclusion == 41);
  partners[2 * 40] = -1;
  CHECK(build(system, exclusions).wrong_exclusion == 41);
  partners[2 * 40] = 41;
  CHECK(build(system, exclusions).wrong_exclusion == 18);
}

TEST_CASE("cuda.cluster: pairs of targets and pairs with a ghost are listed apart") {
  System system{box_of(4.2, 9, 6)};
  system.fill(240, 9);
  constexpr std::int32_t owned = 130;
  // Exclusions of targets; some name ghosts, whose own lists are empty.
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> partners;
  for (std::int32_t i = 0; i < 240; ++i) {
    if (i < owned) partners.insert(partners.end(), {i ^ 1, (i + 120) % 240});
    offsets.push_back(static_cast<std::int32_t>(partners.size()));
  }
  const md::Exclusions exclusions{{offsets.data(), {241}},
                                  {partners.data(), {std::ssize(partners)}}};
  Pairs expected[3];
  for (const auto& [pair, times] : listed(build(system))) {
    const auto& [i, j] = pair;
    const bool excluded = (i ^ 1) == j || (i + 120) % 240 == j || (j + 120) % 240 == i;
    const int targets = (i < owned ? 1 : 0) + (j < owned ? 1 : 0);
    if (targets == 0 || !excluded) expected[targets][pair] = times;
  }
  CHECK(expected[1].size() > 100);
  CHECK(listed(build(system, exclusions, owned, 2)) == expected[2]);
  CHECK(listed(build(system, exclusions, owned, 1)) == expected[1]);
}

TEST_CASE("cuda.cluster: two atoms at one place are found, also across a face") {
  System system{box_of(6, 6, 6)};
  system.fill(50, 2);
  system.add({0.125, 3, 5});
  system.add({6.125, 3, -1});
  const Built built = build(system);
  std::int64_t pair = 0;
  for (std::int64_t item = 0; item < static_cast<std::int64_t>(built.items.size()); ++item)
    FindCoincident<double>{system.view(), built.order.data(),
                           md::CellGrid::make(system.box, system.atom_bounds(), system.radius, 1),
                           md::MinimumImage(system.box), built.list()}(item, pair);
  REQUIRE(pair != 0);
  const std::int32_t a = built.order[static_cast<std::size_t>((pair >> 32) - 1)];
  const std::int32_t b = built.order[static_cast<std::size_t>((pair & 0xffffffff) - 1)];
  CHECK(std::min(a, b) == 50);
  CHECK(std::max(a, b) == 51);
}

TEST_CASE("cuda.cluster: images of atoms are counted, for lists in boxes that change") {
  System system{box_of(6, 7, 8)};
  system.box.periodic[2] = false;
  system.add({1, 1, 1});
  system.add({-6.5, 15, 100});
  system.add({12.5, -0.5, -30});
  const Built built = build(system);
  CHECK(built.images.low[0] == -2);
  CHECK(built.images.high[0] == 2);
  CHECK(built.images.low[1] == -1);
  CHECK(built.images.high[1] == 2);
  CHECK(built.images.low[2] == 0);
  CHECK(built.images.high[2] == 0);
}

TEST_CASE("cuda.cluster: gaps go the shorter way around") {
  // A period of 2^32, and one of 64 in the top bits.
  constexpr std::uint32_t unit = 1u << 26;
  for (std::uint32_t low_a = 0; low_a < 64; low_a += 3)
    for (std::uint32_t long_a = 0; long_a < 20; long_a += 7)
      for (std::uint32_t low_b = 0; low_b < 64; low_b += 5)
        for (std::uint32_t long_b = 0; long_b < 30; long_b += 9) {
          const std::uint32_t high_a = std::min(low_a + long_a, 63u);
          const std::uint32_t high_b = std::min(low_b + long_b, 63u);
          std::uint32_t least = 64;
          for (std::uint32_t a = low_a; a <= high_a; ++a)
            for (std::uint32_t b = low_b; b <= high_b; ++b)
              least = std::min({least, (a - b) % 64, (b - a) % 64});
          CHECK(gap_between(low_a * unit, high_a * unit, low_b * unit, high_b * unit) ==
                least * unit);
          CHECK(gap_between(low_b * unit, high_b * unit, low_a * unit, high_a * unit) ==
                least * unit);
        }
}

TEST_CASE("cuda.cluster: slabs are whole columns and columns whole super-clusters, about cubes") {
  const double shapes[][3] = {{1, 1, 1}, {10, 1, 1}, {1, 1, 20}, {1, 30, 0}, {0, 0, 5}, {0, 0, 0}};
  for (const auto& extent : shapes)
    for (const std::int64_t atoms : {1, 64, 65, 1000, 96000, 1048576}) {
      CAPTURE(atoms);
      const Arrangement arrangement = Arrangement::of(atoms, extent);
      CHECK(arrangement.column % super_atoms == 0);
      CHECK(arrangement.column > 0);
      CHECK(arrangement.slab % arrangement.column == 0);
      CHECK(arrangement.slab > 0);
    }
  const double cube[] = {4, 4, 4};
  const Arrangement of_cube = Arrangement::of(64 * 1000, cube);
  CHECK(of_cube.column == 64 * 10);
  CHECK(of_cube.slab == 64 * 100);
  const double sheet[] = {4, 4, 0.01};
  const Arrangement of_sheet = Arrangement::of(64 * 100, sheet);
  CHECK(of_sheet.column == 64);
  CHECK(of_sheet.slab == 64 * 10);
}

TEST_CASE("cuda.cluster: an entry keeps its mask and its slot") {
  for (const std::uint32_t mask : {1u, 0x80u, 0xffu})
    for (const std::int32_t slot : {0, 1, most_entries - 1}) {
      const Entry entry = Entry::of(123456789, mask, slot);
      CHECK(entry.half == 123456789);
      CHECK(entry.mask() == mask);
      CHECK(entry.slot() == slot);
    }
}

TEST_CASE("cuda.cluster: the room for a list is about what it takes") {
  for (const double length : {20.0, 14.0}) {
    System system{box_of(length, length, length)};
    system.radius = 2.8;
    system.fill(4000, 6);
    const Built built = build(system);
    double entries = 0;
    for (const Item& item : built.items)
      entries += item.count;
    const double expected = expected_entries(4000, length * length * length, system.radius);
    CHECK(entries > 0.9 * expected);
    CHECK(entries < 1.15 * expected);
  }
}

TEST_CASE("cuda.cluster: small systems are split finer, and large ones are not") {
  const std::int64_t device = 270336;
  int before = 0;
  for (const std::int64_t atoms : {1000, 10000, 100000, 1000000, 10000000}) {
    const double expected = expected_entries(atoms, static_cast<double>(atoms) / 100, 1.1);
    const int entries = usual_entries(expected, device);
    CHECK(entries >= 4);
    CHECK(entries <= 64);
    CHECK(entries >= before);
    before = entries;
    const int searchers = usual_searchers(supers_for(atoms), device);
    CHECK(searchers >= 1);
    CHECK(searchers <= 16);
  }
  CHECK(before == 64);
  CHECK(usual_searchers(1, device) == 16);
  CHECK(usual_searchers(1 << 20, device) == 1);
  // An atom has at most as many neighbors as there are atoms.
  CHECK(expected_entries(10, 1e-9, 1) < 10);
}

TEST_CASE("cuda.cluster: candidates of the default space, and what no problem allows") {
  if (!wide_tune_space) CHECK(test::candidates<Parameters>().size() == 120);
  for (const ParameterInfo& parameter : describe_parameters<Parameters>())
    CHECK(std::find(parameter.values.begin(), parameter.values.end(), parameter.default_value) !=
          parameter.values.end());
  const auto refused = [](const ParameterValues& values) {
    return test::message_of([&] { (void)make_parameters<Parameters>(values); });
  };
  CHECK(refused({{"block_size", std::int64_t{48}}}).find("a block_size up to 128") !=
        std::string::npos);
  CHECK(refused({{"block_size", std::int64_t{256}}}) != "");
  CHECK(refused({{"entries_per_warp", std::int64_t{257}}}).find("from 1 to 256") !=
        std::string::npos);
  CHECK(refused({{"searchers", std::int64_t{33}}}).find("from 1 to 32") != std::string::npos);
  CHECK(refused({{"skin_over_cutoff", -0.1}}) != "");
  CHECK(refused({{"inner_skin_over_cutoff", -0.1}}) != "");
  CHECK(Parameters{}.usual_skin(true) > 3 * Parameters{}.inner_skin_over_cutoff);
  CHECK(Parameters{}.usual_skin(false) < 3 * Parameters{}.inner_skin_over_cutoff);
  CHECK(make_parameters<Parameters>({{"skin_over_cutoff", 0.1}}).usual_skin(true) == 0.1);
}

}  // namespace
}  // namespace tessera::gpu::pair_force_cluster
