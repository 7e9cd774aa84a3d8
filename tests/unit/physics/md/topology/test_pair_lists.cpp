#include "core/base/error.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <doctest/doctest.h>

#include <array>

namespace tessera::md {
namespace {

/// A chain 0-1-2-3-4 with a triangle 4-5-6 at its end; atom 7 has no bonds.
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

/// Partners of an atom that are `bonds_between` bonds away.
Atoms apart(const PairLists& near, std::size_t atom, std::int32_t bonds_between) {
  Atoms atoms;
  for (auto e = static_cast<std::size_t>(near.offsets[atom]);
       e < static_cast<std::size_t>(near.offsets[atom + 1]); ++e)
    if (near.kinds[e] == bonds_between - 1) atoms.push_back(near.partners[e]);
  return atoms;
}

using Angles = std::vector<std::array<std::int32_t, 3>>;
using Dihedrals = std::vector<std::array<std::int32_t, 4>>;

TEST_CASE("angles and dihedrals say which pairs count, where they are asked") {
  // A chain 0-1-2-3-4 with the angle 0-1-2 and the dihedral 1-2-3-4, similar to the examples in
  // LAMMPS' documentation of special_bonds.
  const std::vector<Bond> chain = {{{0, 1}, 0}, {{1, 2}, 0}, {{2, 3}, 0}, {{3, 4}, 0}};
  const Angles angles = {{2, 1, 0}};
  const Dihedrals dihedrals = {{4, 3, 2, 1}};
  const PairLists all = pairs_near_by_bonds(5, chain, {false, false, angles, dihedrals});
  CHECK(all.partners == pairs_near_by_bonds(5, chain).partners);
  CHECK(apart(all, 0, 3) == Atoms{3});
  const PairLists both = pairs_near_by_bonds(5, chain, {true, true, angles, dihedrals});
  CHECK(apart(both, 2, 1) == Atoms{1, 3});
  CHECK(apart(both, 0, 2) == Atoms{2});
  CHECK(apart(both, 2, 2) == Atoms{0, 4});
  CHECK(apart(both, 1, 2) == Atoms{3});
  CHECK(apart(both, 0, 3).empty());
  CHECK(apart(both, 1, 3) == Atoms{4});
  CHECK(apart(both, 4, 3) == Atoms{1});
  const PairLists by_angles = pairs_near_by_bonds(5, chain, {true, false, angles, {}});
  CHECK(apart(by_angles, 1, 2).empty());
  CHECK(apart(by_angles, 0, 3) == Atoms{3});
  const PairLists by_none = pairs_near_by_bonds(5, chain, {true, true, {}, {}});
  CHECK(of(by_none, 2) == Atoms{1, 3});
  CHECK_THROWS_AS((void)pairs_near_by_bonds(5, chain, {true, false, Angles{{0, 1, 5}}, {}}),
                  ParticleError);
}

TEST_CASE("a pair that no angle names may count by a longer path") {
  const std::vector<Bond> ring = {{{0, 1}, 0}, {{1, 2}, 0}, {{2, 3}, 0}, {{3, 4}, 0}, {{4, 0}, 0}};
  CHECK(apart(pairs_near_by_bonds(5, ring), 0, 2) == Atoms{2, 3});
  CHECK(apart(pairs_near_by_bonds(5, ring), 0, 3).empty());
  const Angles angles = {{0, 1, 2}};
  const PairLists near = pairs_near_by_bonds(5, ring, {true, false, angles, {}});
  CHECK(apart(near, 0, 2) == Atoms{2});
  CHECK(apart(near, 0, 3) == Atoms{3});
}

}  // namespace
}  // namespace tessera::md
