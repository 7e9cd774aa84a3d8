#ifndef TESSERA_PHYSICS_MD_SIMULATION_STATE_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_STATE_HPP

#include "core/base/precision.hpp"
#include "core/memory/array.hpp"
#include "core/operations/implementation.hpp"
#include "core/state/columns.hpp"
#include "core/state/step_clock.hpp"
#include "physics/md/system.hpp"
#include "physics/md/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// State that a step of molecular dynamics works on.

namespace tessera::md {

/// Image flags start within this many lengths of the box, and no step moves an atom so far.
inline constexpr double max_image_offset = 1 << 30;

/// Atoms on a device, in the order in which they were given. Terms and integrators may declare
/// further columns in their constructors.
template <class P>
struct State {
  using Storage = typename P::Storage;

  /// Takes the system apart: what moves and what belongs to an atom becomes columns.
  /// \throws ArgumentError, ParticleError for a system that cannot be simulated.
  State(const Context& context, System system, const Units& units, const StepClock& clock,
        Determinism determinism = Determinism::none);

  [[nodiscard]] std::int64_t atoms() const { return columns.owned(); }
  /// Without the frozen ones.
  [[nodiscard]] std::int64_t moving_atoms() const { return atoms() - frozen; }
  [[nodiscard]] const Box& box() const { return description.box; }

  /// Whether this step waits for the device to take times.
  bool timed = true;
  /// Guarantee that terms and integrators require of operations that add up.
  Determinism determinism = Determinism::none;

  Context context;
  Units units;
  StepClock clock;
  /// Whether the box is another one of the lattice that was given (small_tilts.hpp).
  bool reduced = false;
  /// Everything that belongs to no single atom: box, types, coefficients. Its columns are empty.
  System description;

  Columns columns;
  Column<Storage> positions;   ///< atoms x 3, any image
  Column<Storage> velocities;  ///< atoms x 3
  Column<Storage> forces;      ///< atoms x 3, of all terms
  Column<std::int32_t> type;   ///< 0-based
  Column<std::int32_t> images;
  Column<std::int64_t> ids;
  std::optional<Column<Storage>> charges;         ///< where the system has them
  std::optional<Column<std::int64_t>> molecules;  ///< where the system has them

  Array<double> masses;  ///< by type

  std::int64_t frozen = 0;  ///< atoms that never move
  /// Index of an atom for integrators: its type, or `types` where it is frozen.
  Column<std::int32_t> mass_class;
  int mass_classes = 1;          ///< types, and one more where atoms are frozen
  Array<double> force_to_accel;  ///< by motion: 0 for frozen atoms
};

/// Takes the velocities of frozen atoms away: nothing changes them after that.
template <class P>
void stop_frozen(State<P>& state);

/// The system as it is now, with all its columns.
template <class P>
[[nodiscard]] System system_of(const State<P>& state);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_STATE_HPP
