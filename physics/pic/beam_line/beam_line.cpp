#include "physics/pic/beam_line/beam_line.hpp"

#include "core/base/error.hpp"
#include "core/operations/argument_check.hpp"
#include "physics/pic/beam_line/map_algebra.hpp"
#include "physics/pic/reference_check.hpp"

#include <utility>

namespace tessera::pic {

BeamLine::BeamLine(const ReferenceParticle& reference) : reference_(reference) {
  check_reference(ArgumentCheck("BeamLine"), reference);
}

void BeamLine::add(std::string name, const BeamElement& element) {
  try {
    check_beam_element(element);
  } catch (const ArgumentError& error) {
    throw ArgumentError("BeamLine::add", name, error.what());
  }
  places_.push_back({std::move(name), element});
}

double BeamLine::length() const {
  double sum = 0;
  for (const Place& place : places_)
    sum += pic::length(place.element);
  return sum;
}

LinearMap BeamLine::map() const {
  LinearMap product;
  for (const Place& place : places_)
    product = composed(linear_map(place.element, reference_), product);
  return product;
}

std::vector<Element> BeamLine::transport_elements() const {
  std::vector<Element> elements;
  elements.reserve(places_.size());
  for (const Place& place : places_)
    elements.push_back(transport_element(place.element, reference_));
  return elements;
}

BeamLine BeamLine::sliced(int parts) const {
  if (parts < 1)
    throw ArgumentError("BeamLine::sliced", "parts",
                        std::to_string(parts) + ", expected 1 or more");
  BeamLine line(reference_);
  for (const Place& place : places_) {
    if (parts == 1 || pic::length(place.element) == 0 ||
        std::holds_alternative<MatrixElement>(place.element)) {
      line.places_.push_back(place);
      continue;
    }
    const BeamElement one = part(place.element, parts);
    for (int k = 1; k <= parts; ++k)
      line.places_.push_back(
          {place.name + " " + std::to_string(k) + "/" + std::to_string(parts), one});
  }
  return line;
}

PlaneOptics BeamLine::periodic_optics(Plane plane) const {
  return optics_along(plane).back();
}

std::vector<PlaneOptics> BeamLine::optics_along(Plane plane) const {
  std::vector<PlaneOptics> along{pic::periodic_optics(map(), plane)};
  along.back().phase = 0;
  for (const Place& place : places_)
    along.push_back(optics_behind(along.back(), linear_map(place.element, reference_), plane));
  return along;
}

}  // namespace tessera::pic
