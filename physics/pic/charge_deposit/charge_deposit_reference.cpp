#include <cmath>
#include <tessera/core/base/compensated_sum.hpp>
#include <tessera/pic/charge_deposit/charge_deposit_reference.hpp>
#include <vector>

namespace tessera::pic {
namespace {

/// The two nodes that share a position in one direction, and their shares.
struct Nodes {
  std::int64_t node[2];
  double share[2];
};

/// False when the position lies off the grid.
bool nodes_around(const Grid& grid, int a, double x, Nodes& nodes) {
  const double first = grid.lower[a] + 0.5 * grid.spacing[a];
  const double s = (x - first) * (1 / grid.spacing[a]);
  const auto count = static_cast<double>(grid.nodes[a]);
  if (grid.periodic[a]) {
    if (!(std::fabs(s) < 0x1p52)) return false;
    const double below = std::floor(s);
    nodes.share[1] = s - below;
    nodes.share[0] = 1 - nodes.share[1];
    const std::int64_t n = grid.nodes[a];
    nodes.node[0] = (static_cast<std::int64_t>(below) % n + n) % n;
    nodes.node[1] = (nodes.node[0] + 1) % n;
    return true;
  }
  if (!(s >= 0 && s <= count - 1)) return false;
  const double below = s < count - 1 ? std::floor(s) : count - 2;
  nodes.share[1] = s - below;
  nodes.share[0] = 1 - nodes.share[1];
  nodes.node[0] = static_cast<std::int64_t>(below);
  nodes.node[1] = nodes.node[0] + 1;
  return true;
}

}  // namespace

template <class Storage>
ChargeDepositResult charge_deposit_oracle(const ChargeDepositArgs<Storage>& args) {
  const Grid& grid = args.grid;
  const auto size = static_cast<std::size_t>(grid.nodes[0] * grid.nodes[1] * grid.nodes[2]);
  const double volume = grid.spacing[0] * grid.spacing[1] * grid.spacing[2];
  std::vector<CompensatedSum> sums(size);
  ChargeDepositResult result;
  for (std::int64_t p = 0; p < args.positions.extent(0); ++p) {
    Nodes around[3];
    bool inside = true;
    for (int a = 0; a < 3; ++a)
      inside =
          inside && nodes_around(grid, a, static_cast<double>(args.positions(p, a)), around[a]);
    if (!inside) {
      ++result.outside;
      continue;
    }
    const double weight = args.weights.given() ? static_cast<double>(args.weights(p)) : 1.0;
    const double charge = args.charge * weight / volume;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k) {
          const auto node = static_cast<std::size_t>(
              (around[0].node[i] * grid.nodes[1] + around[1].node[j]) * grid.nodes[2] +
              around[2].node[k]);
          sums[node].add(charge * around[0].share[i] * around[1].share[j] * around[2].share[k]);
        }
  }
  result.density.reserve(size);
  for (const CompensatedSum& sum : sums)
    result.density.push_back(sum.value());
  return result;
}

template <class Storage>
void charge_deposit_reference(const ChargeDepositProblem&, const ChargeDepositArgs<Storage>& args) {
  const ChargeDepositResult result = charge_deposit_oracle(args);
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

template ChargeDepositResult charge_deposit_oracle<double>(const ChargeDepositArgs<double>&);
template ChargeDepositResult charge_deposit_oracle<float>(const ChargeDepositArgs<float>&);
template void charge_deposit_reference<double>(const ChargeDepositProblem&,
                                               const ChargeDepositArgs<double>&);
template void charge_deposit_reference<float>(const ChargeDepositProblem&,
                                              const ChargeDepositArgs<float>&);

}  // namespace tessera::pic
