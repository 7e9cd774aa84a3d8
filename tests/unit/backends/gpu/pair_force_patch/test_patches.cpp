#include "backends/gpu/pair_force_patch/parameters.hpp"
#include "backends/gpu/pair_force_patch/patch_build.hpp"
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
#include <string>
#include <utility>
#include <vector>

// Tests the index arithmetic of cuda.patch on the host: runs the steps of its prepare() in order.

namespace tessera::gpu::pair_force_patch {
namespace {

struct System {
  md::Box box;  // reduced
  double radius = 2;
  std::vector<double> x = {};  // atoms x 3

  [[nodiscard]] std::int64_t atoms() const { return static_cast<std::int64_t>(x.size() / 3); }
  [[nodiscard]] View<const double, 2> view() const { return {x.data(), {atoms(), 3}}; }
  void add(const Vec3<double>& r) { x.insert(x.end(), {r.x, r.y, r.z}); }
  /// Adds `count` random atoms in the box and, folded or not, in images of it.
  void fill(int count, std::uint64_t seed) {
    RandomSequence random(seed);
    for (int i = 0; i < count; ++i) {
      const Vec3<double> n{random.uniform(), random.uniform(), random.uniform()};
      const double image = box.periodic[0] && i % 7 == 0 ? 1 : 0;
      add(Vec3<double>{box.lower[0], box.lower[1], box.lower[2]} +
          box.edges({n.x + image, n.y, n.z}));
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
};

/// Exclusive prefix sums in place; the last element becomes the total.
template <class T>
void sum_before(std::vector<T>& values) {
  values.back() = 0;
  std::exclusive_scan(values.begin(), values.end(), values.begin(), T{0});
}

struct Built {
  std::vector<std::int32_t> order, rank, sums, patch_of;
  std::vector<Patch> patches;
  std::vector<PatchPair> pairs;
  std::vector<std::int64_t> starts, words_before, rows_before;
  std::vector<std::uint32_t> words;
  PatchTable table;
  bool meets_images = false;
  std::int64_t rows = 0;

  [[nodiscard]] PairBits bits() {
    return {table, patch_of.data(), starts.data(), pairs.data(), words.data()};
  }
};

void list(const System& system, Built& built);

Built build(const System& system, double patch_over_reach, bool along_curve) {
  Built built;
  const std::int64_t n = system.atoms();
  const auto size = static_cast<std::size_t>(n);
  PatchTable& table = built.table;
  table.grid = md::CellGrid::make(system.box, system.atom_bounds(),
                                  patch_over_reach * system.radius * 1.00004,
                                  std::numeric_limits<std::int32_t>::max());
  const double reach = system.radius * 1.00001;
  table.reach_sq = reach * reach;
  for (int d = 0; d < 3; ++d) {
    table.within[d] = table.grid.cells_within(reach, d);
    built.meets_images |= table.grid.periodic[d] && table.grid.count[d] <= 2 * table.within[d];
  }
  std::vector<std::uint64_t> keys(size);
  built.order.resize(size);
  md::ImageRange images;
  const int below = table.grid.shared ? mark_bits : (along_curve ? curve_bits : 0);
  for (std::int64_t i = 0; i < n; ++i)
    PatchKeys<double>{system.view(), table.grid, below, keys.data(), built.order.data()}(i, images);
  std::stable_sort(built.order.begin(), built.order.end(), [&](std::int32_t a, std::int32_t b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  built.sums.resize(size + 1);
  for (std::int64_t k = 0; k < n; ++k)
    MarkPatches<double>{system.view(), table.grid, built.order.data(), built.sums.data()}(k);
  sum_before(built.sums);
  table.count = built.sums[size];
  built.patches.resize(static_cast<std::size_t>(table.count) + 1);
  built.patch_of.resize(size);
  for (std::int64_t k = 0; k <= n; ++k)
    WritePatches<double>{system.view(),        table.grid, built.order.data(),
                         built.sums.data(),    n,          built.patches.data(),
                         built.patch_of.data()}(k);
  table.patches = built.patches.data();
  built.starts.resize(static_cast<std::size_t>(table.count) + 1);
  for (std::int64_t p = 0; p < table.count; ++p)
    CountPairs{table, built.starts.data()}(p);
  sum_before(built.starts);
  built.pairs.resize(static_cast<std::size_t>(built.starts.back()));
  for (std::int64_t p = 0; p < table.count; ++p)
    WritePairs{table, built.starts.data(), built.pairs.data()}(p);
  const auto count = static_cast<std::int64_t>(built.pairs.size());
  built.words_before.resize(built.pairs.size() + 1);
  built.rows_before.resize(built.pairs.size() + 1);
  for (std::int64_t m = 0; m < count; ++m)
    SizePairs{table, built.pairs.data(), built.words_before.data(), built.rows_before.data()}(m);
  sum_before(built.words_before);
  sum_before(built.rows_before);
  for (std::int64_t m = 0; m < count; ++m)
    PlacePairs{built.words_before.data(), built.rows_before.data(), built.pairs.data()}(m);
  built.words.assign(static_cast<std::size_t>(built.words_before.back()), 0xdeadbeef);
  built.rows = built.rows_before.back();
  list(system, built);
  return built;
}

/// Makes the list by the steps of the kernel.
void list(const System& system, Built& built) {
  const PatchTable& table = built.table;
  std::vector<Candidate> offsets(built.order.size());
  for (std::int64_t k = 0; k < system.atoms(); ++k)
    OffsetAtoms<double>{system.view(),         {},    built.order.data(),
                        built.patch_of.data(), table, offsets.data()}(k);
  for (const PatchPair& pair : built.pairs) {
    const Vec3<double> between = table.between(pair);
    for (std::int32_t i = 0; i < table.atoms(pair.one); ++i)
      for (std::int32_t w = 0; w < words_for(table.atoms(pair.other)); ++w) {
        std::uint32_t bits = 0;
        for (std::int32_t b = 0; b < std::min(word_bits, table.atoms(pair.other) - w * word_bits);
             ++b) {
          const std::int32_t me = table.patches[pair.one].first + i;
          const std::int32_t other = table.patches[pair.other].first + w * word_bits + b;
          const Candidate& mine = offsets[static_cast<std::size_t>(me)];
          const Candidate& at = offsets[static_cast<std::size_t>(other)];
          const float x = mine.x + static_cast<float>(between.x) - at.x;
          const float y = mine.y + static_cast<float>(between.y) - at.y;
          const float z = mine.z + static_cast<float>(between.z) - at.z;
          if (!(x * x + y * y + z * z < static_cast<float>(table.reach_sq)) || me == other)
            continue;
          if (built.meets_images &&
              !is_nearest(pair, table.grid, md::MinimumImage(system.box),
                          place_of(system.view(), built.order[static_cast<std::size_t>(me)]),
                          place_of(system.view(), built.order[static_cast<std::size_t>(other)])))
            continue;
          bits |= std::uint32_t{1} << b;
        }
        built.words[static_cast<std::size_t>(pair.words + std::int64_t{w} * table.atoms(pair.one) +
                                             i)] = bits;
      }
  }
}

/// {pair of the caller's indices: number of times that the pair is listed}.
std::map<std::pair<std::int32_t, std::int32_t>, int> listed(Built& built) {
  std::map<std::pair<std::int32_t, std::int32_t>, int> found;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(built.order.size()); ++k)
    built.bits().for_each_listed(k, [&](std::int32_t other) {
      ++found[{built.order[static_cast<std::size_t>(k)],
               built.order[static_cast<std::size_t>(other)]}];
    });
  return found;
}

void check_every_pair_once(const System& system, double patch_over_reach, bool along_curve) {
  CAPTURE(patch_over_reach);
  CAPTURE(along_curve);
  Built built = build(system, patch_over_reach, along_curve);
  const auto found = listed(built);
  const md::MinimumImage image(system.box);
  int wrong = 0;
  for (std::int64_t i = 0; i < system.atoms(); ++i)
    for (std::int64_t j = 0; j < system.atoms(); ++j) {
      const Vec3<double> r = image(place_of(system.view(), i) - place_of(system.view(), j));
      const auto at = found.find({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
      const int times = at == found.end() ? 0 : at->second;
      const bool near = i != j && dot(r, r) < system.radius * system.radius;
      wrong += times > 1 || (near && times == 0) ||
                       (times > 0 && dot(r, r) > 1.001 * system.radius * system.radius)
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

TEST_CASE("cuda.patch: every pair within reach is listed once, whatever the box and the patches") {
  std::vector<System> systems;
  for (const double length : {4.0, 4.5, 6.1, 8.5, 13.0}) {
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
  for (System& system : systems) {
    CAPTURE(seed);
    system.fill(170, seed++);
    for (const double patch_over_reach : {0.25, 0.5, 0.75, 1.0, 2.0, 4.0})
      for (const bool along_curve : {false, true})
        check_every_pair_once(system, patch_over_reach, along_curve);
  }
}

TEST_CASE("cuda.patch: atoms at half a box from each other, and on faces of it, are listed once") {
  System system{box_of(4, 4, 4)};
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 4; ++z)
        system.add({x == 4 ? 0.5 : x + 0.0, y + 0.0, z + (x == 4 ? 0.0 : 4.0)});
  for (const double patch_over_reach : {0.25, 0.5, 1.0})
    check_every_pair_once(system, patch_over_reach, true);
}

TEST_CASE("cuda.patch: cells that share slots make patches of their own") {
  System system{box_of(1e5, 1e5, 1e5)};
  system.fill(60, 3);
  RandomSequence random(4);
  for (int i = 0; i < 60; ++i)
    system.add({2 * random.uniform(), 4 * random.uniform(), 3 * random.uniform()});
  check_every_pair_once(system, 1, true);
  Built built = build(system, 1, true);
  REQUIRE(built.table.grid.shared);
  CHECK(built.table.count > 60);
  CHECK(built.table.count < 120);
}

TEST_CASE("cuda.patch: excluded pairs lose their bits, whatever does not exist is told") {
  System system{box_of(4.2, 9, 6)};
  system.fill(120, 9);
  Built built = build(system, 0.5, true);
  auto before = listed(built);
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> partners;
  for (std::int32_t i = 0; i < 120; ++i) {
    partners.push_back(i ^ 1);
    offsets.push_back(static_cast<std::int32_t>(partners.size()));
    before.erase({i, i ^ 1});
  }
  built.rank.resize(120);
  for (std::int64_t k = 0; k < 120; ++k)
    md::InvertOrder{built.order.data(), built.rank.data()}(k);
  const auto clear = [&] {
    std::int64_t wrong = 0;
    for (std::int64_t k = 0; k < 120; ++k)
      ClearExcluded{{{offsets.data(), {121}}, {partners.data(), {120}}},
                    built.order.data(),
                    built.rank.data(),
                    120,
                    built.bits()}(k, wrong);
    return wrong;
  };
  CHECK(clear() == 0);
  CHECK(listed(built) == before);
  partners[17] = 17;
  partners[40] = 120;
  CHECK(clear() == 41);
  CHECK(listed(built) == before);
}

TEST_CASE("cuda.patch: lists of ghosts are empty, and lists of targets stay") {
  System system{box_of(4.2, 9, 6)};
  system.fill(120, 9);
  for (const double patch_over_reach : {0.25, 1.0}) {
    Built built = build(system, patch_over_reach, true);
    auto expected = listed(built);
    const std::size_t all = expected.size();
    std::erase_if(expected, [](const auto& entry) { return entry.first.first >= 70; });
    CHECK(expected.size() < all);
    for (std::int64_t k = 0; k < 120; ++k)
      ClearGhosts{built.order.data(), 70, built.bits()}(k);
    CHECK(listed(built) == expected);
  }
}

TEST_CASE("cuda.patch: two atoms at one place are found, also across a face") {
  System system{box_of(6, 6, 6)};
  system.fill(50, 2);
  system.add({0.125, 3, 5});
  system.add({6.125, 3, -1});
  Built built = build(system, 1, true);
  std::int64_t pair = 0;
  for (std::int64_t k = 0; k < 52; ++k)
    FindCoincident<double>{system.view(), built.order.data(), md::MinimumImage(system.box),
                           built.bits()}(k, pair);
  REQUIRE(pair != 0);
  const std::int32_t a = built.order[static_cast<std::size_t>((pair >> 32) - 1)];
  const std::int32_t b = built.order[static_cast<std::size_t>((pair & 0xffffffff) - 1)];
  CHECK(std::min(a, b) == 50);
  CHECK(std::max(a, b) == 51);
}

TEST_CASE("cuda.patch: threads take each atom of a patch once, as even as whole atoms allow") {
  for (const std::int32_t threads : {32, 64, 96})
    for (const std::int32_t most : {1, 2, 4})
      for (const std::int32_t atoms : {0, 1, 31, 33, 64, 100, 129, 500}) {
        std::vector<int> taken(static_cast<std::size_t>(atoms), 0);
        for (std::int32_t base = 0; base < atoms; base += most * threads) {
          std::int32_t largest = 0;
          for (std::int32_t thread = 0; thread < threads; ++thread) {
            const Share share(atoms - base, most, thread, threads);
            CHECK(share.count >= 0);
            CHECK(share.count <= most);
            largest = std::max(largest, share.count);
            for (std::int32_t a = 0; a < share.count; ++a)
              ++taken[static_cast<std::size_t>(base + share.first + a)];
          }
          CHECK((largest - 1) * threads < std::min(atoms - base, most * threads));
        }
        CHECK(std::count(taken.begin(), taken.end(), 1) == atoms);
      }
}

TEST_CASE("cuda.patch: the curve interleaves coordinates, and takes what is none") {
  CHECK(place_on_curve(0, 0, 0) == 0);
  CHECK(place_on_curve(0.5, 0, 0) == 1u << 27);
  CHECK(place_on_curve(0, 0.5, 0) == 1u << 28);
  CHECK(place_on_curve(0, 0, 0.5) == 1u << 29);
  CHECK(place_on_curve(2, 1, 1e300) == (1u << 30) - 1);
  CHECK(place_on_curve(std::nan(""), -1, -1e300) == 0);
}

TEST_CASE("cuda.patch: candidates of the default space, and what no problem allows") {
  if (!wide_tune_space) CHECK(test::candidates<Parameters>().size() == 540);
  for (const ParameterInfo& parameter : describe_parameters<Parameters>())
    CHECK(std::find(parameter.values.begin(), parameter.values.end(), parameter.default_value) !=
          parameter.values.end());
  const auto refused = [](const ParameterValues& values) {
    return test::message_of([&] { (void)make_parameters<Parameters>(values); });
  };
  CHECK(refused({{"block_size", std::int64_t{48}}}).find("a block_size up to 256") !=
        std::string::npos);
  CHECK(refused({{"block_size", std::int64_t{512}}}) != "");
  CHECK(refused({{"patch_over_reach", 5.0}}).find("from 0.25 to 4") != std::string::npos);
  CHECK(refused({{"patch1_per_thread", std::int64_t{3}}}) != "");
  CHECK(refused({{"patch2_per_thread", std::int64_t{5}}}).find("from 1 to 4") != std::string::npos);
  CHECK(refused({{"sort", std::string("pairs")}, {"work", std::string("patch")}})
            .find("sort=pairs with work=pair") != std::string::npos);
}

}  // namespace
}  // namespace tessera::gpu::pair_force_patch
