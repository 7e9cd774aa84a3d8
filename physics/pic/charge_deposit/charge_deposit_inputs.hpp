#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tessera/pic/grid.hpp>
#include <vector>

/// \file
/// Particles for tests and benchmarks of pic/charge_deposit, the same on every machine.

namespace tessera::pic {

/// How the arguments lie in memory.
enum class PositionLayout { rows, columns, records };  ///< records: rows of seven numbers
enum class DensityLayout { z_fastest, x_fastest_padded };

struct DepositInput {
  Grid grid;
  std::vector<std::array<double, 3>> positions;
  std::vector<double> weights;  ///< empty: not given
  double charge = 1;
  PositionLayout position_layout = PositionLayout::rows;
  DensityLayout density_layout = DensityLayout::z_fastest;
  bool add = false;        ///< onto a density that is there already
  std::int64_t spare = 0;  ///< particles that the plan expects beyond those that come
};

/// Names of the inputs for verification, cheapest first.
[[nodiscard]] std::vector<std::string> deposit_inputs();

/// \throws SelectionError for an unknown name.
[[nodiscard]] DepositInput make_deposit_input(const std::string& name);

/// A beam of n particles on 64 x 64 x 512 nodes, Gaussian within +-4 standard deviations, in the
/// order and shape that `name` says: "random"; "cell-sorted", by the cell whose lowest node comes
/// first in a dense density; "drifted", sorted and then moved on by 15 degrees of betatron phase
/// (two cells rms in x and y); "uniform", spread evenly and in random order.
/// \throws SelectionError for an unknown name.
[[nodiscard]] DepositInput make_deposit_beam(const std::string& name, std::int64_t n);
[[nodiscard]] std::vector<std::string> deposit_beams();

}  // namespace tessera::pic
