#ifndef TESSERA_PHYSICS_PIC_LINEAR_MAP_HPP
#define TESSERA_PHYSICS_PIC_LINEAR_MAP_HPP

/// \file
/// A linear map of the six coordinates of a particle.

namespace tessera::pic {

/// v -> matrix v + constant, v = (x, x', y, y', cdt, dpop) as in physics/pic/transport. The default
/// is the identity.
struct LinearMap {
  double matrix[6][6] = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0},
                         {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};
  double constant[6] = {0, 0, 0, 0, 0, 0};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_LINEAR_MAP_HPP
