#include "physics/md/simulation/small_tilts.hpp"

#include "core/base/error.hpp"
#include "physics/md/io/box_placement.hpp"
#include "physics/md/reduced_box.hpp"
#include "physics/md/simulation/state.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace tessera::md {
namespace {

bool is_tilted_far(const Box& box) {
  return std::abs(box.tilt[0]) > box.length[0] || std::abs(box.tilt[1]) > box.length[0] ||
         std::abs(box.tilt[2]) > box.length[1];
}

/// Image flags i a + j b + k c in multiples of the edges of the reduced box: c = c' + yz b' + xz a,
/// b = b' + xy a.
std::array<std::int64_t, 3> in_reduced(const std::array<std::int32_t, 3>& image,
                                       const TiltSteps& steps) {
  const std::int64_t i = image[0], j = image[1], k = image[2];
  const std::int64_t along_b = j + steps.yz * k;
  return {i + steps.xy * j + steps.xz * k, along_b, k};
}

}  // namespace

bool make_tilts_small(System& system) {
  if (!is_tilted_far(system.box)) return false;
  const TiltSteps steps = least_tilt(system.box);
  system.box = reduced(system.box, steps);
  system.images.resize(system.positions.size(), {0, 0, 0});
  for (std::size_t a = 0; a < system.positions.size(); ++a) {
    const std::array<std::int64_t, 3> counted = in_reduced(system.images[a], steps);
    bool held = true;
    for (std::size_t d = 0; d < 3; ++d) {
      held = held && std::abs(static_cast<double>(counted[d])) <= max_image_offset;
      system.images[a][d] = held ? static_cast<std::int32_t>(counted[d]) : 0;
    }
    const Placement placed =
        wrap_into_box(system.box, system.positions[a], system.images[a]).placement;
    if (held && placed != Placement::too_far) continue;
    const std::int64_t id = system.ids.empty() ? static_cast<std::int64_t>(a) : system.ids[a];
    throw ParticleError({static_cast<std::int64_t>(a)},
                        "the image flags of atom " + std::to_string(id) +
                            " are beyond their range in the lattice with small tilts that single "
                            "precision uses; use double or mixed precision");
  }
  return true;
}

}  // namespace tessera::md
