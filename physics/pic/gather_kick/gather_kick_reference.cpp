#include <cmath>
#include <tessera/pic/gather_kick/gather_kick_reference.hpp>

namespace tessera::pic {
namespace {

/// What is left of 1 at a node at this distance, in spacings.
double share(double distance) {
  return std::fmax(0, 1 - std::fabs(distance));
}

/// Where a position lies in spacings from the first node. False where it is off the grid.
bool place_of(const Grid& grid, int a, double x, double& place) {
  const double first = grid.lower[a] + 0.5 * grid.spacing[a];
  place = (x - first) * (1 / grid.spacing[a]);
  if (grid.periodic[a]) return std::fabs(place) < 0x1p52;
  return place >= 0 && place <= static_cast<double>(grid.nodes[a] - 1);
}

}  // namespace

template <class Storage>
void gather_kick_oracle(const GatherKickArgs<Storage>& args, double* magnitudes) {
  const Grid& grid = args.grid;
  args.outside(0) = 0;
  for (std::int64_t p = 0; p < args.positions.extent(0); ++p) {
    if (args.alive.given() && args.alive(p) == 0) continue;
    double place[3] = {0, 0, 0};
    bool inside = true;
    for (int a = 0; a < 3; ++a)
      inside = inside && place_of(grid, a, static_cast<double>(args.positions(p, a)), place[a]);
    if (!inside) {
      ++args.outside(0);
      continue;
    }
    double kick[3] = {0, 0, 0};
    double size[3] = {0, 0, 0};
    // The node at or below, and the one above, in each direction; shares tell what they get.
    for (int corner = 0; corner < 8; ++corner) {
      std::int64_t node[3];
      double weight = 1;
      for (int a = 0; a < 3; ++a) {
        const double at = std::floor(place[a]) + ((corner >> a) & 1);
        weight *= share(place[a] - at);
        const auto n = static_cast<double>(grid.nodes[a]);
        node[a] = static_cast<std::int64_t>(at - n * std::floor(at / n));
      }
      if (weight == 0) continue;
      for (int a = 0; a < 3; ++a) {
        const double term =
            args.factor * weight * static_cast<double>(args.field[a](node[0], node[1], node[2]));
        kick[a] += term;
        size[a] += std::fabs(term);
      }
    }
    for (int a = 0; a < 3; ++a) {
      const auto before = static_cast<double>(args.momenta(p, a));
      args.momenta(p, a) = static_cast<Storage>(before + kick[a]);
      if (magnitudes != nullptr) magnitudes[3 * p + a] = std::fabs(before) + size[a];
    }
  }
}

template <class Storage>
void gather_kick_reference(const GatherKickProblem&, const GatherKickArgs<Storage>& args) {
  gather_kick_oracle(args, nullptr);
}

template void gather_kick_oracle<double>(const GatherKickArgs<double>&, double*);
template void gather_kick_oracle<float>(const GatherKickArgs<float>&, double*);
template void gather_kick_reference<double>(const GatherKickProblem&,
                                            const GatherKickArgs<double>&);
template void gather_kick_reference<float>(const GatherKickProblem&, const GatherKickArgs<float>&);

}  // namespace tessera::pic
