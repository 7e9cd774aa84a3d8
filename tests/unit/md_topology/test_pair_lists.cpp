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

TEST_CASE("pairs near by bonds go by the shortest path") {
  const PairLists near = pairs_near_by_bonds(8, bonds);
  const auto at = [&](std::size_t atom, std::int32_t bonds_between) {
    Atoms atoms;
    for (auto e = static_cast<std::size_t>(near.offsets[atom]);
         e < static_cast<std::size_t>(near.offsets[atom + 1]); ++e)
      if (near.kinds[e] == bonds_between - 1) atoms.push_back(near.partners[e]);
    return atoms;
  };
  CHECK(at(4, 1) == Atoms{3, 5, 6});
  CHECK(at(4, 2) == Atoms{2});
  // 5 and 6 are two bonds apart through 4, but bonded.
  CHECK(at(5, 2) == Atoms{3});
  CHECK(at(5, 3) == Atoms{2});
  CHECK(of(near, 3) == Atoms{0, 1, 2, 4, 5, 6});
  CHECK(of(near, 7).empty());
}

}  // namespace
}  // namespace tessera::md
