#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/md/displacement/displacement.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_form/coefficient_table.hpp>
#include <tessera/md/pair_form/pair_table.hpp>

namespace tessera::md {
namespace {

void require(bool holds, const std::string& message) {
  if (!holds) throw ArgumentError("md/pair_force: " + message);
}

}  // namespace

template <class Storage>
PairForceProblem pair_force_problem(const PairForceArgs<Storage>& args,
                                    const std::string& form_name) {
  const PairForm form = pair_forms().find(form_name);
  const std::int64_t atoms = args.positions.extent(0);
  require(args.positions.extent(1) == 3, "positions must be atoms x 3");
  require(args.forces.extent(0) == atoms && args.forces.extent(1) == 3,
          "forces must have the shape of the positions");
  require(args.types.extent(0) == atoms, "types must have one element an atom");
  require(atoms < std::int64_t{1} << 31, "at most 2^31 - 1 atoms on one device");
  if (form.reads_charge())
    require(atoms == 0 || (args.charges.given() && args.charges.extent(0) == atoms),
            "the form " + form.name() + " reads charges: they must have one element an atom");
  if (args.exclusions.given())
    require(args.exclusions.offsets.extent(0) == atoms + 1,
            "the offsets of the exclusions must have one element more than there are atoms");
  const std::int64_t types = args.coefficients.extent(0);
  require(types >= 1 && args.coefficients.extent(1) == types &&
              args.coefficients.extent(2) == static_cast<std::int64_t>(form.fields().size()),
          "coefficients must be types x types x " + std::to_string(form.fields().size()) +
              " for the form " + form.name());
  require(!args.energy.given() || args.energy.extent(0) >= 1, "energy must have one element");
  require(!args.virial.given() || args.virial.extent(0) >= 6, "virial must have six elements");
  const double cutoff = largest_cutoff(form, args.coefficients);
  require(cutoff > 0,
          "the cutoff is " + rounded_number(cutoff) + ", expected a length greater than zero");
  check_coefficients(form, args.coefficients);
  check_box(args.box);
  return {atoms,       static_cast<int>(types), cutoff, 0, args.box,
          form.name(), args.exclusions.given()};
}

Refusal refuse_small_box(const Box& box, double cutoff) {
  if (const auto fault = find_fault(box))
    return "the box has " + fault->field + " = " + rounded_number(fault->value) + ", " +
           fault->expected;
  for (int d = 0; d < 3; ++d) {
    if (!box.periodic[d] || cutoff <= 0.5 * box.length[d]) continue;
    return "the cutoff " + rounded_number(cutoff) + " is larger than half of the periodic box (" +
           rounded_number(box.length[d]) + " along " + "xyz"[d] +
           "), so nearest images do not suffice; replicate the box, or ask for 'reference', which "
           "sums over all images";
  }
  return {};
}

Refusal refuse_small_box(const PairForceProblem& problem) {
  return refuse_small_box(problem.box, problem.cutoff);
}

template <class P>
void pair_force(const Context& context, const PairForceArgs<typename P::Storage>& args,
                const std::string& form) {
  const PairForceProblem problem = pair_force_problem(args, form);
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
