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
/// State on which the steps of molecular dynamics work.

namespace tessera::md {

/// Most box lengths by which an initial position may be outside of the box, image flag included,
/// and that an atom may move between rebuilds, so that no image flag overflows.
inline constexpr double max_image_offset = 1 << 30;

/// Atoms on a device, in the order in which they were given. Terms and integrators may declare
/// further columns in their constructors.
template <class P>
struct State {
  using Storage = typename P::Storage;

  /// Moves the per-atom arrays of `system` to columns.
  /// \throws ArgumentError, ParticleError for a system that cannot be simulated.
  State(const Context& context, System system, const Units& units, const StepClock& clock,
        Determinism determinism = Determinism::none);

  [[nodiscard]] std::int64_t atoms() const { return columns.owned(); }
  /// Number of atoms that are not frozen.
  [[nodiscard]] std::int64_t moving_atoms() const { return atoms() - frozen; }
  [[nodiscard]] const Box& box() const { return description.box; }

  /// Whether this step waits for the device in order to take times.
  bool timed = true;
  /// Determinism that terms and integrators must require of their operations.
  Determinism determinism = Determinism::none;

  Context context;
  Units units;
  StepClock clock;
  /// Whether the box differs from the given one, as another box of the same lattice
  /// (small_tilts.hpp).
  bool reduced = false;
  /// All data that belong to no single atom: box, types, coefficients. Its columns are empty.
  System description;

  Columns columns;
  Column<Storage> positions;   ///< atoms x 3, of any periodic image
  Column<Storage> velocities;  ///< atoms x 3
  Column<Storage> forces;      ///< atoms x 3, sum over all terms
  Column<std::int32_t> type;   ///< 0-based
  Column<std::int32_t> images;
  Column<std::int64_t> ids;
  std::optional<Column<Storage>> charges;         ///< absent if the system has none
  std::optional<Column<std::int64_t>> molecules;  ///< absent if the system has none

  Array<double> masses;  ///< by type

  std::int64_t frozen = 0;  ///< number of atoms that never move
  /// Mass class of an atom: its type, or the number of types for a frozen atom.
  Column<std::int32_t> mass_class;
  int mass_classes = 1;          ///< number of types, plus one if atoms are frozen
  Array<double> force_to_accel;  ///< by mass class; 0 for frozen atoms
};

/// Sets the velocities of frozen atoms to zero; no step changes them after that.
template <class P>
void stop_frozen(State<P>& state);

/// The system in its present state, with all its columns.
template <class P>
[[nodiscard]] System system_of(const State<P>& state);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_STATE_HPP
