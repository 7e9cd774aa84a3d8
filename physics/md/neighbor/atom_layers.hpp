#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_LAYERS_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_LAYERS_HPP

#include "core/base/device_code.hpp"
#include "core/base/vec3.hpp"
#include "physics/md/box.hpp"
#include "physics/md/neighbor/atom_bounds.hpp"

#include <cmath>

/// \file
/// The layers of equal thickness between the outermost atoms in directions that are not periodic.
/// Bounds by whole layers change seldom, so that a grid of cells between them can be used again,
/// and lists that are made with it do not depend on which grid was used.

namespace tessera::md {

/// Trivially copyable. Layer n contains the coordinates from n to n + 1 in units of the thickness.
struct AtomLayers {
  double thickness = 0;
  double first[3] = {};
  double last[3] = {};
  bool open[3] = {};  ///< directions that are not periodic; the others have no layers

  /// Bit of outermost() for positions beyond the layers.
  static constexpr unsigned beyond = 1u << 6;

  AtomLayers() = default;
  /// \param bounds of the atoms.
  /// \param of_each thickness of a layer, positive.
  AtomLayers(const AtomBounds& bounds, const Box& box, double of_each) : thickness(of_each) {
    for (int d = 0; d < 3; ++d) {
      open[d] = !box.periodic[d];
      first[d] = layer(bounds.low[d]);
      last[d] = layer(bounds.high[d]);
    }
  }

  /// Bounds by whole layers; in periodic directions those of `given`.
  [[nodiscard]] AtomBounds widen(AtomBounds given) const {
    for (int d = 0; d < 3; ++d) {
      if (!open[d]) continue;
      given.low[d] = first[d] * thickness;
      given.high[d] = (last[d] + 1) * thickness;
    }
    return given;
  }

  /// Bits of the outermost layers that contain a position, two for each direction; `beyond` where
  /// it is not between the bounds.
  [[nodiscard]] TESSERA_INLINE unsigned outermost(const Vec3<double>& r) const {
    const double position[3] = {r.x, r.y, r.z};
    unsigned bits = 0;
    for (int d = 0; d < 3; ++d) {
      if (!open[d]) continue;
      const double in = layer(position[d]);
      if (in == first[d]) bits |= 1u << (2 * d);
      if (in == last[d]) bits |= 2u << (2 * d);
      if (!(in >= first[d] && in <= last[d])) bits |= beyond;
    }
    return bits;
  }
  /// outermost() of all atoms that have these layers.
  [[nodiscard]] unsigned all() const {
    unsigned bits = 0;
    for (int d = 0; d < 3; ++d)
      if (open[d]) bits |= 3u << (2 * d);
    return bits;
  }

 private:
  [[nodiscard]] TESSERA_INLINE double layer(double coordinate) const {
    return floor(coordinate / thickness);
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_LAYERS_HPP
