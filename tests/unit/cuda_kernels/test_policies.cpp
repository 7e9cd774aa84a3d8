#include "backends/cuda/deposit_tiled/policy.hpp"
#include "backends/cuda/field_records/policy.hpp"
#include "backends/cuda/pair_force_list/policy.hpp"
#include "tests/support/candidates.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace tessera::cuda {
namespace {

template <class Policy>
std::string refused(const char* name, const KnobValue& value) {
  return test::message_of([&] { (void)make_policy<Policy>({{name, value}}); });
}

TEST_CASE("cuda.tiled: each way settles the knobs that it does not read") {
  using deposit_tiled::Policy;
  using deposit_tiled::Tile;
  using deposit_tiled::Way;
  Policy policy;
  CHECK(policy == policy.settled());
  policy = {Way::by_order, 8, 1024, 8, Tile{4, 4, 16}, 2, 8, 20};
  Policy expected;
  expected.longest_list = 8;
  CHECK(policy.settled() == expected);
  policy.way = Way::runs;
  expected = {Way::runs, 4, 1024, 8};
  CHECK(policy.settled() == expected);
  policy.way = Way::tiles;
  expected = policy;
  expected.longest_list = Policy{}.longest_list;
  expected.runs_per_warp = Policy{}.runs_per_warp;
  expected.most_cells = Policy{}.most_cells;
  CHECK(policy.settled() == expected);
  for (const Policy& candidate : test::candidates<Policy>())
    CHECK(candidate.settled().settled() == candidate);
}

TEST_CASE("cuda.tiled: candidates of the default space, and what no problem allows") {
  using deposit_tiled::Policy;
  const std::vector<Policy> candidates = test::candidates<Policy>();
  CHECK(std::count(candidates.begin(), candidates.end(), Policy{}) == 1);
  if (!wide_tune_space) CHECK(candidates.size() == 175);
  if (wide_tune_space) CHECK(candidates.size() == 1323);
  CHECK(refused<Policy>("runs_per_warp", std::int64_t{100}).find("a runs_per_warp up to 65536") !=
        std::string::npos);
  CHECK(refused<Policy>("runs_per_warp", std::int64_t{0}) != "");
  CHECK(refused<Policy>("most_cells", std::int64_t{33}).find("a most_cells from 0 to 32") !=
        std::string::npos);
}

TEST_CASE("cuda.records: candidates of the default space, and what no problem allows") {
  using field_records::Policy;
  CHECK(test::candidates<Policy>().size() == 9);
  CHECK(make_policy<Policy>({{"block_size", std::int64_t{96}}}).block_size == 96);
  CHECK(refused<Policy>("lanes", std::int64_t{3}) != "");
  for (const int threads : {0, 48, 512})
    CHECK(refused<Policy>("block_size", std::int64_t{threads})
              .find("a block_size from 32 to 256 that is a multiple of 32") != std::string::npos);
}

TEST_CASE("cuda.list: threads and skins by size, and by whether lists are staged") {
  using pair_force_list::usual_skin;
  using pair_force_list::usual_threads;
  constexpr std::int64_t device = 270336;
  // With staged lists one thread per atom is used as soon as threads fill nearly half of the
  // device.
  CHECK(usual_threads(false, 1048576, 1, true, device) == 1);
  CHECK(usual_threads(false, 256000, 2, true, device) == 1);
  CHECK(usual_threads(false, 256000, 2, false, device) == 4);
  CHECK(usual_threads(false, 32000, 1, true, device) ==
        usual_threads(false, 32000, 1, false, device));
  CHECK(usual_threads(true, 1048576, 1, false, device) == 2);
  for (const bool in_double : {false, true}) {
    double before = 1;
    for (const std::int64_t atoms : {1, 1000, 32000, 256000, 1048576, 100000000}) {
      const double skin = usual_skin(in_double, false, false, atoms);
      CHECK(skin > 0.09);
      CHECK(skin <= 0.24);
      CHECK(skin <= before);
      before = skin;
    }
  }
  // Staged lists cost more, and forces less.
  for (const std::int64_t atoms : {256000, 1048576, 4000000}) {
    CHECK(usual_skin(false, true, false, atoms) > usual_skin(false, false, false, atoms) + 0.03);
    CHECK(usual_skin(false, true, false, atoms) == test::relative(0.2).epsilon(0.1));
  }
  // For types with different cutoffs the host makes the lists.
  CHECK(usual_skin(false, false, true, 64000) > usual_skin(false, false, false, 64000) + 0.03);
}

TEST_CASE("cuda.list: candidates of the default space, and what no problem allows") {
  using pair_force_list::Policy;
  if (!wide_tune_space) CHECK(test::candidates<Policy>().size() == 75);
  for (const KnobInfo& knob : describe_knobs<Policy>())
    CHECK(std::find(knob.values.begin(), knob.values.end(), knob.default_value) !=
          knob.values.end());
  for (const int tile : {1, 8, 1024})
    CHECK(make_policy<Policy>({{"list_tile", std::int64_t{tile}}}).list_tile == tile);
  for (const int tile : {0, 3, -8, 2048})
    CHECK(refused<Policy>("list_tile", std::int64_t{tile}).find("a power of two") !=
          std::string::npos);
  CHECK(refused<Policy>("cells_per_reach", std::int64_t{3}).find("a cells_per_reach of 1 or 2") !=
        std::string::npos);
  CHECK(refused<Policy>("cell_block", std::int64_t{0}).find("a cell_block from 1") !=
        std::string::npos);
  CHECK(refused<Policy>("tiles_from", std::int64_t{-1}).find("a tiles_from of 0 or more") !=
        std::string::npos);
  for (const int cells : {0, 17})
    CHECK(refused<Policy>("cells_along", std::int64_t{cells}).find("a cells_along from 1 to 16") !=
          std::string::npos);
  CHECK(refused<Policy>("search_block", std::int64_t{256}).find("a search_block up to 128") !=
        std::string::npos);
  CHECK(refused<Policy>("block_size", std::int64_t{48}).find("a block_size up to 256") !=
        std::string::npos);
}

}  // namespace
}  // namespace tessera::cuda
