#include "physics/pic/gather_kick/gather_kick_reference.hpp"

#include "physics/pic/particle_shape_reference.hpp"

#include <cmath>

namespace tessera::pic {

template <class Storage>
bool gathered_kick(const Grid& grid, const View<const Storage, 3> (&field)[3],
                   const double (&place)[3], int shape_order, double factor, GatheredKick& found) {
  NodeShares shares[3];
  for (int a = 0; a < 3; ++a) {
    shares[a] = node_shares(grid, a, place[a], shape_order);
    if (shares[a].empty()) return false;
  }
  found = {};
  for (const NodeShare& x : shares[0])
    for (const NodeShare& y : shares[1])
      for (const NodeShare& z : shares[2])
        for (int a = 0; a < 3; ++a) {
          const auto value = static_cast<double>(field[a](x.node, y.node, z.node));
          const double term = factor * (x.weight * y.weight * z.weight) * value;
          found.kick[a] += term;
          found.size[a] += std::fabs(term);
        }
  return true;
}

template <class Storage>
void gather_kick_oracle(const GatherKickArgs<Storage>& args, int shape_order, double* magnitudes) {
  args.outside(0) = 0;
  for (std::int64_t p = 0; p < args.positions.extent(0); ++p) {
    if (args.alive.given() && args.alive(p) == 0) continue;
    const double place[3] = {static_cast<double>(args.positions(p, 0)),
                             static_cast<double>(args.positions(p, 1)),
                             static_cast<double>(args.positions(p, 2))};
    GatheredKick found;
    if (!gathered_kick(args.grid, args.field, place, shape_order, args.factor, found)) {
      ++args.outside(0);
      continue;
    }
    for (int a = 0; a < 3; ++a) {
      const auto before = static_cast<double>(args.momenta(p, a));
      args.momenta(p, a) = static_cast<Storage>(before + found.kick[a]);
      if (magnitudes != nullptr) magnitudes[3 * p + a] = std::fabs(before) + found.size[a];
    }
  }
}

template <class Storage>
void gather_kick_reference(const GatherKickProblem& problem, const GatherKickArgs<Storage>& args) {
  gather_kick_oracle(args, problem.shape_order, nullptr);
}

template bool gathered_kick<double>(const Grid&, const View<const double, 3> (&)[3],
                                    const double (&)[3], int, double, GatheredKick&);
template bool gathered_kick<float>(const Grid&, const View<const float, 3> (&)[3],
                                   const double (&)[3], int, double, GatheredKick&);
template void gather_kick_oracle<double>(const GatherKickArgs<double>&, int, double*);
template void gather_kick_oracle<float>(const GatherKickArgs<float>&, int, double*);
template void gather_kick_reference<double>(const GatherKickProblem&,
                                            const GatherKickArgs<double>&);
template void gather_kick_reference<float>(const GatherKickProblem&, const GatherKickArgs<float>&);

}  // namespace tessera::pic
