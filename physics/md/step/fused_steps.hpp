#ifndef TESSERA_PHYSICS_MD_STEP_FUSED_STEPS_HPP
#define TESSERA_PHYSICS_MD_STEP_FUSED_STEPS_HPP

#include "core/memory/view.hpp"
#include "core/operations/choices.hpp"
#include "physics/md/box.hpp"
#include "physics/md/langevin/langevin.hpp"
#include "physics/md/step/added_forces.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// \file
/// Fused steps by implementations of pair forces: forces, both half kicks and the drift in one
/// pass, with atoms in the order that suits the kernel and lists rebuilt as soon as an atom has
/// moved too far. On a GPU the host enqueues steps, and the device reports later how many it has
/// made.
///
///     f = F(x(t)),  v(t + dt/2) = v(t - dt/2) + dt/2 f/m + dt/2 f/m,  x(t + dt) = x(t) + dt v
///
/// (L. Verlet, Phys. Rev. 159, 98 (1967); W. C. Swope et al., J. Chem. Phys. 76, 637 (1982)): a
/// fused step goes from the middle of one time step, after its drift, to the middle of the next, as
/// the phase close_and_open of md/integrate, or of md/langevin where a bath acts on the atoms.

namespace tessera::md {

/// Sums over all atoms at a step, with the forces at its positions and velocities at the same time,
/// for rows of thermo.
struct StepSums {
  std::int64_t steps = 0;   ///< number of fused steps made before
  double energy = 0;        ///< of the pairs
  double virial[6] = {};    ///< xx yy zz xy xz yz, of the pairs
  double kinetic[6] = {};   ///< m v v, likewise
  double momentum[3] = {};  ///< m v
};

/// Steps after which sums are requested.
struct StepRows {
  /// Number of steps before the first sums; 0: sums with the first forces; negative: no sums.
  std::int64_t first = -1;
  std::int64_t every = 1;
  View<const double, 1> masses;  ///< by type
};

/// All views are in the memory of the context. They, and the arguments of prepare() other than
/// positions, must keep their addresses and contents until end().
template <class Storage>
struct FusedStepsArgs {
  View<Storage, 2> positions;              ///< atoms x 3, at which the next forces are computed
  View<Storage, 2> velocities;             ///< atoms x 3, half a step earlier than positions
  View<std::int32_t, 2> images;            ///< atoms x 3, image flags as in md/wrap
  View<const Storage, 2> built_positions;  ///< atoms x 3, positions at the last prepare()
  Box box;                                 ///< present box, in which all steps take place
  View<const std::int32_t, 1> types;       ///< as in PairForceArgs
  View<const Storage, 1> charges;
  View<const std::int32_t, 1> mass_class;  ///< index of an atom into force_to_accel
  View<const double, 1> force_to_accel;
  double time_step = 0;
  /// Distance in one step beyond which an atom ends the run as a blow-up.
  double longest_step = std::numeric_limits<double>::infinity();
  /// Distance that atoms may move until the lists are rebuilt, if it is shorter than that of the
  /// plan.
  double allowed_displacement = std::numeric_limits<double>::infinity();
  /// Number of rebuilds after which the steps end where the next one would take place.
  std::int64_t most_rebuilds = std::numeric_limits<std::int64_t>::max();
  StepRows rows;  ///< used only if makes_sums()
  /// The bath that acts on the atoms; absent: none. Fused steps read its arrays `types`, `ids`,
  /// `force_to_accel`, `noise` and `half_mass`, and add to `heat`. Its number of a step is that of
  /// the first fused step.
  std::optional<LangevinArgs<Storage>> bath;
  /// Forces that are added to those of the pairs in every step; null: none.
  AddedForces<Storage>* added = nullptr;
};

/// Report of the steps that were made.
struct FusedStepsReport {
  std::int64_t steps = 0;        ///< number of steps made
  std::int64_t rebuilds = 0;     ///< number of list rebuilds, each with a wrap of the atoms
  std::int64_t built_after = 0;  ///< number of steps made before the last rebuild
  /// Whether the steps ended early because lists are needed that only the host can build.
  bool needs_prepare = false;
  /// Whether the lists are known to hold for the final positions.
  bool lists_hold = false;
  /// Largest displacement of the final positions since the last rebuild; negative: unknown.
  double furthest = -1;
  /// Row of an atom that moved by `moved` in the last step, or whose position is not finite, so
  /// that the steps ended early; negative: none.
  std::int64_t blown_up = -1;
  double moved = 0;
};

/// Optional capability of a plan of md/pair_force (PairForcePlanInterface::fused_steps).
class AnyFusedSteps {
 public:
  AnyFusedSteps() = default;
  AnyFusedSteps(const AnyFusedSteps&) = delete;
  AnyFusedSteps& operator=(const AnyFusedSteps&) = delete;

 protected:
  virtual ~AnyFusedSteps() = default;
};

template <class Storage>
class FusedSteps : public AnyFusedSteps {
 public:
  /// Reason why the plan cannot make the steps of `args`, for instance in a bath; absent if it can.
  [[nodiscard]] virtual Refusal refuse(const FusedStepsArgs<Storage>& args) const = 0;
  /// Copies the atoms of `args`, after which advance() makes at most `steps` fused steps. Positions
  /// are those of the next forces. The lists of the last prepare() need not cover them any more:
  /// the plan checks the distance from args.built_positions and rebuilds lists, or ends after 0
  /// steps.
  virtual void begin(const FusedStepsArgs<Storage>& args, std::int64_t steps) = 0;
  /// Enqueues the work of some steps, and waits for the work that the previous call enqueued.
  /// \returns false if no work is left: all steps are done, or have ended early.
  [[nodiscard]] virtual bool advance() = 0;
  /// Waits for the enqueued work. The caller's arrays are changed only by store_rebuilt() and
  /// store().
  [[nodiscard]] virtual FusedStepsReport end() = 0;
  /// Whether FusedStepsArgs::rows may request sums.
  [[nodiscard]] virtual bool makes_sums() const { return false; }
  /// Sums that have become known since the last call, in the order of the steps.
  [[nodiscard]] virtual std::vector<StepSums> take_sums() { return {}; }
  /// Writes the atoms at the last rebuild of the lists to the arrays of `args`; only if the report
  /// counts rebuilds.
  virtual void store_rebuilt(const FusedStepsArgs<Storage>& args) = 0;
  /// Writes the atoms after the last step to the arrays of `args`.
  virtual void store(const FusedStepsArgs<Storage>& args) = 0;

 protected:
  ~FusedSteps() override = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_STEP_FUSED_STEPS_HPP
