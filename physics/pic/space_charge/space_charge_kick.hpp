#ifndef TESSERA_PHYSICS_PIC_SPACE_CHARGE_SPACE_CHARGE_KICK_HPP
#define TESSERA_PHYSICS_PIC_SPACE_CHARGE_SPACE_CHARGE_KICK_HPP

#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/memory/view.hpp"
#include "core/state/operation_timer.hpp"
#include "physics/pic/bunch_moments.hpp"
#include "physics/pic/domain.hpp"
#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/green_function/green_function.hpp"
#include "physics/pic/reference_particle.hpp"
#include "physics/pic/shape_order.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// \file
/// The complete space-charge kick of a bunch in the caller's arrays.
///
/// The statistics of the bunch determine position and size of a grid in the beam frame
/// (pic/domain.hpp), in which the field is electrostatic. The steps are the charge on the nodes
/// (pic/charge_deposit), the potential (pic/poisson_solve), the field (pic/electric_field) and the
/// change of momenta over a path of length L in the accelerator,
///
///     (px, py, pz*) / p_ref += q E* L / (beta gamma (p_ref c / e))
///
/// because the time that passes in the beam frame is L / (beta gamma c) (J. Qiang et al., "An
/// object-oriented parallel particle-in-cell code for beam dynamics simulation in linear
/// accelerators", J. Comput. Phys. 163, 434 (2000)). Each particle is transformed to that frame and
/// back in the same pass (pic/boosted_kick). Positions keep their bits: in a split-operator step
/// the kick is R. W. Hockney and J. W. Eastwood's force on particles at rest.
///
/// Beam-frame coordinates differ from accelerator coordinates by a longitudinal factor. The third
/// axis of the grid is column 4 times this factor: if column 4 is the delay of a particle times c,
/// the axis, and the longitudinal field, point from the head of the bunch to the tail.
///
/// Fewer than two particles at different positions exert no force on each other, and no kick is
/// made: the only field would be that of a particle on itself. Between walls a single particle is
/// kicked by its images.

namespace tessera::pic {

struct SpaceChargeOptions {
  DomainRule domain;
  /// The point function is refused if cells are too long for the extent of the bunch
  /// (green_function.hpp).
  GreenKind green = GreenKind::integrated;
  /// conducting walls at the edges of a fixed domain that is periodic along z
  bool walls = false;
  int shape_order = 1;      ///< particle shape, 1 to 3
  double charge = 0;        ///< charge of a macro-particle of weight 1, in C
  double charge_state = 1;  ///< charge of a physical particle, in elementary charges
  double rest_energy = 0;   ///< energy of a physical particle, in eV
  ReferenceParticle reference;
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  /// Whether particles that cannot be converted to the beam frame become lost; otherwise they are
  /// an error.
  bool lose_impossible = false;
  /// Interval, in kicks, at which particles are sorted by cells; 0: never.
  std::int64_t reorder_every = 0;
  /// Least determinism of every operation; with any_order, pic/reorder is required to be run_to_run
  /// only.
  Determinism determinism = Determinism::none;
};

/// Arrays of a bunch, all on one device. Lengths are in m.
template <class Storage>
struct BunchArrays {
  View<Storage, 2> coordinates;  ///< particles x 6, as in pic/frame_change
  View<std::uint8_t, 1> alive;   ///< 0: lost. Not given: all count, and none can be lost
  View<Storage, 1> weights;      ///< not given: 1
  View<std::int64_t, 1> ids;     ///< not given: there are none
};

/// Result of a kick.
struct KickReport {
  BunchMoments moments;  ///< moments of the coordinates in the arrays, before the kick
  Grid grid;             ///< grid in the beam frame, of the last kick that was made
  bool made = false;     ///< false for fewer than two particles at different positions
  /// Particles without forward momentum in one of the frames, which are now lost.
  std::int64_t impossible = 0;
  std::int64_t outside = 0;  ///< particles off the grid: they deposited no charge and got no kick
  bool green_was_kept = false;
  bool reordered = false;
};

/// State for the next kick besides the bunch: plain numbers, from which a run continues with the
/// same bits.
struct SpaceChargeState {
  DomainState domain;
  std::int64_t kicks = 0;  ///< number of kicks made

  friend bool operator==(const SpaceChargeState&, const SpaceChargeState&) = default;
};

template <class P>
class SpaceChargeKick {
 public:
  using Storage = typename P::Storage;

  /// \param particles number of rows of the arrays of the bunch.
  /// \throws ArgumentError with the invalid option; RefusalError, SelectionError if an operation is
  /// not available.
  SpaceChargeKick(const Context& context, std::int64_t particles, const SpaceChargeOptions& options,
                  const SpaceChargeState& state = {});
  ~SpaceChargeKick();

  /// Makes the plans of the kicks of such a bunch, so that errors of selection occur earlier; not
  /// that of pic/frame_change, which a kick makes to count particles that cannot be converted.
  /// \param some_are_lost whether the bunch has lost particles; if not, the first kick after a loss
  /// makes a further plan.
  /// \throws RefusalError, SelectionError
  void make_plans(const BunchArrays<Storage>& bunch, bool some_are_lost);

  /// \param length of the path in the accelerator, in m.
  /// \throws ParticleError if particles cannot be converted to the beam frame and lose_impossible
  /// is false; coordinates are then as before, to rounding. ArgumentError if a coordinate is not
  /// finite or no domain can be found; coordinates are as before. ParticleError also if the kick
  /// leaves particles without forward momentum in the accelerator and lose_impossible is false; the
  /// other particles have been kicked.
  const KickReport& operator()(const BunchArrays<Storage>& bunch, double length);

  [[nodiscard]] const KickReport& report() const;
  [[nodiscard]] SpaceChargeState state() const;
  /// Fields of the last kick, on the device: nx x ny x nz with x fastest. The three components of
  /// the field of a node are adjacent. Zero if the last kick was not made; the grid is then that of
  /// the kick before.
  [[nodiscard]] View<const Storage, 3> density() const;
  [[nodiscard]] View<const Storage, 3> potential() const;
  [[nodiscard]] View<const Storage, 3> field(int axis) const;
  /// Share of the kicks for which the Green function was kept.
  [[nodiscard]] double hit_rate() const;
  /// Time by operation.
  [[nodiscard]] std::vector<OperationTime> times() const;
  /// Whether kicks synchronize with the device to time each operation.
  void time_operations(bool timed);

 private:
  class Chain;
  std::unique_ptr<Chain> chain_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SPACE_CHARGE_SPACE_CHARGE_KICK_HPP
