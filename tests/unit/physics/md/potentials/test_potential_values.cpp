#include "core/base/device_code.hpp"

#include <math.h>
// Pair potentials call functions of <math.h> without a namespace, so these headers follow it.
#include "physics/md/pair_potential/potential_functions.hpp"
// Pair potentials include nothing.
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/potentials/coul_long.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/physics/md/potentials/potential_checks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

/// \file
/// Each pair potential of the library compared with its published formula, evaluated independently
/// in 60 digits.

namespace tessera::md {

using test::check_values;

TEST_CASE("lj/sf has its published values") {
  const PairPotential potential = pair_potentials().find("lj/sf");
  check_values(potential, {{"epsilon", 1.3}, {"sigma", 1.1}, {"cutoff", 2.7}}, 0, 0,
               {{0.95, 17.7554382736886053, 318.279342162732189},
                {1.25, -1.21420959230184355, -0.64078606576922698},
                {2.5, -0.00370611701217787064, -0.0163063600878041867}},
               1e-13);
}

TEST_CASE("lj/switch has its published values") {
  const PairPotential potential = pair_potentials().find("lj/switch");
  check_values(potential, {{"epsilon", 1.3}, {"sigma", 1.1}, {"cutoff", 2.7}, {"switch", 2.1}}, 0,
               0,
               {{0.95, 17.6698374431075094, 318.259950702493156},
                {1.25, -1.29341124100405878, -0.660177526008259446},
                {2.5, -0.00786177189192262792, -0.0444887087393714027}},
               1e-13);
}

TEST_CASE("lj/charmm has its published values") {
  const PairPotential potential = pair_potentials().find("lj/charmm");
  check_values(potential, {{"epsilon", 1.3}, {"sigma", 1.1}, {"cutoff", 2.7}, {"switch", 2.1}}, 0,
               0,
               {{0.95, 17.6698374431075094, 318.259950702493156},
                {1.25, -1.29341124100405878, -0.660177526008259446},
                {2.5, -0.011126269901783474, -0.0466121811671523976}},
               1e-13);
}

TEST_CASE("lj/gromacs has its published values") {
  const PairPotential potential = pair_potentials().find("lj/gromacs");
  check_values(potential, {{"epsilon", 1.3}, {"sigma", 1.1}, {"cutoff", 2.7}, {"switch", 2.1}}, 0,
               0,
               {{0.95, 17.7132538706229681, 318.259950702493156},
                {1.25, -1.24999481348860012, -0.660177526008259446},
                {2.5, -0.00264193885376662537, -0.0153965155084624057}},
               1e-13);
}

TEST_CASE("lj/charmmfsw has its published values") {
  const PairPotential potential = pair_potentials().find("lj/charmmfsw");
  check_values(potential, {{"epsilon", 1.3}, {"sigma", 1.1}, {"cutoff", 2.7}, {"switch", 2.1}}, 0,
               0,
               {{0.95, 17.7198833851021325, 318.259950702493156},
                {1.25, -1.24336529900943564, -0.660177526008259446},
                {2.5, -0.00298091641426728303, -0.0138546059849467805}},
               1e-13);
}

TEST_CASE("mie/cut has its published values") {
  const PairPotential potential = pair_potentials().find("mie/cut");
  check_values(potential,
               {{"epsilon", 1.3},
                {"sigma", 1.1},
                {"cutoff", 2.7},
                {"repulsive", 14.5},
                {"attractive", 5.25}},
               0, 0,
               {{0.95, 22.562386161777307, 442.766193062739109},
                {1.25, -1.28573282310522221, -0.955676242397037182},
                {2.5, -0.0486959934512113107, -0.0408683341421800084}},
               1e-13);
  check_values(potential,
               {{"epsilon", 1.3},
                {"sigma", 1.1},
                {"cutoff", 2.7},
                {"repulsive", 14.5},
                {"attractive", 5.25},
                {"shift", 1}},
               0, 0, {{1.25, -1.2532143680923018, -0.955676242397037182}}, 1e-13);
}

TEST_CASE("buck has its published values") {
  const PairPotential potential = pair_potentials().find("buck");
  check_values(potential, {{"a", 800}, {"rho", 0.25}, {"c", 2.5}, {"cutoff", 2.7}}, 0, 0,
               {{0.95, 14.4956821299329603, 52.7440823409931449},
                {1.25, 4.73499759926837368, 14.7325619176587958},
                {2.5, 0.0260799438099878812, 0.04828151009598061}},
               1e-13);
  check_values(potential, {{"a", 800}, {"rho", 0.25}, {"c", 2.5}, {"cutoff", 2.7}, {"shift", 1}}, 0,
               0, {{1.25, 4.72513093351871912, 14.7325619176587958}}, 1e-13);
}

TEST_CASE("morse has its published values") {
  const PairPotential potential = pair_potentials().find("morse");
  check_values(potential, {{"d0", 1.3}, {"alpha", 1.7}, {"r0", 1.1}, {"cutoff", 2.7}}, 0, 0,
               {{0.95, -1.19032166083986162, 1.74394391305541473},
                {1.25, -1.23413864224286469, -0.616752370110209789},
                {2.5, -0.229496209310145042, -0.148485423623510345}},
               1e-13);
  check_values(potential, {{"d0", 1.3}, {"alpha", 1.7}, {"r0", 1.1}, {"cutoff", 2.7}, {"shift", 1}},
               0, 0, {{1.25, -1.06850560898617755, -0.616752370110209789}}, 1e-13);
}

TEST_CASE("yukawa has its published values") {
  const PairPotential potential = pair_potentials().find("yukawa");
  check_values(potential, {{"a", 1.3}, {"kappa", 0.8}, {"cutoff", 2.7}}, 0, 0,
               {{0.95, 0.639964584329349478, 1.24801957719629372},
                {1.25, 0.382594618818300014, 0.489721112087424019},
                {2.5, 0.0703743472830385998, 0.0337796866958585279}});
  check_values(potential, {{"a", 1.3}, {"kappa", 0.8}, {"cutoff", 2.7}, {"shift", 1}}, 0, 0,
               {{1.25, 0.327067708688862503, 0.489721112087424019}});
}

TEST_CASE("coul/cut has its published values") {
  const PairPotential potential = pair_potentials().find("coul/cut");
  check_values(potential, {{"coulomb_constant", 332.06371}, {"cutoff", 10}}, -0.82, 0.41,
               {{1.9, -58.7577996326315789, -16.2763987902026534},
                {6.5, -17.1753568156923077, -0.406517321081474738},
                {9.75, -11.4502378771282051, -0.120449576616733256}});
}

TEST_CASE("coul/shift has its published values") {
  const PairPotential potential = pair_potentials().find("coul/shift");
  check_values(potential, {{"coulomb_constant", 332.06371}, {"cutoff", 10}}, -0.82, 0.41,
               {{1.9, -54.5920602512148207, -17.387920085853145},
                {6.5, -5.72808884401348269, -0.532326809756420892},
                {9.75, -0.0279144275746707532, -0.0229078627009473584}},
               1e-12);
}

TEST_CASE("coul/sf has its published values") {
  const PairPotential potential = pair_potentials().find("coul/sf");
  check_values(potential, {{"coulomb_constant", 332.06371}, {"cutoff", 10}}, -0.82, 0.41,
               {{1.9, -38.5509923389695789, -15.6888207938763377},
                {6.5, -2.10398120992230769, -0.234763752924551661},
                {9.75, -0.00715639867320512821, -0.0059471978454512045}},
               1e-12);
}

TEST_CASE("coul/dsf has its published values") {
  const PairPotential potential = pair_potentials().find("coul/dsf");
  check_values(potential, {{"coulomb_constant", 332.06371}, {"cutoff", 10}, {"alpha", 0.2}}, -0.82,
               0.41,
               {{1.9, -34.2570061527196309, -15.6328287875412504},
                {6.5, -0.901429096030140238, -0.12895643773241237},
                {9.75, -0.00158401989786131505, -0.00134676771523147134}},
               1e-11);
}

TEST_CASE("coul/long has its published values") {
  const PairPotential potential = pair_potentials().find("coul/long");
  check_values(potential, {{"coulomb_constant", 332.06371}, {"cutoff", 10}, {"alpha", 0.31}}, -0.82,
               0.41,
               {{1.9, -23.7887203846009998, -14.2361751259579988},
                {6.5, -0.0751742924005759736, -0.0177188156902111964},
                {9.75, -0.000219387330084961407, -0.0000465795723690132927}},
               1e-13);
}

TEST_CASE("a float has the digits of a float in what forms call") {
  using potentials::scaled_erfc;
  for (double x = 0; x < 12; x += 0.05) {
    const double exact = std::exp(x * x) * std::erfc(x);
    CAPTURE(x);
    CHECK(scaled_erfc(x) == test::relative(exact).epsilon(x < 5 ? 1e-14 : 1e-12));
    CHECK(static_cast<double>(scaled_erfc(static_cast<float>(x))) ==
          test::relative(exact).epsilon(6e-7));
  }
}

template <class Real>
struct DistanceOf {
  Real r;
  Real squared() const { return r * r; }
  Real length() const { return r; }
  Real inverse() const { return 1 / r; }
  Real inverse_squared() const { return 1 / (r * r); }
};

/// Field at r of a screened charge (coul/long), over that of the bare charge.
template <class Real>
double screened_over_bare(double r, double alpha) {
  using Screening = potentials::Screening<Real>;
  const DistanceOf<Real> distance{static_cast<Real>(r)};
  const Real field = Screening(static_cast<Real>(alpha),
                               static_cast<Real>(alpha * Screening::y_of_x), distance.length())
                         .field(distance);
  return static_cast<double>(field) * r * r * r;
}

TEST_CASE("what a screened charge leaves of a field is as exact as floats are") {
  for (const double r : {0.03, 1.0, 40.0})
    for (double x = 0; x < 9; x += 0.01) {
      const double exact = std::erfc(x) + 2 * x / std::sqrt(std::acos(-1.0)) * std::exp(-x * x);
      CAPTURE(x);
      CAPTURE(r);
      CHECK(screened_over_bare<double>(r, x / r) == test::relative(exact).epsilon(1e-13));
      CHECK(std::abs(screened_over_bare<float>(r, x / r) - exact) < 6e-7);
    }
}

TEST_CASE("far beyond its damping a charge in float has no force, and that is a number") {
  struct Charge {
    float charge;
  };
  for (const float alpha : {4.0f, 1e2f, 1e4f, 1e9f}) {
    const float numbers[] = {1.0f, alpha, 1.2011224f * alpha};
    float force = -1;
    float energy = -1;
    potentials::CoulLong{}.at(DistanceOf<float>{3.0f}, numbers, Charge{1}, Charge{-1}, force,
                              energy);
    CAPTURE(alpha);
    CHECK(std::abs(force) < 1e-30f);
    CHECK(std::abs(energy) < 1e-30f);
  }
}

}  // namespace tessera::md
