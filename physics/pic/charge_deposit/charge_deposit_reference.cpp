#include "physics/pic/charge_deposit/charge_deposit_reference.hpp"

#include "core/base/compensated_sum.hpp"
#include "physics/pic/particle_shape_reference.hpp"

#include <vector>

namespace tessera::pic {
template <class Storage>
ChargeDepositResult charge_deposit_oracle(const ChargeDepositArgs<Storage>& args, int shape_order) {
  const Grid& grid = args.grid;
  const auto size = static_cast<std::size_t>(grid.nodes[0] * grid.nodes[1] * grid.nodes[2]);
  const double volume = grid.spacing[0] * grid.spacing[1] * grid.spacing[2];
  std::vector<CompensatedSum> sums(size);
  ChargeDepositResult result;
  for (std::int64_t p = 0; p < args.positions.extent(0); ++p) {
    if (args.alive.given() && args.alive(p) == 0) continue;
    NodeShares shares[3];
    for (int a = 0; a < 3; ++a)
      shares[a] = node_shares(grid, a, static_cast<double>(args.positions(p, a)), shape_order);
    if (shares[0].empty() || shares[1].empty() || shares[2].empty()) {
      ++result.outside;
      continue;
    }
    const double weight = args.weights.given() ? static_cast<double>(args.weights(p)) : 1.0;
    const double charge = args.charge * weight / volume;
    for (const NodeShare& x : shares[0])
      for (const NodeShare& y : shares[1])
        for (const NodeShare& z : shares[2]) {
          const std::int64_t node = (x.node * grid.nodes[1] + y.node) * grid.nodes[2] + z.node;
          sums[static_cast<std::size_t>(node)].add(charge * x.weight * y.weight * z.weight);
        }
  }
  result.density.reserve(size);
  for (const CompensatedSum& sum : sums)
    result.density.push_back(sum.value());
  return result;
}

template <class Storage>
void charge_deposit_reference(const ChargeDepositProblem& problem,
                              const ChargeDepositArgs<Storage>& args) {
  const ChargeDepositResult result = charge_deposit_oracle(args, problem.shape_order);
  std::size_t node = 0;
  for (std::int64_t i = 0; i < args.grid.nodes[0]; ++i)
    for (std::int64_t j = 0; j < args.grid.nodes[1]; ++j)
      for (std::int64_t k = 0; k < args.grid.nodes[2]; ++k, ++node) {
        const double former =
            args.mode == DepositMode::add ? static_cast<double>(args.density(i, j, k)) : 0.0;
        args.density(i, j, k) = static_cast<Storage>(former + result.density[node]);
      }
  args.outside(0) = result.outside;
}

template ChargeDepositResult charge_deposit_oracle<double>(const ChargeDepositArgs<double>&, int);
template ChargeDepositResult charge_deposit_oracle<float>(const ChargeDepositArgs<float>&, int);
template void charge_deposit_reference<double>(const ChargeDepositProblem&,
                                               const ChargeDepositArgs<double>&);
template void charge_deposit_reference<float>(const ChargeDepositProblem&,
                                              const ChargeDepositArgs<float>&);

}  // namespace tessera::pic
