#include "backends/gpu/deposit_tiled/parameters.hpp"
#include "backends/gpu/field_records/parameters.hpp"
#include "backends/gpu/pair_force_list/parameters.hpp"
#include "tests/support/candidates.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace tessera::gpu {
namespace {

template <class Parameters>
std::string refused(const char* name, const ParameterValue& value) {
  return test::message_of([&] { (void)make_parameters<Parameters>({{name, value}}); });
}

TEST_CASE("cuda.tiled: each algorithm makes the parameters canonical that it does not read") {
  using deposit_tiled::Algorithm;
  using deposit_tiled::Parameters;
  using deposit_tiled::Tile;
  Parameters parameters;
  CHECK(parameters == parameters.canonical());
  parameters = {Algorithm::by_order, 8, 1024, 8, Tile{4, 4, 16}, 2, 8, 20};
  Parameters expected;
  expected.longest_list = 8;
  CHECK(parameters.canonical() == expected);
  parameters.algorithm = Algorithm::runs;
  expected = {Algorithm::runs, 4, 1024, 8};
  CHECK(parameters.canonical() == expected);
  parameters.algorithm = Algorithm::tiles;
  expected = parameters;
  expected.longest_list = Parameters{}.longest_list;
  expected.runs_per_warp = Parameters{}.runs_per_warp;
  expected.most_cells = Parameters{}.most_cells;
  CHECK(parameters.canonical() == expected);
  for (const Parameters& candidate : test::candidates<Parameters>())
    CHECK(candidate.canonical().canonical() == candidate);
}

TEST_CASE("cuda.tiled: candidates of the default space, and what no problem allows") {
  using deposit_tiled::Parameters;
  const std::vector<Parameters> candidates = test::candidates<Parameters>();
  CHECK(std::count(candidates.begin(), candidates.end(), Parameters{}) == 1);
  if (!wide_tune_space) CHECK(candidates.size() == 175);
  if (wide_tune_space) CHECK(candidates.size() == 1323);
  CHECK(
      refused<Parameters>("runs_per_warp", std::int64_t{100}).find("a runs_per_warp up to 65536") !=
      std::string::npos);
  CHECK(refused<Parameters>("runs_per_warp", std::int64_t{0}) != "");
  CHECK(refused<Parameters>("most_cells", std::int64_t{33}).find("a most_cells from 0 to 32") !=
        std::string::npos);
}

TEST_CASE("cuda.records: candidates of the default space, and what no problem allows") {
  using field_records::Parameters;
  CHECK(test::candidates<Parameters>().size() == 9);
  CHECK(make_parameters<Parameters>({{"block_size", std::int64_t{96}}}).block_size == 96);
  CHECK(refused<Parameters>("lanes", std::int64_t{3}) != "");
  for (const int threads : {0, 48, 512})
    CHECK(refused<Parameters>("block_size", std::int64_t{threads})
              .find("a block_size up to 256 that is a multiple of 32") != std::string::npos);
}

TEST_CASE("cuda.list: threads and skins by size, and by whether lists are staged") {
  using pair_force_list::usual_skin;
  using pair_force_list::usual_threads;
  constexpr std::int64_t device = 270336;
  const pair_force_list::StepTimes times =
      default_row(pair_force_list::step_times, "sm_90").parameters;
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
      const double skin = usual_skin(times, in_double, false, false, atoms);
      CHECK(skin > 0.09);
      CHECK(skin <= 0.24);
      CHECK(skin <= before);
      before = skin;
    }
  }
  // Staged lists cost more, and forces less.
  for (const std::int64_t atoms : {256000, 1048576, 4000000}) {
    CHECK(usual_skin(times, false, true, false, atoms) >
          usual_skin(times, false, false, false, atoms) + 0.03);
    CHECK(usual_skin(times, false, true, false, atoms) == test::relative(0.2).epsilon(0.1));
  }
  // For types with different cutoffs the host makes the lists.
  CHECK(usual_skin(times, false, false, true, 64000) >
        usual_skin(times, false, false, false, 64000) + 0.03);
}

TEST_CASE("cuda.list: candidates of the default space, and what no problem allows") {
  using pair_force_list::Parameters;
  if (!wide_tune_space) CHECK(test::candidates<Parameters>().size() == 75);
  for (const ParameterInfo& parameter : describe_parameters<Parameters>())
    CHECK(std::find(parameter.values.begin(), parameter.values.end(), parameter.default_value) !=
          parameter.values.end());
  for (const int tile : {1, 8, 1024})
    CHECK(make_parameters<Parameters>({{"list_tile", std::int64_t{tile}}}).list_tile == tile);
  for (const int tile : {0, 3, -8, 2048})
    CHECK(refused<Parameters>("list_tile", std::int64_t{tile}).find("a power of two") !=
          std::string::npos);
  CHECK(
      refused<Parameters>("cells_per_reach", std::int64_t{3}).find("a cells_per_reach of 1 or 2") !=
      std::string::npos);
  CHECK(refused<Parameters>("cell_block", std::int64_t{0}).find("a cell_block from 1") !=
        std::string::npos);
  CHECK(refused<Parameters>("tile_search_min_density", std::int64_t{-1})
            .find("a tile_search_min_density of 0 or more") != std::string::npos);
  for (const int cells : {0, 17})
    CHECK(refused<Parameters>("z_subdivision", std::int64_t{cells})
              .find("a z_subdivision from 1 to 16") != std::string::npos);
  CHECK(refused<Parameters>("search_block", std::int64_t{256}).find("a search_block up to 128") !=
        std::string::npos);
  CHECK(refused<Parameters>("block_size", std::int64_t{48}).find("a block_size up to 256") !=
        std::string::npos);
}

}  // namespace
}  // namespace tessera::gpu
