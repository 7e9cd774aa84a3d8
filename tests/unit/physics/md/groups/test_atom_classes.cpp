#include "core/base/error.hpp"
#include "physics/md/groups/atom_classes.hpp"
#include "physics/md/pair_force/sample_coefficients.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace tessera::md {
namespace {

/// Types 0 and 2 have atoms, type 1 has none.
System four_atoms() {
  System system;
  system.types = {{"A", 1.0}, {"B", 1.0}, {"C", 1.0}};
  system.type = {2, 0, 0, 2};
  return system;
}

AtomGroup by_mark(AtomMarks mark) {
  return {"marked", {false, false, false}, mark};
}

AtomGroup by_type(std::size_t type) {
  AtomGroup group{"type", {false, false, false}, 0};
  group.types[type] = true;
  return group;
}

TEST_CASE("a group has all atoms of its types and those with its mark") {
  AtomGroup group = by_type(1);
  group.mark = 4;
  CHECK(group.contains({1, 0}));
  CHECK(group.contains({0, 4}));
  CHECK(group.contains({2, 6}));
  CHECK_FALSE(group.contains({0, 3}));
}

TEST_CASE("a pair of groups holds a pair of atoms whichever is which") {
  const GroupPair pair{by_type(0), by_mark(1)};
  CHECK(pair.contains({0, 0}, {2, 1}));
  CHECK(pair.contains({2, 1}, {0, 0}));
  CHECK_FALSE(pair.contains({0, 0}, {0, 0}));
  CHECK_FALSE(pair.contains({2, 1}, {2, 1}));
  CHECK(pair.contains({0, 1}, {0, 1}));  // in both groups
  CHECK(any_contains({{by_type(1), by_type(1)}, pair}, {2, 1}, {0, 0}));
  CHECK_FALSE(any_contains({}, {2, 1}, {0, 0}));
}

TEST_CASE("types are divided by what pairs read, and no further") {
  const System system = four_atoms();
  const std::vector<AtomMarks> marks = {1, 3, 2, 0};
  const auto plain = atom_classes(system, marks, {{by_type(0), by_type(2)}});
  CHECK(plain.of_atom.empty());
  CHECK(plain.all == std::vector<AtomClass>{{0, 0}, {1, 0}, {2, 0}});
  const auto first = atom_classes(system, marks, {{by_mark(1), by_type(2)}});
  CHECK(first.all == std::vector<AtomClass>{{0, 0}, {0, 1}, {1, 0}, {2, 0}, {2, 1}});
  CHECK(first.of_atom == std::vector<std::int32_t>{4, 1, 0, 3});
  const auto both = atom_classes(system, marks, {{by_mark(1), by_mark(2)}});
  CHECK(both.all == std::vector<AtomClass>{{0, 2}, {0, 3}, {1, 0}, {2, 0}, {2, 1}});
  CHECK(both.of_atom == std::vector<std::int32_t>{4, 1, 0, 3});
  CHECK(atom_classes(system, {}, {{by_mark(1), by_mark(1)}}).of_atom.empty());
}

TEST_CASE("classes have the coefficients of their types, or no interaction") {
  CoefficientTable table(pair_potentials().find("lj/cut+coul/rf"), 2);
  table.set_all({{"cutoff", 2}, {"epsilon", 3}, {"sigma", 1}, {"coulomb_cutoff", 4}});
  table.set(0, 1, {{"epsilon", 5}});
  const std::vector<AtomClass> classes = {{0, 0}, {0, 1}, {1, 0}};
  const CoefficientTable of = class_table(
      table, classes, [](const AtomClass& a, const AtomClass& b) { return a.marks == b.marks; });
  REQUIRE(of.types() == 3);
  const PairPotential& potential = of.potential();
  CHECK(of.at(0, 0, potential.field("epsilon")) == 3);
  CHECK(of.at(0, 2, potential.field("epsilon")) == 5);
  CHECK(of.at(2, 0, potential.field("coulomb_cutoff")) == 4);
  CHECK(of.at(1, 1, potential.field("cutoff")) == 2);
  for (const char* none : {"cutoff", "coulomb_cutoff", "epsilon"}) {
    CHECK(of.at(0, 1, potential.field(none)) == 0);
    CHECK(of.at(2, 1, potential.field(none)) == 0);
  }
  check_coefficients(potential, of.view());
}

TEST_CASE("every form and sum takes pairs that do not interact, in every precision") {
  int potentials = 0;
  for (const auto& names : {pair_potentials().names(), pair_potentials().sums()})
    for (const std::string& name : names) {
      INFO(name);
      CoefficientTable table(pair_potentials().find(name), 1);
      table.set_all(sample_coefficients(table.potential(), {.flag = true, .charge_cutoff = 2.5}));
      const CoefficientTable of = class_table(
          table, {{0, 0}, {0, 1}}, [](const AtomClass& a, const AtomClass& b) { return a == b; });
      check_coefficients(of.potential(), of.view());
      CHECK(of.largest_cutoff() == table.largest_cutoff());
      const auto width = static_cast<std::size_t>(of.potential().table_width());
      for (const Precision precision :
           {Precision::double_precision, Precision::mixed, Precision::single}) {
        const PackedPairs packed = packed_pairs(precision, of.potential(), of.view(), 1);
        CHECK(packed.table[0] > 0);
        CHECK(packed.table[width] == 0);
        for (const double number : packed.table)
          CHECK(std::isfinite(number));
      }
      ++potentials;
    }
  CHECK(potentials > 4);
}

TEST_CASE("more classes than a table takes are refused") {
  const CoefficientTable table(pair_potentials().find("lj/cut"), 1);
  const std::vector<AtomClass> classes((std::size_t{1} << 14) + 1);
  const auto interacts = [](const AtomClass&, const AtomClass&) { return true; };
  CHECK_THROWS_AS((void)class_table(table, classes, interacts), ArgumentError);
}

}  // namespace
}  // namespace tessera::md
