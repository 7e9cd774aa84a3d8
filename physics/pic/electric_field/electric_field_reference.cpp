#include "physics/pic/electric_field/electric_field_reference.hpp"

namespace tessera::pic {

template <class Storage>
void electric_field_reference(const ElectricFieldProblem&, const ElectricFieldArgs<Storage>& args) {
  const Grid& grid = args.grid;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t n = grid.nodes[a];
    for (std::int64_t i = 0; i < grid.nodes[0]; ++i)
      for (std::int64_t j = 0; j < grid.nodes[1]; ++j)
        for (std::int64_t k = 0; k < grid.nodes[2]; ++k) {
          const auto potential = [&](std::int64_t at) {
            std::int64_t node[3] = {i, j, k};
            node[a] = (at + n) % n;
            return static_cast<double>(args.potential(node[0], node[1], node[2]));
          };
          const std::int64_t at = a == 0 ? i : a == 1 ? j : k;
          double slope = (potential(at + 1) - potential(at - 1)) / 2;
          if (!grid.periodic[a] && at == 0)
            slope = n == 2 ? potential(1) - potential(0)
                           : -1.5 * potential(0) + 2 * potential(1) - 0.5 * potential(2);
          if (!grid.periodic[a] && at == n - 1)
            slope = n == 2 ? potential(1) - potential(0)
                           : 1.5 * potential(n - 1) - 2 * potential(n - 2) + 0.5 * potential(n - 3);
          args.field[a](i, j, k) = static_cast<Storage>(-slope / grid.spacing[a]);
        }
  }
}

template void electric_field_reference<double>(const ElectricFieldProblem&,
                                               const ElectricFieldArgs<double>&);
template void electric_field_reference<float>(const ElectricFieldProblem&,
                                              const ElectricFieldArgs<float>&);

}  // namespace tessera::pic
