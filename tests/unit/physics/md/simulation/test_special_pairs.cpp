#include "core/base/error.hpp"
#include "physics/md/simulation/special_pairs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

/// A chain of six atoms of two types, and one single atom.
System chain() {
  System system;
  system.types = {{"A", 1.0}, {"B", 1.0}};
  system.type = {0, 1, 0, 1, 0, 1, 0};
  system.positions.resize(7);
  for (std::int32_t i = 0; i < 5; ++i)
    system.bonds.push_back({{i, i + 1}, 0});
  return system;
}

CoefficientTable table(const std::string& style, double epsilon = 1) {
  CoefficientTable coefficients(pair_potentials().find(style), 2);
  coefficients.set_all({{"epsilon", epsilon}, {"sigma", 1}, {"cutoff", 3}});
  return coefficients;
}

std::vector<std::int32_t> partners_of(const PairLists& lists, std::size_t atom) {
  return {lists.partners.begin() + lists.offsets[atom],
          lists.partners.begin() + lists.offsets[atom + 1]};
}

/// Coefficients of the special pair (i, j); empty if it is no special pair.
std::vector<double> left(const SpecialPairs& pairs, std::size_t i, std::int32_t j) {
  if (!pairs.term) return {};
  const PairLists& lists = pairs.term->lists;
  for (auto e = static_cast<std::size_t>(lists.offsets[i]);
       e < static_cast<std::size_t>(lists.offsets[i + 1]); ++e)
    if (lists.partners[e] == j)
      return pairs.term->coefficients[static_cast<std::size_t>(lists.kinds[e])];
  return {};
}

}  // namespace

TEST_CASE("left out and scaled pairs leave md/pair_force, and what is left of them is a term") {
  SpecialPairsOptions options;
  options.factors = {PairFactors{0, 0}, {0, 0}, {0.5, 0.5}};
  const SpecialPairs pairs = special_pairs(table("lj/cut"), chain(), options);
  CHECK(partners_of(pairs.excluded, 0) == std::vector<std::int32_t>{1, 2, 3});
  CHECK(partners_of(pairs.excluded, 2) == std::vector<std::int32_t>{0, 1, 3, 4, 5});
  CHECK(partners_of(pairs.excluded, 6).empty());
  REQUIRE(pairs.term);
  CHECK(pairs.term->name == "special");
  CHECK(pairs.term->potential == "lj/cut");
  CHECK(partners_of(pairs.term->lists, 0) == std::vector<std::int32_t>{3});
  // cutoff, epsilon, sigma, shift; factor; field
  CHECK(left(pairs, 0, 3) == std::vector<double>{3, 1, 1, 0, 0.5, 1});
  CHECK(left(pairs, 3, 0) == left(pairs, 0, 3));
}

TEST_CASE("angles and dihedrals of the system restrict special pairs") {
  System system = chain();
  system.angles = {{0, 1, 2}};
  system.dihedrals = {{2, 3, 4, 5}};
  SpecialPairsOptions options;
  options.factors = {PairFactors{0, 0}, {0, 0}, {0.5, 0.5}};
  options.by_angles = true;
  options.by_dihedrals = true;
  const SpecialPairs pairs = special_pairs(table("lj/cut"), system, options);
  CHECK(partners_of(pairs.excluded, 0) == std::vector<std::int32_t>{1, 2});
  CHECK(partners_of(pairs.excluded, 1) == std::vector<std::int32_t>{0, 2});
  CHECK(partners_of(pairs.excluded, 2) == std::vector<std::int32_t>{0, 1, 3, 4, 5});
  REQUIRE(pairs.term);
  CHECK(partners_of(pairs.term->lists, 0).empty());
  CHECK(partners_of(pairs.term->lists, 5) == std::vector<std::int32_t>{2});
}

TEST_CASE("only a form that keeps its field leaves something of what is left out") {
  const SpecialPairsOptions usual;
  CHECK_FALSE(special_pairs(table("lj/cut"), chain(), usual).term);
  CHECK_FALSE(special_pairs(table("lj/cut+coul/cut"), chain(), usual).term);
  for (const char* style : {"lj/cut+coul/rf", "lj/cut+coul/dsf", "lj/cut+coul/long"}) {
    const SpecialPairs kept = special_pairs(table(style), chain(), usual);
    REQUIRE(kept.term);
    CHECK(partners_of(kept.term->lists, 1) == std::vector<std::int32_t>{0, 2});
    SpecialPairsOptions without = usual;
    without.field = false;
    CHECK_FALSE(special_pairs(table(style), chain(), without).term);
  }
}

TEST_CASE("coefficients of atoms three bonds apart take their place, also unscaled") {
  SpecialPairsOptions options;
  options.third = table("lj/cut");
  options.third->set(0, 1, {{"epsilon", 0.25}});
  const SpecialPairs pairs = special_pairs(table("lj/cut"), chain(), options);
  CHECK(partners_of(pairs.excluded, 0) == std::vector<std::int32_t>{1, 3});
  CHECK(left(pairs, 0, 3) == std::vector<double>{3, 0.25, 1, 0, 1, 1});
  options.third = table("lj/gromacs");
  CHECK_THROWS_AS((void)special_pairs(table("lj/cut"), chain(), options), ArgumentError);
}

TEST_CASE("a listed pair has its own factors, whatever bonds say, and the later one wins") {
  SpecialPairsOptions options;
  options.listed = {{{6, 0}, {0, 0}}, {{0, 1}, {1, 1}}, {{5, 6}, {0.1, 0.1}}, {{6, 5}, {0.2, 0.3}}};
  const SpecialPairs pairs = special_pairs(table("lj/cut+coul/cut"), chain(), options);
  CHECK(partners_of(pairs.excluded, 0) == std::vector<std::int32_t>{6});
  CHECK(partners_of(pairs.excluded, 6) == std::vector<std::int32_t>{0, 5});
  CHECK(partners_of(pairs.excluded, 1) == std::vector<std::int32_t>{2});
  const std::vector<double> row = left(pairs, 6, 5);
  REQUIRE(row.size() == 9);
  CHECK(row[6] == 0.2);
  CHECK(row[7] == 0.3);
}

TEST_CASE("a listed pair three bonds apart has the coefficients of such pairs") {
  SpecialPairsOptions options;
  options.third = table("lj/cut");
  options.third->set(0, 1, {{"epsilon", 0.25}});
  // Pairs three, three and two bonds apart, and without bonds; the fourth has types with equal
  // coefficients.
  options.listed = {{{0, 3}, {0.5, 0.5}}, {{1, 4}, {1, 1}}, {{0, 2}, {0.5, 0.5}}, {{6, 0}, {2, 2}}};
  const SpecialPairs pairs = special_pairs(table("lj/cut"), chain(), options);
  CHECK(left(pairs, 0, 3) == std::vector<double>{3, 0.25, 1, 0, 0.5, 1});
  CHECK(left(pairs, 3, 0) == left(pairs, 0, 3));
  CHECK(left(pairs, 1, 4) == std::vector<double>{3, 0.25, 1, 0, 1, 1});
  CHECK(left(pairs, 0, 2) == std::vector<double>{3, 1, 1, 0, 0.5, 1});
  CHECK(left(pairs, 0, 6) == std::vector<double>{3, 1, 1, 0, 2, 1});
  CHECK(partners_of(pairs.excluded, 0) == std::vector<std::int32_t>{1, 2, 3, 6});
}

TEST_CASE("listed pairs that are none are refused") {
  const auto listed = [](const ListedPair& pair) {
    SpecialPairsOptions options;
    options.listed = {pair};
    return special_pairs(table("lj/cut"), chain(), options);
  };
  CHECK_THROWS_AS((void)listed({{0, 7}, {0, 0}}), ParticleError);
  CHECK_THROWS_AS((void)listed({{-1, 2}, {0, 0}}), ParticleError);
  CHECK_THROWS_AS((void)listed({{3, 3}, {0, 0}}), ParticleError);
  CHECK_THROWS_AS((void)listed({{3, 4}, {NAN, 0}}), ArgumentError);
}

}  // namespace tessera::md
