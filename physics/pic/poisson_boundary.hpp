#ifndef TESSERA_PHYSICS_PIC_POISSON_BOUNDARY_HPP
#define TESSERA_PHYSICS_PIC_POISSON_BOUNDARY_HPP

#include <cstdint>
#include <string_view>

/// \file
/// Boundary conditions of a potential.

namespace tessera::pic {

enum class PoissonBoundary {
  open,        ///< free space in all directions
  periodic_z,  ///< transverse free space, periodic along z
  /// conducting walls at the transverse edges of the domain, periodic along z
  pipe
};

[[nodiscard]] constexpr std::string_view name(PoissonBoundary boundary) {
  switch (boundary) {
    case PoissonBoundary::open:
      return "open";
    case PoissonBoundary::periodic_z:
      return "periodic_z";
    case PoissonBoundary::pipe:
      return "pipe";
  }
  return "unknown";
}

/// Extent along z of the values of a Green function: distances of 0 to n nodes for open boundaries,
/// else waves 0 to n / 2 of the period.
[[nodiscard]] constexpr std::int64_t green_extent_z(PoissonBoundary boundary,
                                                    std::int64_t nodes_z) {
  return boundary == PoissonBoundary::open ? nodes_z + 1 : nodes_z / 2 + 1;
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_BOUNDARY_HPP
