#include "physics/pic/transport/transport_reference.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::pic {
namespace {

using Long = long double;

/// A particle in transport: its coordinates, the sums of the magnitudes of their terms, and the
/// coordinates that the element changes.
struct TrackedParticle {
  Long v[6];
  Long size[6];
  bool changes[6];
};

/// Multiplies by the matrix, column by column.
bool through_map(const LinearMap& map, TrackedParticle& at) {
  Long sum[6];
  for (int i = 0; i < 6; ++i) {
    sum[i] = map.constant[i];
    at.size[i] = std::fabs(sum[i]);
  }
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) {
      const Long term = map.matrix[i][j] * at.v[j];
      sum[i] += term;
      at.size[i] += std::fabs(term);
    }
  std::copy(sum, sum + 6, at.v);
  std::fill(at.changes, at.changes + 6, true);
  return true;
}

/// Moves the particle along a straight line, and compares its time of flight with that of the
/// reference particle.
bool through_drift(Long length, Long mass, TrackedParticle& at) {
  const Long p = 1 + at.v[5];
  const Long transverse = std::hypot(at.v[1], at.v[3]);
  if (!(p > transverse)) return false;
  const Long pz = std::sqrt((p - transverse) * (p + transverse));
  const Long energy = std::hypot(p, mass);
  const Long reference_energy = std::hypot(Long{1}, mass);
  const Long path = length / pz;
  // Computes energy - reference_energy pz from the difference of the squares: for small slopes and
  // momentum deviations the two terms agree in most of their digits.
  const Long more = (transverse * transverse * reference_energy * reference_energy -
                     mass * mass * at.v[5] * (2 + at.v[5])) /
                    (energy + reference_energy * pz);
  const auto move = [&](int c, Long distance) {
    at.size[c] = std::fabs(at.v[c]) + std::fabs(distance);
    at.v[c] += distance;
    at.changes[c] = true;
  };
  move(0, at.v[1] * path);
  move(2, at.v[3] * path);
  move(4, path * more);
  // Adds the magnitudes of the delays by a lower momentum and by a longer path, which may cancel.
  at.size[4] +=
      std::fabs(path) * energy * (transverse * transverse + std::fabs(at.v[5]) * mass * mass);
  return true;
}

/// Applies the gain of a cavity to the kinetic energy.
bool through_cavity(const Element& cavity, Long mass, TrackedParticle& at) {
  const Long p = 1 + at.v[5];
  if (!(p > 0)) return false;
  const Long angle = cavity.phase + cavity.wave_number * at.v[4];
  const Long kinetic = p * p / (std::hypot(p, mass) + mass) + cavity.energy_gain * std::sin(angle);
  if (!(kinetic > 0)) return false;
  const Long after = std::sqrt(kinetic * (kinetic + 2 * mass));
  if (!(after > std::hypot(at.v[1], at.v[3]))) return false;
  // The rounding error of the sine grows with its angle.
  const Long slope = (kinetic + mass) / after;
  at.size[5] =
      std::fabs(at.v[5]) + slope * std::fabs(Long{cavity.energy_gain}) * (1 + std::fabs(angle));
  at.v[5] = after - 1;
  at.changes[5] = true;
  return true;
}

bool through_aperture(const Element& aperture, const TrackedParticle& at) {
  const Long x = std::fabs(at.v[0] - aperture.center_x);
  const Long y = std::fabs(at.v[2] - aperture.center_y);
  if (aperture.kind == ElementKind::ellipse_aperture)
    return std::hypot(x / aperture.half_x, y / aperture.half_y) <= 1;
  return x <= aperture.half_x && y <= aperture.half_y;
}

bool through(const Element& element, Long mass, TrackedParticle& at) {
  switch (element.kind) {
    case ElementKind::linear_map:
      return through_map(element.map, at);
    case ElementKind::drift:
      return through_drift(element.length, mass, at);
    case ElementKind::cavity:
      return through_cavity(element, mass, at);
    case ElementKind::rectangle_aperture:
    case ElementKind::ellipse_aperture:
      return through_aperture(element, at);
  }
  return false;
}

}  // namespace

template <class Storage>
void transport_oracle(const TransportArgs<Storage>& args, double* magnitudes) {
  args.lost(0) = 0;
  const Long mass = 1 / static_cast<Long>(args.reference.beta_gamma);
  for (std::int64_t p = 0; p < args.coordinates.extent(0); ++p) {
    if (args.alive.given() && args.alive(p) == 0) continue;
    TrackedParticle at{};
    for (int c = 0; c < 6; ++c) {
      at.v[c] = static_cast<Long>(args.coordinates(p, c));
      at.size[c] = std::fabs(at.v[c]);
    }
    bool passes = through(args.element, mass, at);
    for (int c = 0; c < 6; ++c)
      passes = passes && (!at.changes[c] || std::isfinite(static_cast<Storage>(at.v[c])));
    if (!passes) {
      ++args.lost(0);
      if (args.alive.given()) args.alive(p) = 0;
      if (args.lost_at.given()) args.lost_at(p) = args.code;
      continue;
    }
    for (int c = 0; c < 6; ++c) {
      if (at.changes[c]) args.coordinates(p, c) = static_cast<Storage>(at.v[c]);
      if (magnitudes != nullptr) magnitudes[6 * p + c] = static_cast<double>(at.size[c]);
    }
  }
}

template <class Storage>
void transport_reference(const TransportProblem&, const TransportArgs<Storage>& args) {
  transport_oracle(args, nullptr);
}

template void transport_oracle<double>(const TransportArgs<double>&, double*);
template void transport_oracle<float>(const TransportArgs<float>&, double*);
template void transport_reference<double>(const TransportProblem&, const TransportArgs<double>&);
template void transport_reference<float>(const TransportProblem&, const TransportArgs<float>&);

}  // namespace tessera::pic
