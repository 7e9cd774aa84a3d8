#ifndef TESSERA_TESTS_CONFORMANCE_MD_PAIR_FORCE_FORCES_HPP
#define TESSERA_TESTS_CONFORMANCE_MD_PAIR_FORCE_FORCES_HPP

#include "core/memory/array.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_force/pair_force_cases.hpp"
#include "tests/support/target.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

/// \file
/// Forces of the target on a system, and tolerances for their comparison.

namespace tessera::md {

struct Outcome {
  std::vector<double> forces;   ///< targets x 3
  std::vector<double> torques;  ///< targets x 3; empty unless the potential writes torques
  double energy = 0;
  std::vector<double> virial;
  double reach = 0;  ///< allowed displacement
};

/// Arrays of a system on the device, and the arguments of a call.
template <class Storage>
struct PairForceArrays {
  PairForceArrays(const Context& context, const PairForceCase& system)
      : positions(context, rounded(system.positions)),
        forces(context, std::ssize(system.positions)),
        types(context, system.types) {}

  [[nodiscard]] static std::vector<Storage> rounded(const std::vector<double>& values) {
    return {values.begin(), values.end()};
  }
  [[nodiscard]] PairForceArgs<Storage> args(const PairForceCase& system) {
    PairForceArgs<Storage> args;
    args.positions = positions.rows(3);
    args.forces = forces.rows(3);
    args.types = types.view();
    args.box = system.box;
    args.coefficients = system.coefficients.view();
    return args;
  }

  Array<Storage> positions;
  Array<Storage> forces;
  Array<std::int32_t> types;
};

/// The rows of targets as numbers.
template <class Storage>
std::vector<double> rows_of_targets(const std::vector<Storage>& raw, const PairForceCase& system,
                                    bool column_major) {
  const auto atoms = static_cast<std::int64_t>(system.types.size());
  std::vector<double> rows;
  for (std::int64_t i = 0; i < atoms; ++i)
    for (std::int64_t d = 0; d < 3; ++d) {
      const Storage& value =
          raw[static_cast<std::size_t>(column_major ? d * atoms + i : 3 * i + d)];
      if (i < system.targets()) {
        rows.push_back(static_cast<double>(value));
        continue;
      }
      unsigned char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      for (const unsigned char byte : bytes)
        REQUIRE(byte == 0xff);  // nothing is written to rows of ghosts
    }
  return rows;
}

/// Runs the target on a system.
/// \param column_major whether coordinates and forces have all x first, then all y, then all z.
/// \param tallied whether to compute energy and virial; else these are NaN.
template <class P>
Outcome compute(const Implementation<PairForce, P>& implementation, const PairForceCase& system,
                bool column_major = false, Determinism determinism = Determinism::none,
                bool tallied = true) {
  using Storage = typename P::Storage;
  const Context context = test::context();
  const auto atoms = static_cast<std::int64_t>(system.types.size());
  std::vector<Storage> values(system.positions.size());
  for (std::int64_t i = 0; i < atoms; ++i)
    for (std::int64_t d = 0; d < 3; ++d)
      values[static_cast<std::size_t>(column_major ? d * atoms + i : 3 * i + d)] =
          static_cast<Storage>(system.positions[static_cast<std::size_t>(3 * i + d)]);
  Array<Storage> positions(context, values);
  Array<Storage> forces(context, 3 * atoms);
  Array<std::int32_t> types(context, system.types);
  Array<Storage> charges(context,
                         std::vector<Storage>(system.charges.begin(), system.charges.end()));
  Array<Storage> dipoles(context,
                         std::vector<Storage>(system.dipoles.begin(), system.dipoles.end()));
  const bool has_torques = system.coefficients.potential().writes(AtomSum::torque);
  Array<Storage> torques(context, has_torques ? 3 * atoms : 0);
  Array<std::int32_t> excluded_from(context, system.excluded_from);
  Array<std::int32_t> excluded(context, system.excluded);
  Array<double> totals(context, 7);
  forces.fill_bytes(0xff);
  torques.fill_bytes(0xff);
  totals.fill_bytes(0xff);
  PairForceArgs<Storage> args;
  if (column_major) {
    args.positions = {positions.data(), {atoms, 3}, {1, atoms}};
    args.forces = {forces.data(), {system.targets(), 3}, {1, atoms}};
  } else {
    args.positions = positions.rows(3);
    args.forces = {forces.data(), {system.targets(), 3}};
  }
  if (system.ghosts > 0) args.owned = system.targets();
  args.largest_charge = system.largest_charge;
  for (int d = 0; d < 3; ++d)
    args.lowest[d] = static_cast<double>(static_cast<Storage>(system.lowest[d]));
  if (!system.dipoles.empty()) args.dipoles = dipoles.rows(3);
  if (has_torques) args.torques = {torques.data(), {system.targets(), 3}};
  args.types = types.view();
  if (!system.charges.empty()) args.charges = charges.view();
  if (!system.excluded_from.empty()) args.exclusions = {excluded_from.view(), excluded.view()};
  args.box = system.box;
  args.coefficients = system.coefficients.view();
  if (tallied) {
    args.energy = {totals.data(), {1}};
    args.virial = {totals.data() + 1, {6}};
  }
  PairForceProblem problem = pair_force_problem(args, system.coefficients.potential().name());
  problem.skin = system.skin;
  problem.determinism = determinism;
  const auto plan = implementation.make_plan(problem, context, {});
  plan->prepare(args);
  plan->execute(args);
  Outcome outcome;
  outcome.forces = rows_of_targets(forces.to_host(), system, column_major);
  if (has_torques) outcome.torques = rows_of_targets(torques.to_host(), system, false);
  const std::vector<double> sums = totals.to_host();
  outcome.energy = sums[0];
  outcome.virial.assign(sums.begin() + 1, sums.end());
  outcome.reach = plan->allowed_displacement();
  return outcome;
}

inline PairForceProblem pair_force_problem_of(const PairForceCase& system) {
  PairForceProblem problem;
  problem.atoms = static_cast<std::int64_t>(system.types.size());
  problem.types = static_cast<int>(system.coefficients.types());
  problem.cutoff = system.coefficients.largest_cutoff();
  problem.potential = system.coefficients.potential().name();
  problem.skin = system.skin;
  problem.box = system.box;
  problem.exclusions = !system.excluded.empty();
  return problem;
}

inline double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    magnitude += b[i] * b[i];
  }
  return magnitude > 0 ? std::sqrt(difference / magnitude) : std::sqrt(difference);
}

/// Relative tolerance between forces of equivalent systems. It is larger than that of comparisons
/// with the oracle, because moving a system changes the last digit of its coordinates. In single
/// precision the rounding of absolute coordinates dominates.
template <class P>
constexpr double same_forces = P::value == Precision::double_precision ? 1e-10
                               : P::value == Precision::mixed          ? 2e-5
                                                                       : 2e-3;

inline PairForceCase pair_at(double distance) {
  PairForceCase c;
  for (double& length : c.box.length)
    length = 20;
  c.coefficients = CoefficientTable(pair_potentials().find("lj/cut"), 1);
  c.coefficients.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  c.positions = {5, 5, 5, 5 + distance, 5, 5};
  c.types = {0, 0};
  return c;
}

}  // namespace tessera::md

#endif  // TESSERA_TESTS_CONFORMANCE_MD_PAIR_FORCE_FORCES_HPP
