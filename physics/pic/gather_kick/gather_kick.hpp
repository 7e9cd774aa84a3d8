#ifndef TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_HPP
#define TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/grid.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/gather_kick: changes momenta of particles by a field on the nodes of a grid.
///
///     momentum_a += factor * sum over nodes n of W(x_p - x_n) field_a(n)
///
/// with the W of pic/charge_deposit of the same order (physics/pic/particle_shape.hpp), so that a
/// particle exerts no force on itself (R. W. Hockney, J. W. Eastwood, Computer Simulation Using
/// Particles (1988), section 5-3-3). Positions do not change. A particle with a share for a node
/// off the grid (physics/pic/grid.hpp), or with a coordinate that is not finite, gets no kick and
/// is counted in `outside`. Weights have no effect: `factor` contains charge over mass of the
/// physical particles. Probes, which deposit nothing, are kicked and counted as other particles
/// are.
///
/// Precisions: double and single. Positions are converted to grid coordinates in double in either
/// precision; single multiplies and adds in float.

namespace tessera::pic {

template <class Storage>
struct GatherKickArgs {
  View<const Storage, 2> positions;  ///< particles x 3, any strides; same unit as the grid
  View<Storage, 2> momenta;  ///< particles x 3, any strides for which elements do not overlap
  View<const std::uint8_t, 1> alive;  ///< one flag per particle; 0: skipped; not given: all count
  double factor = 1;                  ///< change of momentum by a unit of the field
  Grid grid;
  View<const Storage, 3> field[3];  ///< along x, y and z, nx x ny x nz each, any strides
  /// One element: number of particles of this call that got no kick because they are off the grid.
  View<std::int64_t, 1> outside;
};

/// A plan serves any number of particles up to `particles`. Position and spacing of the grid may
/// change between calls; all else must stay the same.
struct GatherKickProblem {
  std::int64_t particles = 0;
  std::int64_t nodes[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
  ParticleOrder order = ParticleOrder::unknown;  ///< results never depend on it
  int shape_order = 1;                           ///< as in pic/charge_deposit
};

[[nodiscard]] ProblemKey problem_key(const GatherKickProblem& problem);

/// Checks the arguments of a call.
class GatherKickCheck {
 public:
  explicit GatherKickCheck(const GatherKickProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t particles = args.positions.extents[0];
    visit.at_most_rows("positions", args.positions, {problem_.particles, 3});
    visit.array("momenta", args.momenta, {particles, 3});
    visit.optional("alive", args.alive, {particles});
    visit.finite("factor", args.factor);
    const std::int64_t* const n = problem_.nodes;
    constexpr const char* field[] = {"field along x", "field along y", "field along z"};
    for (int a = 0; a < 3; ++a)
      visit.array(field[a], args.field[a], {n[0], n[1], n[2]});
    visit.at_least("outside", args.outside, 1);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const GatherKickArgs<Storage>& args) const;

 private:
  GatherKickProblem problem_;
};

/// `prepare` is a hint, as in pic/charge_deposit.
struct GatherKick : PlainOperation<GatherKickArgs, GatherKickProblem,
                                   OperationTraits{.prepare = Prepare::hint}, ShapeFeatures> {
  static constexpr std::string_view name = "pic/gather_kick";
  using Check = GatherKickCheck;
  [[nodiscard]] static Refusal refuse(const GatherKickProblem& problem,
                                      const ShapeFeatures& features) {
    return refuse_shape_order(problem.shape_order, features.shape_orders);
  }
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together, the grid is invalid or the order is not
/// supported.
template <class Storage>
[[nodiscard]] GatherKickProblem gather_kick_problem(const GatherKickArgs<Storage>& args,
                                                    int shape_order = 1);

/// One call on the caller's arrays with the selected implementation. Keep a plan for repeated calls
/// with the same sizes.
template <class P = Double>
void gather_kick(const Context& context, const GatherKickArgs<typename P::Storage>& args,
                 int shape_order = 1) {
  run_once<GatherKick, P>(gather_kick_problem(args, shape_order), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GATHER_KICK_GATHER_KICK_HPP
