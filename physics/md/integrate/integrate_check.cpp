#include "physics/md/integrate/integrate.hpp"

namespace tessera::md {

IntegrateCheck::IntegrateCheck(const IntegrateProblem& problem) : problem_(problem) {
  require_count(Integrate::name, "atoms", problem.atoms);
  require_count(Integrate::name, "types", problem.types);
}

template <class Storage>
void IntegrateCheck::operator()(ArgumentCheck& check, const IntegrateArgs<Storage>& args) const {
  for_each_argument(check, args);
}

template void IntegrateCheck::operator()(ArgumentCheck&, const IntegrateArgs<double>&) const;
template void IntegrateCheck::operator()(ArgumentCheck&, const IntegrateArgs<float>&) const;

}  // namespace tessera::md
