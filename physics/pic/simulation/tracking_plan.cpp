#include "physics/pic/simulation/tracking_plan.hpp"

#include "core/base/error.hpp"

namespace tessera::pic {
namespace {

constexpr const char* plan_name = "tracking_plan";

class PlanMaker {
 public:
  explicit PlanMaker(const ReferenceParticle& reference) { plan_.reference = reference; }

  void add(const BeamLine::Place& place, int kicks) {
    plan_.elements.push_back(place.name);
    const double length = pic::length(place.element);
    const bool whole = std::holds_alternative<MatrixElement>(place.element);
    if (kicks == 0 || length == 0) {
      add_step({transport(place.element)}, plan_.length + length);
    } else if (whole) {
      if (kicks > 1)
        throw ArgumentError(plan_name, "kicks",
                            std::to_string(kicks) + " in the matrix '" + place.name +
                                "', which has no parts, expected 0 or 1");
      const TrackingAction kick{{}, length / 2};
      add_step({kick, transport(place.element), kick}, plan_.length + length);
    } else {
      const TrackingAction half = transport(part(place.element, 2 * kicks));
      for (int k = 1; k <= kicks; ++k)
        add_step({half, {{}, length / kicks}, half}, plan_.length + length * k / kicks);
    }
    plan_.length += length;
  }

  [[nodiscard]] TrackingPlan take() { return std::move(plan_); }

 private:
  [[nodiscard]] TrackingAction transport(const BeamElement& element) const {
    return {transport_element(element, plan_.reference), 0};
  }
  void add_step(std::vector<TrackingAction> actions, double end) {
    plan_.steps.push_back({std::move(actions), std::ssize(plan_.elements), end});
  }

  TrackingPlan plan_;
};

}  // namespace

TrackingPlan tracking_plan(const BeamLine& line, const std::vector<int>& kicks) {
  const auto& places = line.places();
  if (places.empty()) throw ArgumentError(plan_name, "line", "it has no elements");
  if (kicks.size() != places.size())
    throw ArgumentError(plan_name, "kicks",
                        std::to_string(kicks.size()) + " numbers for " +
                            std::to_string(places.size()) + " elements");
  PlanMaker maker(line.reference());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (kicks[i] < 0)
      throw ArgumentError(
          plan_name, "kicks",
          std::to_string(kicks[i]) + " in '" + places[i].name + "', expected 0 or more");
    maker.add(places[i], kicks[i]);
  }
  return maker.take();
}

}  // namespace tessera::pic
