#include "physics/md/langevin/langevin.hpp"

#include <cmath>

namespace tessera::md {

LangevinCheck::LangevinCheck(const IntegrateProblem& problem) : problem_(problem) {
  require_count(Langevin::name, "atoms", problem.atoms);
  require_count(Langevin::name, "types", problem.types);
}

template <class Storage>
void LangevinCheck::operator()(ArgumentCheck& check, const LangevinArgs<Storage>& args) const {
  for_each_argument(check, args);
  if (!(args.keep >= 0 && args.keep <= 1))
    check.refuse_number("keep", args.keep, "expected a share from 0 to 1");
  if (!(args.total_half_mass >= 0) || !std::isfinite(args.total_half_mass))
    check.refuse_number("total_half_mass", args.total_half_mass,
                        "expected a finite number not below zero");
  check.require(args.dimensions == 2 || args.dimensions == 3, "dimensions", "expected 2 or 3");
}

template void LangevinCheck::operator()(ArgumentCheck&, const LangevinArgs<double>&) const;
template void LangevinCheck::operator()(ArgumentCheck&, const LangevinArgs<float>&) const;

}  // namespace tessera::md
