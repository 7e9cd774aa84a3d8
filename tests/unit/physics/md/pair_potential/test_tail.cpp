#include "core/base/error.hpp"
#include "physics/md/pair_potential/tail.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

CoefficientTable one_type(const std::string& style, const CoefficientValues& values) {
  CoefficientTable table(pair_potentials().find(style), 1);
  table.set_all(values);
  return table;
}

TailIntegrals tail_of_one(const std::string& style, const CoefficientValues& values) {
  // Two atoms count as 2^2 / 2 = 2 pairs; the integrals are per pair.
  const TailIntegrals twice = total_tail(one_type(style, values), {2});
  return {twice.energy / 2, twice.virial / 2};
}

constexpr double pi = std::numbers::pi;

}  // namespace

TEST_CASE("the tail of Lennard-Jones is that of the textbooks") {
  const double e = 1.3;
  const double s = 1.1;
  const double rc = 2.7;
  const TailIntegrals tail = tail_of_one("lj/cut", {{"epsilon", e}, {"sigma", s}, {"cutoff", rc}});
  const double twelfth = std::pow(s, 12) / (9 * std::pow(rc, 9));
  const double sixth = std::pow(s, 6) / (3 * std::pow(rc, 3));
  CHECK(tail.energy == test::relative(16 * pi * e * (twelfth - sixth)).epsilon(1e-13));
  CHECK(tail.virial == test::relative(96 * pi * e * (2 * twelfth - sixth)).epsilon(1e-13));
  const TailIntegrals sum = tail_of_one(
      "lj/cut+coul/cut", {{"epsilon", e}, {"sigma", s}, {"cutoff", rc}, {"coulomb_cutoff", 5}});
  CHECK(sum.energy == test::relative(tail.energy).epsilon(1e-14));
}

TEST_CASE("other tails follow from their antiderivatives") {
  const double rc = 2.5;
  const TailIntegrals mie = tail_of_one(
      "mie/cut",
      {{"epsilon", 1}, {"sigma", 1}, {"repulsive", 9}, {"attractive", 6}, {"cutoff", rc}});
  CHECK(
      mie.energy ==
      test::relative(4 * pi * 6.75 * (std::pow(rc, -6) / 6 - std::pow(rc, -3) / 3)).epsilon(1e-13));
  const double rho = 0.4;
  const TailIntegrals buck =
      tail_of_one("buck", {{"a", 50}, {"rho", rho}, {"c", 2}, {"cutoff", rc}});
  const double repulsion =
      50 * std::exp(-rc / rho) * rho * (rc * rc + 2 * rho * rc + 2 * rho * rho);
  CHECK(buck.energy ==
        test::relative(4 * pi * (repulsion - 2 * std::pow(rc, -3) / 3)).epsilon(1e-12));
}

TEST_CASE("what is switched off before the cutoff counts too") {
  const CoefficientValues values{{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}, {"switch", 2}};
  const double cut = tail_of_one("lj/cut", {{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}}).energy;
  for (const char* style : {"lj/switch", "lj/charmm"}) {
    const PairPotential potential = pair_potentials().find(style);
    const CoefficientTable table = one_type(style, values);
    std::vector<double> row(static_cast<std::size_t>(potential.table_width()));
    const double fields[] = {2.5, 1, 1, 2};
    potential.pack(fields, row.data());
    double taken = 0;
    const int steps = 20000;
    for (int k = 0; k < steps; ++k) {
      const double r = 2 + 0.5 * (k + 0.5) / steps;
      const double whole = 4 * (std::pow(r, -12) - std::pow(r, -6));
      taken +=
          4 * pi * r * r * (whole - potential.evaluate(row.data(), r, 0, 0).energy) * 0.5 / steps;
    }
    CAPTURE(style);
    CHECK(total_tail(table, {2}).energy / 2 == test::relative(cut + taken).epsilon(1e-8));
  }
}

TEST_CASE("types count by their pairs, and a cutoff of zero has no tail") {
  CoefficientTable table(pair_potentials().find("lj/cut"), 2);
  table.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  const double all = total_tail(table, {4, 0}).energy;
  CHECK(total_tail(table, {1, 3}).energy == test::relative(all).epsilon(1e-14));
  table.set(0, 1, {{"cutoff", 0}});
  CHECK(total_tail(table, {1, 3}).energy == test::relative(all * 10 / 16).epsilon(1e-14));
}

TEST_CASE("forms without a tail, and shifted ones, are refused") {
  const CoefficientValues values{{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}};
  CHECK_THROWS_AS((void)tail_of_one("lj/smooth/linear", values), ArgumentError);
  CHECK_THROWS_AS((void)tail_of_one("coul/cut", {{"cutoff", 2.5}}), ArgumentError);
  CoefficientValues shifted = values;
  shifted["shift"] = 1;
  CHECK_THROWS_AS((void)tail_of_one("lj/cut", shifted), ArgumentError);
  CHECK_THROWS_AS((void)total_tail(one_type("lj/cut", values), {1, 2}), ArgumentError);
}

TEST_CASE("damped charges have an energy with themselves") {
  // q^2 (erfc(alpha rc)/rc + f rc)/2 + alpha/sqrt(pi), with the minus sign, at alpha 0.2, rc 10.
  const double alpha = 0.2;
  const double rc = 10;
  const double rest = std::erfc(alpha * rc);
  const double f = rest / (rc * rc) + 2 * alpha / std::sqrt(pi) * std::exp(-4.0) / rc;
  const double expected = -3.0 * ((rest / rc + f * rc) / 2 + alpha / std::sqrt(pi));
  const CoefficientTable table =
      one_type("coul/dsf", {{"alpha", alpha}, {"cutoff", rc}, {"coulomb_constant", 1}});
  CHECK(self_energy(table, {3.0}) == test::relative(expected).epsilon(1e-14));
  CHECK(self_energy(one_type("coul/rf", {{"cutoff", rc}}), {3.0}) == 0);
}

}  // namespace tessera::md
