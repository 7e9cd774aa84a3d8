#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_LAYERS_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_LAYERS_HPP

#include "core/base/device_code.hpp"
#include "core/base/vec3.hpp"
#include "physics/md/box.hpp"
#include "physics/md/neighbor/atom_bounds.hpp"

#include <cmath>

/// \file
/// Bounds for a grid of cells in directions that are not periodic: layers of equal thickness.
/// Bounds by whole layers change seldom, so that a grid between them can be used again, and lists
/// that are made with it do not depend on which grid was used. The layers are those between the
/// outermost atoms, or those between the faces of the box.

namespace tessera::md {

/// Trivially copyable. Layer n contains the coordinates from n to n + 1 in units of the thickness.
struct AtomLayers {
  double thickness = 0;
  double first[3] = {};
  double last[3] = {};
  bool open[3] = {};      ///< directions that are not periodic; the others have no layers
  bool of_faces = false;  ///< whether the layers are those between the faces of the box
  double margin = 0;      ///< if of_faces: distance beyond the layers that atoms may have

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

  /// The layers between the faces of a box, for atoms up to `beyond_layers` beyond them.
  [[nodiscard]] static AtomLayers between_faces(const Box& box, double of_each,
                                                double beyond_layers) {
    AtomBounds faces;
    for (int d = 0; d < 3; ++d) {
      faces.low[d] = box.lower[d];
      faces.high[d] = box.lower[d] + box.length[d];
    }
    AtomLayers layers(faces, box, of_each);
    layers.of_faces = true;
    layers.margin = beyond_layers;
    return layers;
  }

  /// Whether the layers do not change when the box becomes `box`, periodic in the same directions.
  [[nodiscard]] bool hold_in(const Box& box) const {
    if (!of_faces) return true;
    const AtomLayers others = between_faces(box, thickness, margin);
    bool same = true;
    for (int d = 0; d < 3; ++d)
      same = same && (!open[d] || (first[d] == others.first[d] && last[d] == others.last[d]));
    return same;
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

  /// Whether no atom between `bounds` is `beyond`.
  [[nodiscard]] bool contain(const AtomBounds& bounds) const {
    return ((outermost({bounds.low[0], bounds.low[1], bounds.low[2]}) |
             outermost({bounds.high[0], bounds.high[1], bounds.high[2]})) &
            beyond) == 0;
  }

  /// Bits of the outermost layers that contain a position, two for each direction, none if
  /// of_faces; `beyond` where it is not in these or between them, or further than the margin.
  [[nodiscard]] TESSERA_INLINE unsigned outermost(const Vec3<double>& r) const {
    const double position[3] = {r.x, r.y, r.z};
    unsigned bits = 0;
    for (int d = 0; d < 3; ++d) {
      if (!open[d]) continue;
      if (of_faces) {
        const bool within = position[d] >= first[d] * thickness - margin &&
                            position[d] <= (last[d] + 1) * thickness + margin;
        if (!within) bits |= beyond;
        continue;
      }
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
      if (open[d] && !of_faces) bits |= 3u << (2 * d);
    return bits;
  }

 private:
  [[nodiscard]] TESSERA_INLINE double layer(double coordinate) const {
    return floor(coordinate / thickness);
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_ATOM_LAYERS_HPP
