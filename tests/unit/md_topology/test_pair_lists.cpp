#include <doctest/doctest.h>

#include <tessera/core/base/error.hpp>
#include <tessera/md/topology/pair_lists.hpp>

namespace tessera::md {
namespace {

/// A chain 0-1-2-3-4 with a triangle 4-5-6 at its end; 7 stands alone.
const std::vector<Bond> bonds = {{{0, 1}, 0}, {{2, 1}, 1}, {{2, 3}, 0}, {{3, 4}, 0},
                                 {{4, 5}, 2}, {{5, 6}, 2}, {{6, 4}, 2}};

std::vector<std::int32_t> of(const PairLists& lists, std::size_t atom) {
  return {lists.partners.begin() + lists.offsets[atom],
          lists.partners.begin() + lists.offsets[atom + 1]};
}

using Atoms = std::vector<std::int32_t>;

TEST_CASE("each bond stands with both of its atoms, in the order given") {
  const PairLists lists = bonds_by_atom(8, bonds);
  CHECK(lists.offsets == Atoms{0, 1, 3, 5, 7, 10, 12, 14, 14});
  CHECK(of(lists, 1) == Atoms{0, 2});
  CHECK(of(lists, 4) == Atoms{3, 5, 6});
  CHECK(Atoms(lists.kinds.begin() + 1, lists.kinds.begin() + 3) == Atoms{0, 1});
  CHECK(bonds_by_atom(3, {}).offsets == Atoms{0, 0, 0, 0});
  CHECK_THROWS_AS((void)bonds_by_atom(4, bonds), ParticleError);
  CHECK_THROWS_AS((void)bonds_by_atom(4, std::vector<Bond>{{{2, 2}, 0}}), ParticleError);
  CHECK_THROWS_AS((void)bonds_by_atom(4, std::vector<Bond>{{{-1, 2}, 0}}), ParticleError);
}

TEST_CASE("excluded pairs go by the shortest path of bonds") {
  CHECK(of(excluded_pairs(8, bonds, {true, false, false}), 4) == Atoms{3, 5, 6});
  CHECK(of(excluded_pairs(8, bonds, {false, true, false}), 4) == Atoms{2});
  // 5 and 6 are two bonds apart through 4, but bonded.
  CHECK(of(excluded_pairs(8, bonds, {false, true, false}), 5) == Atoms{3});
  CHECK(of(excluded_pairs(8, bonds, {false, false, true}), 5) == Atoms{2});
  CHECK(of(excluded_pairs(8, bonds, {true, true, true}), 3) == Atoms{0, 1, 2, 4, 5, 6});
  CHECK(excluded_pairs(8, bonds, {false, false, false}).partners.empty());
  CHECK(of(excluded_pairs(8, bonds, {true, true, true}), 7).empty());
}

}  // namespace
}  // namespace tessera::md
