#include "core/base/device_code.hpp"

#include <math.h>
// Pair potentials call functions of <math.h> without a namespace, so these headers follow it.
#include "physics/md/pair_potential/potential_functions.hpp"
// Pair potentials include nothing.
#include "core/base/error.hpp"
#include "physics/md/pair_force/gradient_check.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "tests/potentials/lj_sf_dipole_sf.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace tessera::md {
namespace {

using Vector = std::array<double, 3>;

PairPotential dipoles() {
  return PairPotential({describe_pair_potential<potentials::LjSfDipoleSf>("lj/sf/dipole/sf", -1)});
}

/// Values of a pair at r = (2, -3, 4) with a cutoff of 12, in the real units of LAMMPS. Forces and
/// torques agree with finite differences of the energy to 4e-10.
struct Expected {
  const char* what;
  double epsilon, sigma;
  double charge_i, charge_j;
  Vector dipole_i, dipole_j;
  double energy;
  Vector force, torque_i, torque_j;
};

constexpr Vector none{};
constexpr Vector p1{.3, .2, -.4};
constexpr Vector p2{-.1, .45, .25};
const Expected expected[] = {{"Lennard-Jones",
                              .55,
                              3.05,
                              0,
                              0,
                              none,
                              none,
                              -0.0682052536789,
                              {-.0280147196717, .0420220795075, -.0560294393433},
                              none,
                              none},
                             {"charges",
                              1.434,
                              5.3,
                              .7,
                              -.7,
                              none,
                              none,
                              -0.332729390707 - 9.18108612454,
                              {.102884060565, -.154326090847, .20576812113},
                              none,
                              none},
                             {"charge and dipole",
                              .725,
                              4.225,
                              .7,
                              0,
                              none,
                              p2,
                              -0.499904485916 - 0.472007374795,
                              {-.198307496732, .0400026770281, -.782802845569},
                              none,
                              {-2.18839782859, -.772375704209, .51491713614}},
                             {"dipole and charge",
                              .943,
                              4.125,
                              0,
                              -.7,
                              p1,
                              none,
                              -0.586955420283 - 1.37311236304,
                              {-.838340180017, .69968337254, -.818485133134},
                              {.34327809076, 1.7163904538, 1.11565379497},
                              none},
                             {"dipoles",
                              .55,
                              3.05,
                              0,
                              0,
                              p1,
                              p2,
                              -0.0682052536789 - 0.211796994258,
                              {-.104453641727, .0166436341503, -.237332669526},
                              {-.334973667235, .240501060586, -.130979720133},
                              {-.310449804742, -.297351832729, .411053377015}},
                             {"all four terms",
                              .55,
                              3.05,
                              .7,
                              -.7,
                              p1,
                              p2,
                              -0.0682052536789 - 11.2380028566,
                              {-2.46896624773, 2.74812707761, -4.49435050675},
                              {.0083044235248, 1.95689151438, .984674074836},
                              {-2.49884763334, -1.06972753694, .925970513154}}};

TEST_CASE("charges and dipoles have the expected forces and torques") {
  const PairPotential potential = dipoles();
  CHECK(!potential.central());
  CHECK(potential.writes(AtomSum::torque));
  CHECK(potential.reads() == (AtomData::charge | AtomData::dipole));
  for (const Expected& e : expected) {
    CAPTURE(e.what);
    const double fields[] = {12, e.epsilon, e.sigma, 332.06371};
    std::vector<double> row(static_cast<std::size_t>(potential.table_width()));
    potential.pack(fields, row.data());
    PairAtoms pair = charged_pair(std::sqrt(29.0), e.charge_i, e.charge_j);
    pair.separation = {2, -3, 4};
    pair.i.dipole = {e.dipole_i[0], e.dipole_i[1], e.dipole_i[2]};
    pair.j.dipole = {e.dipole_j[0], e.dipole_j[1], e.dipole_j[2]};
    const PairValue value = potential.evaluate(row.data(), pair);
    const auto close = [](double given, double wanted) {
      return std::abs(given - wanted) <= 2e-11 * std::max(1.0, std::abs(wanted));
    };
    CHECK(close(value.energy, e.energy));
    for (std::size_t d = 0; d < 3; ++d) {
      CAPTURE(d);
      CHECK(close(value.total_force(pair, d), e.force[d]));
      CHECK(close(value.torque_i[d], e.torque_i[d]));
      CHECK(close(value.torque_j[d], e.torque_j[d]));
    }
  }
}

TEST_CASE("forces and torques of dipoles are slopes of the energy, and wrong ones are found") {
  CoefficientTable table(dipoles(), 1);
  table.set_all(
      {{"cutoff", 12.0}, {"epsilon", 0.55}, {"sigma", 3.05}, {"coulomb_constant", 332.06371}});
  CHECK(!find_wrong_force(table));

  PairPotentialPart wrong = dipoles().parts().front();
  wrong.evaluate = [](const double* packed, const double* samples, const PairAtoms& pair,
                      PairValue& value) {
    dipoles().parts().front().evaluate(packed, samples, pair, value);
    value.torque_j[1] *= -1;
  };
  CoefficientTable changed(PairPotential({wrong}), 1);
  changed.set_all(
      {{"cutoff", 12.0}, {"epsilon", 0.55}, {"sigma", 3.05}, {"coulomb_constant", 332.06371}});
  const auto found = find_wrong_force(changed);
  REQUIRE(found.has_value());
  CHECK(found->quantity == "torque on j around y");
}

TEST_CASE("the value at a distance alone is refused for dipoles") {
  const PairPotential potential = dipoles();
  std::vector<double> row(static_cast<std::size_t>(potential.table_width()));
  CHECK_THROWS_WITH_AS((void)potential.evaluate(row.data(), 1.0, 0, 0),
                       doctest::Contains("expected a central potential"), ArgumentError);
}

}  // namespace
}  // namespace tessera::md
