#ifndef TESSERA_PHYSICS_PIC_TRANSPORT_TRANSFER_HPP
#define TESSERA_PHYSICS_PIC_TRANSPORT_TRANSFER_HPP

#include "core/base/device_code.hpp"
#include "physics/pic/reference_particle.hpp"
#include "physics/pic/transport/element.hpp"

#include <cmath>

/// \file
/// Formulas of transport.hpp for one particle, in double, with one struct for each kind of element.
/// `operator()` returns false if the particle is lost; coordinates are then undefined. Bit c of
/// `writes` is set if coordinate c changes.

namespace tessera::pic {

struct LinearTransfer {
  static constexpr unsigned writes = 0b111111;
  LinearMap map;

  LinearTransfer(const ReferenceParticle&, const Element& element) : map(element.map) {}

  [[nodiscard]] TESSERA_INLINE bool operator()(double (&v)[6]) const {
    double sum[6];
    for (int i = 0; i < 6; ++i) {
      sum[i] = map.constant[i];
      for (int j = 0; j < 6; ++j)
        sum[i] += map.matrix[i][j] * v[j];
    }
    for (int i = 0; i < 6; ++i)
      v[i] = sum[i];
    return true;
  }
};

struct DriftTransfer {
  static constexpr unsigned writes = 0b010101;
  double length;
  double mass_squared;
  double reference_energy;

  DriftTransfer(const ReferenceParticle& reference, const Element& element)
      : length(element.length),
        mass_squared(1 / (reference.beta_gamma * reference.beta_gamma)),
        reference_energy(1 / reference.beta()) {}

  [[nodiscard]] TESSERA_INLINE bool operator()(double (&v)[6]) const {
    const double t = v[1] * v[1] + v[3] * v[3];
    const double q = v[5] * (2 + v[5]);
    const double pz_squared = 1 + q - t;
    if (!(pz_squared > 0) || !(v[5] > -1)) return false;
    const double pz = std::sqrt(pz_squared);
    const double energy = std::sqrt(1 + q + mass_squared);
    const double step = length / pz;
    v[0] += step * v[1];
    v[2] += step * v[3];
    v[4] += step * (t * (1 + mass_squared) - q * mass_squared) / (energy + pz * reference_energy);
    return true;
  }
};

struct CavityTransfer {
  static constexpr unsigned writes = 0b100000;
  double energy_gain;
  double wave_number;
  double phase;
  double mass_squared;

  CavityTransfer(const ReferenceParticle& reference, const Element& element)
      : energy_gain(element.energy_gain),
        wave_number(element.wave_number),
        phase(element.phase),
        mass_squared(1 / (reference.beta_gamma * reference.beta_gamma)) {}

  [[nodiscard]] TESSERA_INLINE bool operator()(double (&v)[6]) const {
    const double p = 1 + v[5];
    const double energy = std::sqrt(p * p + mass_squared);
    const double gain = energy_gain * std::sin(phase + wave_number * v[4]);
    const double more = gain * (2 * energy + gain);
    const double after_squared = p * p + more;
    const bool forward = after_squared > v[1] * v[1] + v[3] * v[3];
    if (!(p > 0) || !(energy + gain > 0) || !forward) return false;
    v[5] += more / (p + std::sqrt(after_squared));
    return true;
  }
};

struct ApertureTransfer {
  static constexpr unsigned writes = 0;
  double half_x;
  double half_y;
  double center_x;
  double center_y;

  ApertureTransfer(const ReferenceParticle&, const Element& element)
      : half_x(element.half_x),
        half_y(element.half_y),
        center_x(element.center_x),
        center_y(element.center_y) {}
};

struct RectangleTransfer : ApertureTransfer {
  using ApertureTransfer::ApertureTransfer;

  [[nodiscard]] TESSERA_INLINE bool operator()(double (&v)[6]) const {
    return std::fabs(v[0] - center_x) <= half_x && std::fabs(v[2] - center_y) <= half_y;
  }
};

struct EllipseTransfer : ApertureTransfer {
  using ApertureTransfer::ApertureTransfer;

  /// Uses quotients, so that the ends of the axes are exactly on the edge.
  [[nodiscard]] TESSERA_INLINE bool operator()(double (&v)[6]) const {
    const double x = (v[0] - center_x) / half_x;
    const double y = (v[2] - center_y) / half_y;
    return x * x + y * y <= 1;
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_TRANSPORT_TRANSFER_HPP
