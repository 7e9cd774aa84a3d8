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
/// pic/boosted_kick: pic/gather_kick in the frame of the beam, of particles whose coordinates are
/// those of an accelerator code: into that frame, the kick and the way back (pic/frame_change) for
/// one particle after the other, so that the bunch is read once and written once.
///
///     (x', y', zp) += factor * sum over nodes n of W(x_p - x_n) field(n)
///
/// with zp the momentum along the beam in its frame, and the W of pic/charge_deposit of the same
/// order. A kick moves nobody: x, y and the place along the beam keep their bits.
///
/// The grid lies in the coordinates of the arrays: its third direction is that of column 4, which
/// the frame of the beam has stretched by beta gamma (cdt_dpop and t_pt) or gamma (zeta_ptau). For
/// c times how late a particle is, column 4 grows towards the tail of the bunch; `field[2]` is the
/// component along the direction in which it grows, in any case.
///
/// A particle that shares nodes off the grid (physics/pic/grid.hpp) gets no kick and is counted in
/// `outside`. One on the grid that has no longitudinal momentum forward in the accelerator, before
/// the kick or after it, keeps its coordinates, is counted in `impossible`, and is lost where
/// `alive` says who is.
///
/// Precisions: double and single, which is of the arrays and of the field; frames are changed in
/// double.

namespace tessera::pic {

template <class Storage>
struct BoostedKickArgs {
  /// particles x 6, any strides that keep elements apart: as in pic/frame_change. Columns 1, 3 and
  /// 5 change.
  View<Storage, 2> coordinates;
  /// By particle: 0 is lost and passed over. Not given: all count.
  View<std::uint8_t, 1> alive;
  ReferenceParticle reference;
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  double factor = 1;                 ///< momentum, in units of p_ref, for a unit of the field
  Grid grid;                         ///< of x, y and column 4
  View<const Storage, 3> field[3];   ///< nx x ny x nz each, any strides
  View<std::int64_t, 1> outside;     ///< one element: how many got no kick
  View<std::int64_t, 1> impossible;  ///< one element: how many could not be converted
};

/// A plan serves any number of particles up to `particles`; the place and the spacing of the grid
/// may change from call to call, the rest may not.
struct BoostedKickProblem {
  std::int64_t particles = 0;
  std::int64_t nodes[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
  ParticleOrder order = ParticleOrder::unknown;  ///< results never depend on it
  int shape_order = 1;                           ///< as in pic/charge_deposit
};

[[nodiscard]] ProblemKey problem_key(const BoostedKickProblem& problem);

/// What a call needs.
class BoostedKickCheck {
 public:
  explicit BoostedKickCheck(const BoostedKickProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const BoostedKickArgs<Storage>& args) const;

 private:
  BoostedKickProblem problem_;
};

/// `prepare` is a hint, as in pic/charge_deposit.
struct BoostedKick : PlainOperation<BoostedKickArgs, BoostedKickProblem, Prepare::hint> {
  static constexpr std::string_view name = "pic/boosted_kick";
  using Check = BoostedKickCheck;
  template <class PlanType>
  [[nodiscard]] static Refusal refuse(const BoostedKickProblem& problem) {
    return refuse_shape_order<PlanType>(problem.shape_order);
  }
};

/// The problem that `args` pose.
/// \throws ArgumentError when shapes do not fit together, the grid makes no sense or there is no
/// such order.
template <class Storage>
[[nodiscard]] BoostedKickProblem boosted_kick_problem(const BoostedKickArgs<Storage>& args,
                                                      int shape_order = 1);

/// One call on the caller's arrays with whatever implementation is selected. Keep a plan instead
/// when the same sizes come again.
template <class P = Double>
void boosted_kick(const Context& context, const BoostedKickArgs<typename P::Storage>& args,
                  int shape_order = 1) {
  run_once<BoostedKick, P>(boosted_kick_problem(args, shape_order), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BOOSTED_KICK_BOOSTED_KICK_HPP
