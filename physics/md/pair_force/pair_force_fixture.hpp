#pragma once

#include <memory>
#include <string>
#include <tessera/core/operations/fixture.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_form/coefficient_table.hpp>
#include <vector>

namespace tessera::md {

/// Standard inputs of md/pair_force. Error: relative rms of the forces, atoms with a partner within
/// 1e-5 of the cutoff left out; energy and virial are checked beside it.
[[nodiscard]] std::unique_ptr<Fixture> make_pair_force_fixture();

/// A system for comparisons, in double; `name` labels verdicts.
struct PairForceCase {
  std::string name;
  Box box;
  std::vector<double> positions;  ///< atoms x 3
  std::vector<std::int32_t> types;
  std::vector<double> charges;              ///< empty where the form reads none
  std::vector<std::int32_t> excluded_from;  ///< offsets of the exclusions; empty: there are none
  std::vector<std::int32_t> excluded;
  CoefficientTable coefficients;
  double skin = 0;
};

/// Relative rms force error that an implementation may have: 1e-12 in double; 1e-5 in mixed,
/// against the oracle on the unrounded positions; 5e-6 in single, against the oracle on positions
/// rounded to float.
[[nodiscard]] double pair_force_tolerance(Precision precision);

/// Runs `implementation` on a system of the caller's and compares with the oracle.
[[nodiscard]] Verdict verify_pair_force(const ImplementationBase& implementation,
                                        const Context& context, const PairForceCase& system,
                                        const Parameters& parameters);

}  // namespace tessera::md
