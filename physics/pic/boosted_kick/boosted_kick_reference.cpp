#include "physics/pic/boosted_kick/boosted_kick_reference.hpp"

#include "physics/pic/frame_change/frame_change_reference.hpp"
#include "physics/pic/gather_kick/gather_kick_reference.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::pic {
namespace {

/// Converts one particle to another frame. False where it cannot be converted.
bool changed_frame(double (&coordinates)[6], const ReferenceParticle& reference,
                   LongitudinalCoordinates accelerator, Frame to) {
  std::int64_t impossible = 0;
  frame_change_reference<double>(
      {1}, {{coordinates, {1, 6}}, {}, reference, accelerator, to, {&impossible, {1}}});
  return impossible == 0;
}

}  // namespace

template <class Storage>
void boosted_kick_oracle(const BoostedKickArgs<Storage>& args, int shape_order,
                         double* magnitudes) {
  args.outside(0) = 0;
  args.impossible(0) = 0;
  // With a time as column 4, a larger value means further back.
  const double along = args.accelerator == LongitudinalCoordinates::zeta_ptau ? 1 : -1;
  for (std::int64_t p = 0; p < args.coordinates.extents[0]; ++p) {
    if (args.alive.given() && args.alive(p) == 0) continue;
    double before[6];
    for (int c = 0; c < 6; ++c)
      before[c] = static_cast<double>(args.coordinates(p, c));
    const double place[3] = {before[0], before[2], before[4]};
    GatheredKick found;
    if (!gathered_kick(args.grid, args.field, place, shape_order, args.factor, found)) {
      ++args.outside(0);
      continue;
    }
    double now[6];
    std::copy_n(before, 6, now);
    bool possible = changed_frame(now, args.reference, args.accelerator, Frame::beam);
    if (possible) {
      for (int a = 0; a < 3; ++a) {
        double& momentum = now[2 * a + 1];
        if (magnitudes != nullptr) magnitudes[3 * p + a] = std::fabs(momentum) + found.size[a];
        momentum += (a == 2 ? along : 1) * found.kick[a];
      }
      possible = changed_frame(now, args.reference, args.accelerator, Frame::accelerator);
    }
    if (!possible) {
      ++args.impossible(0);
      if (args.alive.given()) args.alive(p) = 0;
      continue;
    }
    for (const int c : {1, 3, 5})
      args.coordinates(p, c) = static_cast<Storage>(now[c]);
  }
}

template <class Storage>
void boosted_kick_reference(const BoostedKickProblem& problem,
                            const BoostedKickArgs<Storage>& args) {
  boosted_kick_oracle(args, problem.shape_order, nullptr);
}

template void boosted_kick_oracle<double>(const BoostedKickArgs<double>&, int, double*);
template void boosted_kick_oracle<float>(const BoostedKickArgs<float>&, int, double*);
template void boosted_kick_reference<double>(const BoostedKickProblem&,
                                             const BoostedKickArgs<double>&);
template void boosted_kick_reference<float>(const BoostedKickProblem&,
                                            const BoostedKickArgs<float>&);

}  // namespace tessera::pic
