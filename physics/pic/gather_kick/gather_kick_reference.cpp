#include <cmath>
#include <tessera/pic/gather_kick/gather_kick_reference.hpp>
#include <tessera/pic/particle_shape_reference.hpp>
#include <vector>

namespace tessera::pic {
template <class Storage>
void gather_kick_oracle(const GatherKickArgs<Storage>& args, int shape_order, double* magnitudes) {
  const Grid& grid = args.grid;
  args.outside(0) = 0;
  for (std::int64_t p = 0; p < args.positions.extent(0); ++p) {
    if (args.alive.given() && args.alive(p) == 0) continue;
    std::vector<NodeShare> shares[3];
    for (int a = 0; a < 3; ++a)
      shares[a] = node_shares(grid, a, static_cast<double>(args.positions(p, a)), shape_order);
    if (shares[0].empty() || shares[1].empty() || shares[2].empty()) {
      ++args.outside(0);
      continue;
    }
    double kick[3] = {0, 0, 0};
    double size[3] = {0, 0, 0};
    for (const NodeShare& x : shares[0])
      for (const NodeShare& y : shares[1])
        for (const NodeShare& z : shares[2])
          for (int a = 0; a < 3; ++a) {
            const auto field = static_cast<double>(args.field[a](x.node, y.node, z.node));
            const double term = args.factor * (x.weight * y.weight * z.weight) * field;
            kick[a] += term;
            size[a] += std::fabs(term);
          }
    for (int a = 0; a < 3; ++a) {
      const auto before = static_cast<double>(args.momenta(p, a));
      args.momenta(p, a) = static_cast<Storage>(before + kick[a]);
      if (magnitudes != nullptr) magnitudes[3 * p + a] = std::fabs(before) + size[a];
    }
  }
}

template <class Storage>
void gather_kick_reference(const GatherKickProblem& problem, const GatherKickArgs<Storage>& args) {
  gather_kick_oracle(args, problem.shape_order, nullptr);
}

template void gather_kick_oracle<double>(const GatherKickArgs<double>&, int, double*);
template void gather_kick_oracle<float>(const GatherKickArgs<float>&, int, double*);
template void gather_kick_reference<double>(const GatherKickProblem&,
                                            const GatherKickArgs<double>&);
template void gather_kick_reference<float>(const GatherKickProblem&, const GatherKickArgs<float>&);

}  // namespace tessera::pic
