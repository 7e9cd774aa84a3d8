#ifndef TESSERA_PHYSICS_PIC_BUNCH_SOURCE_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_SOURCE_HPP

#include "core/operations/implementation.hpp"
#include "core/trials/trial.hpp"
#include "physics/pic/green_function/green_function.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/reference_particle.hpp"
#include "physics/pic/transport/element.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// \file
/// The bunch of a run, as input for trials of the operations of pic.

namespace tessera::pic {

/// Columns of the source: "coordinates" (6) are accelerator coordinates, as in pic/transport;
/// "beam" (6) are the same particles in the beam frame, in which the grid lies.
struct BunchSource : TrialSource {
  ReferenceParticle reference;
  std::vector<std::uint8_t> alive;
  Element element;  ///< first element of the lattice
  Grid grid;        ///< has no nodes if the case has no space charge or the bunch has no grid
  GreenKind green = GreenKind::integrated;
  bool walls = false;  ///< whether the potential is 0 at the edges of the grid
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

#endif  // TESSERA_PHYSICS_PIC_BUNCH_SOURCE_HPP
