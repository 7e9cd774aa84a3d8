#ifndef TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_LINE_HPP
#define TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_LINE_HPP

#include "physics/pic/beam_line/beam_element.hpp"
#include "physics/pic/beam_line/optics.hpp"

#include <string>
#include <vector>

/// \file
/// Elements one after another, for a reference particle.

namespace tessera::pic {

class BeamLine {
 public:
  struct Place {
    std::string name;
    BeamElement element;
  };

  /// \throws ArgumentError about `reference` where its momentum is none.
  explicit BeamLine(const ReferenceParticle& reference);

  /// Puts an element behind the last one. Names may come more than once.
  /// \throws ArgumentError that names the element, as check_beam_element.
  void add(std::string name, const BeamElement& element);

  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] const ReferenceParticle& reference() const { return reference_; }
  [[nodiscard]] double length() const;

  /// All linear maps, the first element first: of one pass, in a ring of one turn.
  [[nodiscard]] LinearMap map() const;

  /// What pic/transport takes, in order.
  [[nodiscard]] std::vector<Element> transport_elements() const;

  /// Everything that has a length in so many equal parts, named "q 1/4" and so on; what has none,
  /// and matrices, as they are.
  /// \throws ArgumentError for fewer parts than 1.
  [[nodiscard]] BeamLine sliced(int parts) const;

  /// What comes back after a pass. Its phase is the sum over the elements, so that whole turns are
  /// counted; elements of half a turn and more count too little.
  /// \throws UnstableOpticsError; ArgumentError where x and y are coupled, also by one element.
  [[nodiscard]] PlaneOptics periodic_optics(Plane plane) const;

  /// The same in front of the first element and behind each, as many and one; phases from 0 on.
  [[nodiscard]] std::vector<PlaneOptics> optics_along(Plane plane) const;

 private:
  ReferenceParticle reference_;
  std::vector<Place> places_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_LINE_HPP
