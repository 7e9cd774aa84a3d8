#pragma once

#include <array>
#include <cstdint>
#include <tessera/core/operations/implementation.hpp>
#include <tessera/core/operations/trial.hpp>
#include <tessera/pic/green_function/green_function.hpp>
#include <tessera/pic/grid.hpp>
#include <tessera/pic/reference_particle.hpp>
#include <tessera/pic/transport/element.hpp>
#include <vector>

/// \file
/// A bunch of a run as the operations of this module need it for trials of their own.

namespace tessera::pic {

/// The column "coordinates" (6) is that of the accelerator, as in pic/transport, "beam" (6) the
/// same in the frame of the beam, which has the grid.
struct BunchSource : TrialSource {
  ReferenceParticle reference;
  std::vector<std::uint8_t> alive;
  Element element;  ///< the first of the lattice
  Grid grid;        ///< no nodes: the case has no space charge, or the bunch no grid
  GreenKind green = GreenKind::integrated;
  bool walls = false;  ///< the potential is 0 around the grid
  double charge = 0;
  int shape_order = 1;
  Determinism determinism = Determinism::none;

  [[nodiscard]] const std::vector<double>& coordinates() const {
    return columns.at("coordinates").values;
  }
  [[nodiscard]] const std::vector<double>& in_beam() const { return columns.at("beam").values; }
  [[nodiscard]] bool has_grid() const { return grid.nodes[0] > 0; }
};

}  // namespace tessera::pic
