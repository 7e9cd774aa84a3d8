#include "physics/pic/electric_field/electric_field.hpp"
#include "physics/pic/grid_check.hpp"

#include <algorithm>

namespace tessera::pic {

ElectricFieldCheck::ElectricFieldCheck(const ElectricFieldProblem& problem) : problem_(problem) {
  require_nodes(ElectricField::name, problem.nodes, problem.periodic);
}

template <class Storage>
void ElectricFieldCheck::operator()(ArgumentCheck& check,
                                    const ElectricFieldArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_grid(check, args.grid, problem_.nodes, problem_.periodic);
}

template void ElectricFieldCheck::operator()(ArgumentCheck&,
                                             const ElectricFieldArgs<double>&) const;
template void ElectricFieldCheck::operator()(ArgumentCheck&, const ElectricFieldArgs<float>&) const;

template <class Storage>
ElectricFieldProblem electric_field_problem(const ElectricFieldArgs<Storage>& args) {
  check_grid(ArgumentCheck(ElectricField::name), args.grid);
  ElectricFieldProblem problem;
  std::copy_n(args.grid.nodes, 3, problem.nodes);
  std::copy_n(args.grid.periodic, 3, problem.periodic);
  check_arguments<ElectricField>(problem, args);
  return problem;
}

template ElectricFieldProblem electric_field_problem<double>(const ElectricFieldArgs<double>&);
template ElectricFieldProblem electric_field_problem<float>(const ElectricFieldArgs<float>&);

}  // namespace tessera::pic
