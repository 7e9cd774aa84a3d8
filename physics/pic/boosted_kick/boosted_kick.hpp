#ifndef TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_HPP
#define TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/gather_kick/gather_kick.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/reference_particle.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/boosted_kick: pic/gather_kick in the beam frame, for particles in the coordinates of an
/// accelerator code. Each particle is transformed to the beam frame, kicked and transformed back
/// (pic/frame_change), so that the bunch is read once and written once.
///
///     (x', y', zp) += factor * sum over nodes n of W(x_p - x_n) field(n)
///
/// with zp the longitudinal momentum in the beam frame, and the W of pic/charge_deposit of the same
/// order. A kick moves no particle: x, y and the longitudinal position keep their bits.
///
/// The grid is in the coordinates of the arrays: its third direction is that of column 4, which is
/// stretched by beta gamma (cdt_dpop and t_pt) or gamma (zeta_ptau) in the beam frame. If column 4
/// is the delay of a particle times c, it grows towards the tail of the bunch. In every case
/// `field[2]` is the component along the direction of growing column 4.
///
/// A particle off the grid (physics/pic/grid.hpp) gets no kick and is counted in `outside`. A
/// particle on the grid whose longitudinal momentum in the accelerator is not forward before or
/// after the kick keeps its coordinates and is counted in `impossible`; its `alive` is set to 0 if
/// the array is given.
///
/// Precisions: double and single, for the arrays and the field; frames are changed in double.

namespace tessera::pic {

template <class Storage>
struct BoostedKickArgs {
  /// particles x 6, any strides for which elements do not overlap: coordinates as in
  /// pic/frame_change. Columns 1, 3 and 5 are changed.
  View<Storage, 2> coordinates;
  /// One flag per particle: particles with 0 are lost and skipped. Not given: all are alive.
  View<std::uint8_t, 1> alive;
  ReferenceParticle reference;
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  double factor = 1;  ///< change of momentum by a unit of the field, in units of p_ref
  Grid grid;          ///< of x, y and column 4
  View<const Storage, 3> field[3];  ///< nx x ny x nz each, any strides
  View<std::int64_t, 1>
      outside;  ///< one element: number of particles off the grid, which got no kick
  /// One element: number of particles that could not be converted.
  View<std::int64_t, 1> impossible;
};

/// A plan serves any number of particles up to `particles`. Position and spacing of the grid may
/// change between calls; all else must stay the same.
struct BoostedKickProblem {
  std::int64_t particles = 0;
  std::int64_t nodes[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
  ParticleOrder order = ParticleOrder::unknown;  ///< results never depend on it
  int shape_order = 1;                           ///< as in pic/charge_deposit
};

[[nodiscard]] ProblemKey problem_key(const BoostedKickProblem& problem);

/// Checks the arguments of a call.
class BoostedKickCheck {
 public:
  explicit BoostedKickCheck(const BoostedKickProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    visit.at_most_rows("coordinates", args.coordinates, {problem_.particles, 6});
    visit.optional("alive", args.alive, {args.coordinates.extents[0]});
    visit.finite("factor", args.factor);
    const std::int64_t* const n = problem_.nodes;
    constexpr const char* field[] = {"field along x", "field along y", "field along z"};
    for (int a = 0; a < 3; ++a)
      visit.array(field[a], args.field[a], {n[0], n[1], n[2]});
    visit.at_least("outside", args.outside, 1);
    visit.at_least("impossible", args.impossible, 1);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const BoostedKickArgs<Storage>& args) const;

 private:
  BoostedKickProblem problem_;
};

/// `prepare` is a hint, as in pic/charge_deposit.
struct BoostedKick : PlainOperation<BoostedKickArgs, BoostedKickProblem,
                                    OperationTraits{.prepare = Prepare::hint}, ShapeFeatures> {
  static constexpr std::string_view name = "pic/boosted_kick";
  using Check = BoostedKickCheck;
  [[nodiscard]] static Refusal refuse(const BoostedKickProblem& problem,
                                      const ShapeFeatures& features) {
    return refuse_shape_order(problem.shape_order, features.shape_orders);
  }
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together, the grid is invalid or the order is not
/// supported.
template <class Storage>
[[nodiscard]] BoostedKickProblem boosted_kick_problem(const BoostedKickArgs<Storage>& args,
                                                      int shape_order = 1);

/// One call on the caller's arrays with the selected implementation. Keep a plan for repeated calls
/// with the same sizes.
template <class P = Double>
void boosted_kick(const Context& context, const BoostedKickArgs<typename P::Storage>& args,
                  int shape_order = 1) {
  run_once<BoostedKick, P>(boosted_kick_problem(args, shape_order), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_HPP
