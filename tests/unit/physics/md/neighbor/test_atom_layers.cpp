#include "physics/md/neighbor/atom_layers.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace tessera::md {
namespace {

[[nodiscard]] Box slab() {
  Box box;
  for (int d = 0; d < 3; ++d) {
    box.lower[d] = -1;
    box.length[d] = 10;
    box.periodic[d] = d != 2;
  }
  return box;
}

TEST_CASE("layers of atoms: bounds by whole layers in open directions") {
  AtomBounds bounds;
  for (int d = 0; d < 3; ++d) {
    bounds.low[d] = -3.1;
    bounds.high[d] = 7.5;
  }
  const AtomLayers layers(bounds, slab(), 2.5);
  const AtomBounds widened = layers.widen(bounds);
  CHECK(widened.low[0] == bounds.low[0]);
  CHECK(widened.high[1] == bounds.high[1]);
  CHECK(widened.low[2] == -5);
  CHECK(widened.high[2] == 10);  // 7.5 is the first coordinate of the layer from 7.5 to 10

  // Bounds that differ within the outermost layers give the same ones.
  bounds.low[2] = -4.9;
  bounds.high[2] = 9.9;
  CHECK(AtomLayers(bounds, slab(), 2.5).widen(bounds).low[2] == -5);
  CHECK(AtomLayers(bounds, slab(), 2.5).widen(bounds).high[2] == 10);
  CHECK(layers.all() == (3u << 4));
}

TEST_CASE("layers of atoms: the outermost layers that contain a position") {
  AtomBounds bounds;
  for (int d = 0; d < 3; ++d) {
    bounds.low[d] = 0.5;
    bounds.high[d] = 2.5;
  }
  const AtomLayers layers(bounds, slab(), 1);
  CHECK(layers.outermost({9, 9, 0}) == 1u << 4);
  CHECK(layers.outermost({9, 9, 1.5}) == 0);
  CHECK(layers.outermost({9, 9, 2.999}) == 2u << 4);
  CHECK(layers.outermost({0, 0, 3}) == AtomLayers::beyond);
  CHECK(layers.outermost({0, 0, -1e-300}) == AtomLayers::beyond);
  CHECK(layers.outermost({0, 0, std::numeric_limits<double>::quiet_NaN()}) == AtomLayers::beyond);

  bounds.high[2] = bounds.low[2];
  const AtomLayers one(bounds, slab(), 1);
  CHECK(one.outermost({0, 0, 0.7}) == one.all());
}

TEST_CASE("layers of atoms: those between the faces of the box") {
  const AtomLayers faces = AtomLayers::between_faces(slab(), 2, 4);
  AtomBounds bounds;
  for (int d = 0; d < 3; ++d) {
    bounds.low[d] = -6;
    bounds.high[d] = 14;
  }
  // The faces are at -1 and 9.
  const AtomBounds widened = faces.widen(bounds);
  CHECK(widened.low[0] == -6);
  CHECK(widened.high[1] == 14);
  CHECK(widened.low[2] == -2);
  CHECK(widened.high[2] == 10);
  CHECK(faces.all() == 0);
  CHECK(faces.contain(bounds));
  CHECK(faces.outermost({100, 100, -6}) == 0);
  CHECK(faces.outermost({0, 0, 14.001}) == AtomLayers::beyond);
  CHECK(faces.outermost({0, 0, std::numeric_limits<double>::quiet_NaN()}) == AtomLayers::beyond);
  bounds.high[2] = 14.001;
  CHECK(!faces.contain(bounds));
  bounds.high[2] = 0;
  bounds.low[2] = -6.001;
  CHECK(!faces.contain(bounds));

  Box box = slab();
  box.length[0] = 20;
  box.length[2] = 10.9;
  CHECK(faces.hold_in(box));
  box.length[2] = 11;
  CHECK(!faces.hold_in(box));
  CHECK(AtomLayers(bounds, slab(), 2).hold_in(box));
}

TEST_CASE("layers of atoms: a periodic box has none") {
  Box box = slab();
  box.periodic[2] = true;
  const AtomLayers layers({}, box, 1);
  CHECK(layers.all() == 0);
  CHECK(layers.outermost({100, 100, 100}) == 0);
}

}  // namespace
}  // namespace tessera::md
