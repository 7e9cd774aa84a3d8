#ifndef TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_LINE_HPP
#define TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_LINE_HPP

#include "physics/pic/beam_line/beam_element.hpp"
#include "physics/pic/beam_line/optics.hpp"

#include <string>
#include <vector>

/// \file
/// A sequence of elements, for a reference particle.

namespace tessera::pic {

class BeamLine {
 public:
  struct Place {
    std::string name;
    BeamElement element;
  };

  /// \throws ArgumentError about `reference` where its momentum is not positive and finite.
  explicit BeamLine(const ReferenceParticle& reference);

  /// Appends an element. Names may repeat.
  /// \throws ArgumentError with the name of the element, as check_beam_element does.
  void add(std::string name, const BeamElement& element);

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] const ReferenceParticle& reference() const { return reference_; }
  [[nodiscard]] double length() const;

  /// Product of all linear maps in the order of the elements: the map of one pass, or of one turn
  /// of a ring.
  [[nodiscard]] LinearMap map() const;

  /// Elements for pic/transport, in order.
  [[nodiscard]] std::vector<Element> transport_elements() const;

  /// Copy of the line with every element that has a length cut into `parts` equal parts, named
  /// "q 1/4" and so on. Elements without length, and matrices, stay whole.
  /// \throws ArgumentError for fewer parts than 1.
  [[nodiscard]] BeamLine sliced(int parts) const;

  /// Optics that a pass reproduces. Its phase is the sum of the phase advances of the elements, so
  /// that it includes whole turns; an element with a phase advance of half a turn or more
  /// contributes too little.
  /// \throws UnstableOpticsError; ArgumentError if x and y are coupled, even by a single element.
  [[nodiscard]] PlaneOptics periodic_optics(Plane plane) const;

  /// Periodic optics before the first element and after each element (one entry more than
  /// elements); the phase begins at 0.
  [[nodiscard]] std::vector<PlaneOptics> optics_along(Plane plane) const;

 private:
  ReferenceParticle reference_;
  std::vector<Place> places_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_LINE_HPP
