#ifndef TESSERA_TESTS_ANALYTIC_PIC_FODO_CHANNEL_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_FODO_CHANNEL_HPP

#include "physics/pic/beam_line/beam_line.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"
#include "physics/pic/transport/transport.hpp"
#include "tests/analytic/pic/bunch.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

/// \file
/// A channel of quadrupoles, and tracking of bunches through it.

namespace tessera::pic::analytic {

/// A cell from the middle of a focusing quadrupole to that of the next, 1 m long: half a quadrupole
/// of 0.1 m, 0.3 m of drift, 0.2 m of the defocusing quadrupole, and the same in reverse order.
struct FodoCell {
  BeamLine line;
  double k1;

  /// \param phase phase advance of a cell without space charge, in both planes [rad].
  FodoCell(const ReferenceParticle& reference, double phase);
  /// k1 at a position in the cell [1/m^2].
  [[nodiscard]] double focusing(double place) const;
};

/// Tracks a bunch through cells. A step is half a slice of an element, a space-charge kick over the
/// length of the slice, and the other half.
class Channel {
 public:
  /// \param slices number of slices of each element.
  Channel(const Context& context, const BeamLine& cell, int slices, std::int64_t particles,
          const SpaceChargeOptions& options);

  void advance_cell(Bunch<Double>& bunch);
  [[nodiscard]] int kicks_of_cell() const { return static_cast<int>(steps_.size()); }
  /// Number of kicks, over all cells, that particles off the grid did not get.
  [[nodiscard]] std::int64_t outside() const { return outside_; }

 private:
  struct Step {
    Element half;
    double length;
  };
  void through(Bunch<Double>& bunch, const Element& element);

  std::vector<Step> steps_;
  ReferenceParticle reference_;
  Array<std::int64_t> lost_;
  std::unique_ptr<Plan<Transport, Double>> transport_;
  SpaceChargeKick<Double> kick_;
  std::int64_t outside_ = 0;
};

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_FODO_CHANNEL_HPP
