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
/// The whole kick that the charge of a bunch gives itself, on the caller's own arrays.
///
/// Statistics of the bunch, and from them the place and the size of a grid in the frame of the beam
/// (pic/domain.hpp), where the field is electrostatic; the charge on its nodes
/// (pic/charge_deposit); the potential (pic/poisson_solve) and the field (pic/electric_field) of
/// it; the change of momenta over a path of the length L in the accelerator,
///
///     (px, py, pz*) / p_ref += q E* L / (beta gamma (p_ref c / e))
///
/// because the time that passes in the frame of the beam is L / (beta gamma c) (J. Qiang et al.,
/// "An object-oriented parallel particle-in-cell code for beam dynamics simulation in linear
/// accelerators", J. Comput. Phys. 163, 434 (2000)), with the way into that frame and back for one
/// particle after the other (pic/boosted_kick). Positions keep their bits: what a kick stands for
/// in a split-operator step is R. W. Hockney and J. W. Eastwood's force on particles at rest.
///
/// Coordinates of the frame of the beam differ from those of the accelerator by a factor along the
/// beam. Its grid is that of column 4, stretched: for c times how late a particle is it counts from
/// the head of the bunch to the tail, and so does the field along it.
///
/// Fewer than two particles at different places give each other no kick, and none is made: there is
/// no field but that of a particle on itself. Between walls a single one meets its images.

namespace tessera::pic {

struct SpaceChargeOptions {
  DomainRule domain;
  /// The function of a point is refused for cells that are long where the bunch lies
  /// (green_function.hpp).
  GreenKind green = GreenKind::integrated;
  bool walls = false;       ///< conducting, at the edges of a fixed domain that is periodic along z
  int shape_order = 1;      ///< of particles, 1 to 3
  double charge = 0;        ///< of a macro-particle of weight 1, in C
  double charge_state = 1;  ///< of a physical particle, in elementary charges
  double rest_energy = 0;   ///< of a physical particle, in eV
  ReferenceParticle reference;
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  /// Whether a particle that has no frame of the beam is lost; else it is an error.
  bool lose_impossible = false;
  /// Particles are put in the order of cells every so many kicks, 0: never.
  std::int64_t reorder_every = 0;
  /// The least that every operation has to give. Of reorder the same bits for the same input are
  /// enough for any order.
  Determinism determinism = Determinism::none;
};

/// Arrays of a bunch, all on one device. Lengths in m.
template <class Storage>
struct BunchArrays {
  View<Storage, 2> coordinates;  ///< particles x 6, as in pic/frame_change
  View<std::uint8_t, 1> alive;   ///< 0 is lost. Not given: all count, and none can be lost
  View<Storage, 1> weights;      ///< not given: 1
  View<std::int64_t, 1> ids;     ///< not given: none to keep with their particles
};

/// What a kick came to.
struct KickReport {
  BunchMoments moments;         ///< of the coordinates in the arrays, before the kick
  Grid grid;                    ///< in the frame of the beam; of the last kick that was made
  bool made = false;            ///< not for fewer than two particles at different places
  std::int64_t impossible = 0;  ///< particles without momentum forward in a frame, lost now
  std::int64_t outside = 0;     ///< off the grid: they took and gave no kick
  bool green_was_kept = false;
  bool reordered = false;
};

/// What the next kick depends on besides the bunch: plain numbers, for a restart with the same
/// bits.
struct SpaceChargeState {
  DomainState domain;
  std::int64_t kicks = 0;  ///< that were made

  friend bool operator==(const SpaceChargeState&, const SpaceChargeState&) = default;
};

template <class P>
class SpaceChargeKick {
 public:
  using Storage = typename P::Storage;

  /// \param particles rows of the bunch's arrays.
  /// \throws ArgumentError that names the option that makes no sense; RefusalError,
  /// SelectionError where an operation cannot be had.
  SpaceChargeKick(const Context& context, std::int64_t particles, const SpaceChargeOptions& options,
                  const SpaceChargeState& state = {});
  ~SpaceChargeKick();

  /// Makes now the plans that the first kick of such a bunch makes otherwise, so that what cannot
  /// be had is found before.
  /// \param some_are_lost of the bunch; a kick that is the first to meet lost particles makes a
  /// plan for them. \throws RefusalError, SelectionError
  void make_plans(const BunchArrays<Storage>& bunch, bool some_are_lost);

  /// \param length of the path in the accelerator, in m.
  /// \throws ParticleError where particles have no frame of the beam and may not be lost:
  /// coordinates are then those before, to rounding; ArgumentError where a coordinate is not finite
  /// or no domain can be found: they are those before. ParticleError too where a kick leaves
  /// particles without momentum forward in the accelerator that may not be lost; the others have
  /// been kicked.
  const KickReport& operator()(const BunchArrays<Storage>& bunch, double length);

  [[nodiscard]] const KickReport& report() const;
  [[nodiscard]] SpaceChargeState state() const;
  /// Of the last kick, on the device: nx x ny x nz with x fastest. The three components of the
  /// field of a node are neighbors. Zero where that was not made, on the grid of the one before.
  [[nodiscard]] View<const Storage, 3> density() const;
  [[nodiscard]] View<const Storage, 3> potential() const;
  [[nodiscard]] View<const Storage, 3> field(int axis) const;
  /// Share of the kicks for which the Green function was kept.
  [[nodiscard]] double hit_rate() const;
  /// Where the time went, by operation.
  [[nodiscard]] std::vector<OperationTime> times() const;
  /// Whether kicks wait for each operation to take its time.
  void time_operations(bool timed);

 private:
  class Chain;
  std::unique_ptr<Chain> chain_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SPACE_CHARGE_SPACE_CHARGE_KICK_HPP
