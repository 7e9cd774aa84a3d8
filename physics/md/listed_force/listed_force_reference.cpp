#include "physics/md/listed_force/listed_force_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace tessera::md {
namespace {

using Vector = std::array<double, 3>;

Vector minus(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Vector& a) {
  return std::hypot(a[0], a[1], a[2]);
}

/// The coordinate of a term, and its gradient by the position of each atom, zero where there is
/// none.
struct Coordinate {
  double value = 0;
  std::array<Vector, 4> gradient{};
};

Coordinate distance(const std::array<Vector, 4>& at) {
  const Vector r = minus(at[0], at[1]);
  Coordinate q{length(r), {}};
  if (q.value == 0) return q;
  for (std::size_t d = 0; d < 3; ++d) {
    q.gradient[0][d] = r[d] / q.value;
    q.gradient[1][d] = -r[d] / q.value;
  }
  return q;
}

/// The gradient by an end is perpendicular to its arm, in the plane of the angle, of the length 1
/// over that of the arm.
Coordinate angle(const std::array<Vector, 4>& at) {
  const Vector arms[2] = {minus(at[0], at[1]), minus(at[2], at[1])};
  const Vector normal = cross(arms[0], arms[1]);
  const double size = length(normal);
  Coordinate q{std::atan2(size, dot(arms[0], arms[1])), {}};
  if (size == 0) return q;
  for (std::size_t end = 0; end < 2; ++end) {
    const Vector outward = end == 0 ? cross(arms[0], normal) : cross(normal, arms[1]);
    const double square = dot(arms[end], arms[end]);
    for (std::size_t d = 0; d < 3; ++d) {
      q.gradient[2 * end][d] = outward[d] / (square * size);
      q.gradient[1][d] -= q.gradient[2 * end][d];
    }
  }
  return q;
}

/// A. Blondel, M. Karplus, J. Comput. Chem. 17, 1132 (1996), equations 27; the sign is that of
/// IUPAC.
Coordinate dihedral(const std::array<Vector, 4>& at) {
  const Vector f = minus(at[0], at[1]);
  const Vector g = minus(at[1], at[2]);
  const Vector h = minus(at[3], at[2]);
  const Vector a = cross(f, g);
  const Vector b = cross(h, g);
  const double size = length(g);
  const double aa = dot(a, a);
  const double bb = dot(b, b);
  if (aa == 0 || bb == 0) return {};
  Coordinate q{std::atan2(dot(cross(b, a), g) / size, dot(a, b)), {}};
  for (std::size_t d = 0; d < 3; ++d) {
    const double first = -size / aa * a[d];
    const double last = size / bb * b[d];
    const double shared = dot(f, g) / (aa * size) * a[d] - dot(h, g) / (bb * size) * b[d];
    q.gradient[0][d] = first;
    q.gradient[1][d] = shared - first;
    q.gradient[2][d] = -shared - last;
    q.gradient[3][d] = last;
  }
  return q;
}

Coordinate coordinate(std::size_t of_class, const std::array<Vector, 4>& at) {
  return of_class == bond_class ? distance(at) : of_class == angle_class ? angle(at) : dihedral(at);
}

/// Errors of a coordinate are magnified by the change of the slope, so that the magnitude of a
/// slope is its own and that of its change over a step that stands for the coordinate: the distance
/// of a bond, one radian of an angle.
struct Magnified {
  ListedValue value;
  double slope = 0;
  double energy = 0;
};
Magnified magnified(const ListedPotential::OfType& type, std::size_t of_class, double q) {
  const ListedValue value = type.at(q);
  const double scale = of_class == bond_class ? q : 1;
  if (scale == 0) return {{0, value.energy}, 0, std::abs(value.energy)};
  constexpr double step = 1e-3;
  const double change =
      std::abs(type.at(q + scale * step).slope - type.at(q - scale * step).slope) / (2 * step);
  return {value, std::abs(value.slope) + change,
          std::abs(value.energy) + scale * (std::abs(value.slope) + change)};
}

}  // namespace

template <class Storage>
void listed_force_oracle(const ListedForceProblem& problem, const ListedForceArgs<Storage>& args,
                         ListedMagnitudes* magnitudes) {
  check_arguments<ListedForce>(problem, args);
  std::array<std::vector<ListedPotential::OfType>, listed_classes> types;
  std::array<ListedPotential, listed_classes> potentials;
  for (std::size_t c = 0; c < listed_classes; ++c) {
    potentials[c] = listed_potential(static_cast<int>(c), problem.classes[c].potential);
    for (std::int64_t t = 0; t < problem.classes[c].types; ++t)
      types[c].push_back(potentials[c].of_type(args.coefficients[c], t));
  }
  const std::int64_t targets = args.targets();
  ListedMagnitudes sums;
  sums.forces.resize(static_cast<std::size_t>(targets));
  sums.energies.resize(sums.forces.size());
  sums.virials.resize(sums.forces.size());
  std::array<double, listed_classes> energy{};
  std::array<std::array<double, 6>, listed_classes> virial{};
  const auto row_of = [&](std::int64_t atom) {
    return args.rows.given() ? std::int64_t{args.rows(atom)} : atom;
  };
  /// From atom a to the nearest image of atom b, by their rows.
  const auto separation = [&](std::int64_t a, std::int64_t b) {
    Vector r{};
    for (std::int64_t d = 0; d < 3; ++d)
      r[static_cast<std::size_t>(d)] =
          static_cast<double>(args.positions(b, d)) - static_cast<double>(args.positions(a, d));
    // Along c first, because this changes x and y.
    for (int d = 2; d >= 0; --d) {
      if (!args.box.periodic[d]) continue;
      const double n = std::nearbyint(r[static_cast<std::size_t>(d)] / args.box.length[d]);
      const Vec3<double> edge = args.box.edge(d);
      r = {r[0] - n * edge.x, r[1] - n * edge.y, r[2] - n * edge.z};
    }
    return r;
  };
  for (std::int64_t i = 0; i < targets; ++i) {
    const std::int64_t row = row_of(i);
    const auto own = static_cast<std::size_t>(i);
    Vector force{};
    if (args.write == Write::add)
      for (std::size_t d = 0; d < 3; ++d)
        force[d] = static_cast<double>(args.forces(row, static_cast<std::int64_t>(d)));
    sums.forces[own] = std::abs(force[0]) + std::abs(force[1]) + std::abs(force[2]);
    double own_energy = 0;
    std::array<double, 6> own_virial{};
    for (std::int32_t entry = args.offsets(i); entry < args.offsets(i + 1); ++entry) {
      std::size_t c = 0;
      std::int32_t type = args.kinds(entry);
      while (type >= problem.classes[c].types)
        type -= problem.classes[c++].types;
      const int atoms = listed_class[c].atoms;
      const int place = args.places(entry);
      std::array<Vector, 4> at{};  // from the first atom
      std::int64_t next = std::int64_t{most_partners} * entry;
      std::int64_t before = -1;
      for (int a = 0; a < atoms; ++a) {
        const std::int64_t other = a == place ? row : row_of(args.partners(next++));
        if (a > 0) {
          const Vector& from = at[static_cast<std::size_t>(a - 1)];
          const Vector r = separation(before, other);
          at[static_cast<std::size_t>(a)] = {from[0] + r[0], from[1] + r[1], from[2] + r[2]};
        }
        before = other;
      }
      const Coordinate q = coordinate(c, at);
      const Magnified v = magnified(types[c][static_cast<std::size_t>(type)], c, q.value);
      const double share = 1.0 / atoms;
      energy[c] += share * v.value.energy;
      own_energy += share * v.value.energy;
      sums.energies[own] += share * v.energy;
      for (std::size_t a = 0; a < static_cast<std::size_t>(atoms); ++a) {
        const Vector arm = minus(at[a], at[1]);
        constexpr std::size_t component[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (std::size_t k = 0; k < 6; ++k) {
          const double w =
              -share * v.value.slope * arm[component[k][0]] * q.gradient[a][component[k][1]];
          own_virial[k] += w;
          virial[c][k] += w;
        }
        sums.virials[own] += share * v.slope * length(arm) * length(q.gradient[a]);
      }
      const Vector& gradient = q.gradient[static_cast<std::size_t>(place)];
      for (std::size_t d = 0; d < 3; ++d)
        force[d] -= v.value.slope * gradient[d];
      for (const Vector& g : q.gradient)
        sums.forces[own] += v.slope * length(g);
    }
    for (std::size_t d = 0; d < 3; ++d)
      args.forces(row, static_cast<std::int64_t>(d)) = static_cast<Storage>(force[d]);
    sums.energy += sums.energies[own];
    sums.virial += sums.virials[own];
    if (args.energies.given()) args.energies(i) = own_energy;
    for (std::size_t k = 0; k < 6; ++k)
      if (args.virials.given()) args.virials(i, static_cast<std::int64_t>(k)) = own_virial[k];
  }
  std::int64_t place = 0;
  for (std::size_t c = 0; c < listed_classes; ++c) {
    if (problem.classes[c].types == 0) continue;
    if (args.energy.given()) args.energy(place) = energy[c];
    for (std::size_t k = 0; k < 6; ++k)
      if (args.virial.given()) args.virial(place, static_cast<std::int64_t>(k)) = virial[c][k];
    ++place;
  }
  if (magnitudes != nullptr) *magnitudes = sums;
}

template void listed_force_oracle<double>(const ListedForceProblem&, const ListedForceArgs<double>&,
                                          ListedMagnitudes*);
template void listed_force_oracle<float>(const ListedForceProblem&, const ListedForceArgs<float>&,
                                         ListedMagnitudes*);

}  // namespace tessera::md
