#ifndef TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_INPUTS_HPP
#define TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_INPUTS_HPP

#include "core/trials/typed_trials.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/grid.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// \file
/// Particles for trials of operations on particles and a grid, the same on every machine.

namespace tessera::pic {

/// Memory layout of the arguments.
enum class PositionLayout { rows, columns, records };  ///< records: rows of seven numbers
enum class DensityLayout { z_fastest, x_fastest_padded };
/// Layout of the field: one array per component, in the layout of the density; or four numbers per
/// node of which three are used, x fastest, as in SpaceChargeKick.
enum class FieldLayout { by_component, by_node };

struct DepositInput {
  Grid grid;
  std::vector<std::array<double, 3>> positions;
  std::vector<double> weights;           ///< empty: not given
  std::vector<std::uint8_t> alive = {};  ///< of pic/charge_deposit only; empty: not given
  double charge = 1;
  PositionLayout position_layout = PositionLayout::rows;
  DensityLayout density_layout = DensityLayout::z_fastest;
  FieldLayout field_layout = FieldLayout::by_component;
  bool add = false;  ///< whether the deposit is added to a former density
  /// Number of particles that the plan allows in excess of those of the call.
  std::int64_t spare = 0;
  ParticleOrder order = ParticleOrder::unknown;
  int shape_order = 1;
  Determinism determinism = Determinism::none;  ///< determinism of the deposit
};

[[nodiscard]] TrialShape position_shape(const DepositInput& input);
/// Shape of an array with one number per node.
[[nodiscard]] TrialShape density_shape(const DepositInput& input);
/// Coordinates, particles x 3.
[[nodiscard]] std::vector<double> coordinates(const DepositInput& input);

/// The bunch of a run on its grid; absent if the source is not a bunch with a grid.
[[nodiscard]] std::optional<DepositInput> deposit_input(const TrialSource& source);

/// Inputs of all operations on particles and a grid. "few nodes" is random on 13 x 7 x 21 nodes;
/// "random", "cell-sorted" (by the cell whose lowest node comes first in a dense density),
/// "drifted" (sorted, then moved on by 15 degrees of betatron phase), "reordered" (in the order
/// that pic/reorder makes), "five steps after" (reordered, then moved on by five steps of three
/// degrees and in z by 0.08 of a cell rms) and "uniform" (spread evenly) are beams on 64 x 64 x 512
/// nodes; below 100,000 particles all but "uniform" are on 64 x 64 x 96. The smaller inputs whose
/// names end in ", order 2" and ", order 3" have that shape order.
[[nodiscard]] std::vector<TrialRow<DepositInput>> deposit_rows();

/// The same inputs with fewer particles, for operations that treat each particle independently.
/// Timed inputs have positions by columns and the field by node, as complete kicks have. Some of
/// the others exist also with the field by node, under names that end in ", field by node".
[[nodiscard]] std::vector<TrialRow<DepositInput>> kick_rows();

/// Inputs of all shape orders that require Determinism::any_order of the deposit.
[[nodiscard]] std::vector<TrialRow<DepositInput>> deposit_rows_in_any_order();

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_INPUTS_HPP
