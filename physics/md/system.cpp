#include "physics/md/system.hpp"

#include "core/base/shortest_number.hpp"

#include <algorithm>

namespace tessera::md {

std::int64_t System::frozen_atoms() const {
  return std::count_if(frozen.begin(), frozen.end(), [](std::uint8_t flag) { return flag != 0; });
}

double System::volume() const {
  return dimensions == 2 ? box.length[0] * box.length[1] : box.volume();
}

std::optional<PlaneFault> find_plane_fault(const System& system) {
  if (system.dimensions == 3) return {};
  if (system.dimensions != 2)
    return PlaneFault{-1, "dimensions", static_cast<double>(system.dimensions), "expected 2 or 3"};
  if (system.box.periodic[2])
    return PlaneFault{-1, "periodic z", 1, "expected a box that is not, in two dimensions"};
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    const auto atom = static_cast<std::int64_t>(i);
    const double plane = system.positions.front()[2];
    if (system.positions[i][2] != plane)
      return PlaneFault{atom, "position z", system.positions[i][2],
                        "expected " + shortest_number(plane) +
                            " as of the first atom: in two dimensions all atoms lie in a plane"};
    if (!system.velocities.empty() && system.velocities[i][2] != 0)
      return PlaneFault{atom, "velocity z", system.velocities[i][2],
                        "expected 0 in two dimensions"};
  }
  return {};
}

void System::clear_atoms() {
  ids = {};
  type = {};
  positions = {};
  images = {};
  velocities = {};
  charges = {};
  molecules = {};
  frozen = {};
}

}  // namespace tessera::md
