#include "physics/md/listed_force/listed_potential.hpp"
#include "tests/unit/physics/md/potentials/bond_checks.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace tessera::md {

TEST_CASE("the bond potential fene has its published values") {
  // The core ends at 1.2347.
  test::check_bond_values("fene", {30, 1.5, 1.3, 1.1},
                          {{0.9, 56.811679963226812326, 680.77836475297836859},
                           {1.1, 27.345195728377852034, -39.118722186904005086},
                           {1.3, 46.937769012087892829, -120.53571428571428571},
                           {1.45, 91.963934530377456382, -457.62711864406779661}});
  // Without a core.
  test::check_bond_values("fene", {30, 1.5, 0, 1},
                          {{0.9, -33.75 * std::log(0.64), -30 / 0.64},
                           {1.45, 91.963934530377456382, -457.62711864406779661}});
}

TEST_CASE("a fene bond has no finite energy or force from R0 on") {
  const md::ListedPotentialPart& fene = test::bond_part("fene");
  for (const double r : {1.5, 1.6, 3.0, 1e3}) {
    CAPTURE(r);
    const test::BondValue value = test::bond_value(fene, {30, 1.5, 1, 1}, r);
    CHECK(value.energy == INFINITY);
    CHECK(value.force_over_r == -INFINITY);
  }
}

}  // namespace tessera::md
