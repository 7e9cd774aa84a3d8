#ifndef TESSERA_TESTS_UNIT_PHYSICS_MD_POTENTIALS_BOND_CHECKS_HPP
#define TESSERA_TESTS_UNIT_PHYSICS_MD_POTENTIALS_BOND_CHECKS_HPP

#include "core/base/error.hpp"
#include "physics/md/listed_force/listed_potential.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/physics/md/potentials/potential_checks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

/// \file
/// Checks of bond potentials.

namespace tessera::test {

struct BondValue {
  double force_over_r;
  double energy;
};
inline BondValue bond_value(const md::ListedPotentialPart& part, const std::vector<double>& values,
                            double r) {
  std::vector<double> packed(static_cast<std::size_t>(part.width));
  part.pack(values.data(), packed.data());
  const md::ListedValue value = part.evaluate(packed.data(), r);
  return {-value.slope / r, value.energy};
}

inline const md::ListedPotentialPart& bond_part(const std::string& name) {
  for (const md::ListedPotentialPart& part : md::listed_potentials(md::bond_class))
    if (part.name == name) return part;
  throw SelectionError("bond potential", name, {});
}

/// Compares a bond potential with values of its published formula, which were computed without its
/// header.
/// \param values coefficients in the order of the declaration.
inline void check_bond_values(const std::string& name, const std::vector<double>& values,
                              const std::vector<FormReference>& references,
                              double tolerance = 2e-14) {
  for (const FormReference& expected : references) {
    const BondValue value = bond_value(bond_part(name), values, expected.r);
    CAPTURE(expected.r);
    CHECK(value.energy == relative(expected.energy).epsilon(tolerance));
    CHECK(value.force_over_r == relative(expected.force_over_r).epsilon(tolerance));
  }
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_UNIT_PHYSICS_MD_POTENTIALS_BOND_CHECKS_HPP
