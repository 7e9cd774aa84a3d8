#include "physics/md/io/lammps_data/general_box.hpp"

#include <cmath>

namespace tessera::md::lammps {
namespace {

using Vector = Vec3<double>;

Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double length(const Vector& a) {
  return std::hypot(a.x, a.y, a.z);
}

}  // namespace

std::array<double, 3> Turn::operator()(const std::array<double, 3>& vector) const {
  const Vector v = {vector[0], vector[1], vector[2]};
  return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
}

std::array<double, 3> Turn::about(const Box& box, const std::array<double, 3>& position) const {
  std::array<double, 3> place = position;
  for (std::size_t d = 0; d < 3; ++d)
    place[d] -= box.lower[d];
  place = (*this)(place);
  for (std::size_t d = 0; d < 3; ++d)
    place[d] += box.lower[d];
  return place;
}

std::optional<Turn> take_vectors(const std::array<Vec3<double>, 3>& vectors, Box& box) {
  const auto& [a, b, c] = vectors;
  const Vector along = (1 / length(a)) * a;
  const Vector normal = cross(along, b);
  const Vector up = (1 / length(normal)) * normal;
  const Turn turn = {{along, cross(up, along), up}};
  box.length[0] = length(a);
  box.length[1] = length(normal);
  box.length[2] = dot(c, up);
  box.tilt[0] = dot(b, along);
  box.tilt[1] = dot(c, along);
  box.tilt[2] = dot(c, turn.axes[1]);
  const double volume = box.volume();
  if (!(volume > 0) || !std::isfinite(volume)) return {};
  return turn;
}

}  // namespace tessera::md::lammps
