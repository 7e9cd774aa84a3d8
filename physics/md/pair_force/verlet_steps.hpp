#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_VERLET_STEPS_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_VERLET_STEPS_HPP

#include "core/memory/view.hpp"

#include <cstdint>
#include <limits>
#include <vector>

/// \file
/// Fused steps of velocity Verlet by what computes pair forces: forces, both half kicks and the
/// drift in one go, atoms in whatever order suits the kernel, lists made anew on the device as soon
/// as an atom has moved too far. With a GPU the host puts work into the queue, and the device
/// reports later how far it came.
///
///     f = F(x(t)),  v(t + dt/2) = v(t - dt/2) + dt/2 f/m + dt/2 f/m,  x(t + dt) = x(t) + dt v
///
/// (L. Verlet, Phys. Rev. 159, 98 (1967); W. C. Swope et al., J. Chem. Phys. 76, 637 (1982)): a
/// step goes from the middle of one to the middle of the next, as md/integrate does with the phase
/// close_and_open.

namespace tessera::md {

/// Sums over all atoms where a step has its forces and whole velocities: rows for thermo.
struct VerletSums {
  std::int64_t steps = 0;   ///< done before
  double energy = 0;        ///< of the pairs
  double virial[6] = {};    ///< xx yy zz xy xz yz, of the pairs
  double kinetic[6] = {};   ///< m v v, likewise
  double momentum[3] = {};  ///< m v
};

/// After how many steps sums are wanted.
struct VerletRows {
  std::int64_t first = -1;  ///< 0: of the forces that are taken first; negative: never
  std::int64_t every = 1;
  View<const double, 1> masses;  ///< by type
};

/// All views lie in the memory of the context and keep their contents and places until end(), as
/// does what prepare() was given besides positions.
template <class Storage>
struct VerletStepsArgs {
  View<Storage, 2> positions;              ///< atoms x 3, where the next forces are taken
  View<Storage, 2> velocities;             ///< atoms x 3, of half a step before
  View<std::int32_t, 2> images;            ///< atoms x 3, as md/wrap keeps them
  View<const Storage, 2> built_positions;  ///< atoms x 3, those of the last prepare()
  View<const std::int32_t, 1> types;       ///< as in PairForceArgs
  View<const Storage, 1> charges;
  View<const std::int32_t, 1> mass_class;  ///< place of an atom in force_to_accel
  View<const double, 1> force_to_accel;
  double time_step = 0;
  double longest_step = std::numeric_limits<double>::infinity();  ///< further, and a run blew up
  VerletRows rows;                                                ///< only where makes_sums()
};

/// Result of the steps.
struct VerletStepsReport {
  std::int64_t steps = 0;        ///< done
  std::int64_t rebuilds = 0;     ///< lists made anew, atoms folded into the box
  std::int64_t built_after = 0;  ///< steps that were done when this happened last
  /// Steps ended early: lists are wanted that the host has to make.
  bool needs_prepare = false;
  /// It is known that lists hold for the positions that were reached.
  bool lists_hold = false;
  /// How far the furthest atom is then from where they were made; negative: that is not known.
  double furthest = -1;
  /// Steps ended early: this row moved so far in the last step, or its position is no number.
  std::int64_t blown_up = -1;
  double moved = 0;
};

/// Optional capability of a plan of md/pair_force (PairForcePlanInterface::verlet_steps).
class AnyVerletSteps {
 public:
  AnyVerletSteps() = default;
  AnyVerletSteps(const AnyVerletSteps&) = delete;
  AnyVerletSteps& operator=(const AnyVerletSteps&) = delete;

 protected:
  virtual ~AnyVerletSteps() = default;
};

template <class Storage>
class VerletSteps : public AnyVerletSteps {
 public:
  /// Copies the atoms of `args`, after which advance() makes at most `steps` fused steps. Positions
  /// are those of the next forces. The lists of the last prepare() need not cover them any more:
  /// the plan checks the distance from args.built_positions and rebuilds lists, or ends after 0
  /// steps.
  virtual void begin(const VerletStepsArgs<Storage>& args, std::int64_t steps) = 0;
  /// Puts work for some steps into the queue, and waits for what the call before put there. False
  /// where there is nothing more to do: all steps are done, or have ended early.
  [[nodiscard]] virtual bool advance() = 0;
  /// Waits. The caller's arrays are as they were until one of the next two.
  [[nodiscard]] virtual VerletStepsReport end() = 0;
  /// Whether sums can be asked for.
  [[nodiscard]] virtual bool makes_sums() const { return false; }
  /// Sums that have become known since the last call, in the order of the steps.
  [[nodiscard]] virtual std::vector<VerletSums> take_sums() { return {}; }
  /// Atoms as they were when lists were last made anew; only where there were rebuilds.
  virtual void store_rebuilt(const VerletStepsArgs<Storage>& args) = 0;
  virtual void store(const VerletStepsArgs<Storage>& args) = 0;

 protected:
  ~VerletSteps() override = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_VERLET_STEPS_HPP
