#include "physics/md/pair_force/pair_force.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/owned_rows.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace tessera::md {

PairForceCheck::PairForceCheck(const PairForceProblem& problem)
    : problem_(problem), potential_(pair_potentials().find(problem.potential)) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  require_count(PairForce::name, "atoms", problem.atoms, 0, most);
  require_count(PairForce::name, "types", problem.types, 1);
  ArgumentCheck check(PairForce::name);
  if (!(problem.cutoff > 0) || !std::isfinite(problem.cutoff))
    check.refuse_number("cutoff", problem.cutoff, "expected a length greater than zero");
  if (!(problem.skin >= 0) || !std::isfinite(problem.skin))
    check.refuse_number("skin", problem.skin, "expected a length not below zero");
  check_box(problem.box);
}

template <class Storage>
void PairForceCheck::operator()(ArgumentCheck& check, const PairForceArgs<Storage>& args) const {
  check_owned(check, args.owned, problem_.atoms);
  for_each_argument(check, args);
  check.require(args.exclusions.given() == problem_.exclusions, "exclusions", [&] {
    return std::string(problem_.exclusions ? "not given" : "given") + ", and the problem has " +
           (problem_.exclusions ? "some" : "none");
  });
  check_box(args.box);
  check.require(args.energy.given() || !args.virial.given(), "virial",
                "given without the energy, expected both");
  check.require(problem_.by_atom || (!args.energies.given() && !args.virials.given()),
                args.energies.given() ? "energies" : "virials",
                "given, and the problem does not say by_atom");
  if (!(args.largest_charge >= 0) || !std::isfinite(args.largest_charge))
    check.refuse_number("largest_charge", args.largest_charge, "expected a number not below zero");
  for (const double lowest : args.lowest)
    if (!(lowest > -std::numeric_limits<double>::infinity()))
      check.refuse_number("lowest", lowest, "expected a number, or infinity");
  if (check.preparing()) check_values(check, args.coefficients);
}

void PairForceCheck::check_values(const ArgumentCheck& check,
                                  View<const double, 3> coefficients) const {
  try {
    check_coefficients(potential_, coefficients);
  } catch (const ArgumentError& error) {
    check.refuse("coefficients", error.what());
  }
  const double cutoff = largest_cutoff(potential_, coefficients);
  if (cutoff > problem_.cutoff)
    check.refuse("coefficients", "a cutoff of " + shortest_number(cutoff) +
                                     ", expected at most that of the problem, " +
                                     shortest_number(problem_.cutoff));
}

template void PairForceCheck::operator()(ArgumentCheck&, const PairForceArgs<double>&) const;
template void PairForceCheck::operator()(ArgumentCheck&, const PairForceArgs<float>&) const;

template <class Storage>
PairForceProblem pair_force_problem(const PairForceArgs<Storage>& args,
                                    const std::string& potential_name) {
  const PairPotential potential = pair_potentials().find(potential_name);
  ArgumentCheck check(PairForce::name);
  const std::int64_t types = args.coefficients.extent(0);
  check.require(types >= 1 && types <= std::numeric_limits<int>::max(), "coefficients",
                [&] { return std::to_string(types) + " types, expected at least one"; });
  check.host_array("coefficients", args.coefficients,
                   {types, types, static_cast<std::int64_t>(potential.fields().size())});
  const double cutoff = largest_cutoff(potential, args.coefficients);
  if (!(cutoff > 0))
    check.refuse("coefficients", "the largest cutoff is " + shortest_number(cutoff) +
                                     ", expected a length greater than zero");
  PairForceProblem problem{check.rows("positions", args.positions),
                           static_cast<int>(types),
                           cutoff,
                           0,
                           args.box,
                           potential.name(),
                           args.exclusions.given(),
                           shortest_length(potential, args.coefficients)};
  problem.by_atom = args.energies.given() || args.virials.given();
  const PairForceCheck expected(problem);
  expected(check, args);
  expected.check_values(check, args.coefficients);
  return problem;
}

Refusal refuse_small_box(const Box& box, double cutoff) {
  if (const auto fault = find_fault(box))
    return "the box has " + fault->field + " = " + rounded_number(fault->value) + ", " +
           fault->expected;
  for (int d = 0; d < 3; ++d) {
    if (!box.periodic[d] || cutoff <= 0.5 * box.length[d]) continue;
    return "the cutoff " + rounded_number(cutoff) + " is larger than half of the periodic box (" +
           rounded_number(box.length[d]) + " along " + "xyz"[d] +
           "), so nearest images do not suffice; replicate the box, or select 'reference', which "
           "sums over all images";
  }
  return {};
}

Refusal refuse_small_box(const PairForceProblem& problem) {
  return refuse_small_box(problem.box, problem.cutoff);
}

Refusal refuse_short_lengths(double cutoff, double shortest, std::string_view other) {
  // Beyond this ratio the resolution of such coordinates costs digits of the forces at the shortest
  // length.
  constexpr double most_lengths = 350;
  if (!(shortest > 0) || cutoff <= most_lengths * shortest) return {};
  return "the cutoff " + shortest_number(cutoff) + " is more than " +
         shortest_number(most_lengths) + " times the shortest length of the coefficients, " +
         shortest_number(shortest) + ", too much for coordinates of 32 bits; take " +
         std::string(other) + ", or double";
}

ProblemKey problem_key(const PairForceProblem& problem) {
  const Box& box = problem.box;
  // In a box with open directions the atoms need not fill the box, so that the mean density has no
  // meaning.
  const bool filled = box.periodic[0] && box.periodic[1] && box.periodic[2];
  const double sphere = 4.0 / 3.0 * std::numbers::pi * std::pow(problem.cutoff, 3);
  ProblemKey key{
      problem.atoms,
      {{"form", problem.potential},
       {"types", problem.types == 1 ? "one" : "several"},
       {"exclusions", problem.exclusions ? "yes" : "no"},
       {"box", box.tilted() ? "tilted" : "orthogonal"},
       {"outputs", problem.by_atom   ? "forces, energies by atom"
                   : problem.tallied ? "forces, energy and virial"
                                     : "forces"},
       {"skin", problem.skin > 0 ? "given" : "free"}},
      {{"neighbors", filled ? static_cast<double>(problem.atoms) / box.volume() * sphere : 0.0},
       {"displacement over cutoff", problem.displacement / problem.cutoff}}};
  // Weaker guarantees change no implementation's cost, so that they do not enter the key.
  if (problem.determinism == Determinism::any_order)
    key.kinds["determinism"] = std::string(name(problem.determinism));
  return key;
}

template <class P>
void pair_force(const Context& context, const PairForceArgs<typename P::Storage>& args,
                const std::string& potential) {
  const PairForceProblem problem = pair_force_problem(args, potential);
  require_finite_positions<P>(context, args.positions);
  run_once<PairForce, P>(problem, context, args);
}

template PairForceProblem pair_force_problem<double>(const PairForceArgs<double>&,
                                                     const std::string&);
template PairForceProblem pair_force_problem<float>(const PairForceArgs<float>&,
                                                    const std::string&);
template void pair_force<Double>(const Context&, const PairForceArgs<double>&, const std::string&);
template void pair_force<Mixed>(const Context&, const PairForceArgs<double>&, const std::string&);
template void pair_force<Single>(const Context&, const PairForceArgs<float>&, const std::string&);

}  // namespace tessera::md
