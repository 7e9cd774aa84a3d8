#ifndef TESSERA_PHYSICS_MD_LANGEVIN_BATH_HPP
#define TESSERA_PHYSICS_MD_LANGEVIN_BATH_HPP

#include "core/base/device_code.hpp"
#include "core/base/normal.hpp"

#include <cstdint>

/// \file
/// The parts of a step of md/langevin, for kernels that move atoms themselves and must produce the
/// same bits.

namespace tessera::md {

/// Change of a component of the velocity by the noise. It ends with an addition, as the sum in
/// drift_through_bath() has then a single product and every compiler contracts it alike.
/// \param sigma standard deviation.
/// \param push opposite of the velocity that the noise gives to the center of mass, or 0.
[[nodiscard]] TESSERA_INLINE double noise_kick(double sigma, double deviate, double push) {
  return sigma * deviate + push;
}

/// Increase of the square of a velocity.
[[nodiscard]] TESSERA_INLINE double increase_of_square(double before, double after) {
  return (after - before) * (after + before);
}

/// Half drift, friction and noise, half drift of one coordinate.
/// \param keep fraction of a velocity that friction leaves.
/// \param kick change of the velocity by the noise.
/// \returns the increase of the square of the velocity.
template <class Storage>
TESSERA_INLINE double drift_through_bath(Storage keep, double kick, Storage half_step,
                                         Storage& velocity, Storage& position) {
  const Storage before = velocity;
  velocity = keep * before + static_cast<Storage>(kick);
  position += half_step * before;
  position += half_step * velocity;
  return increase_of_square(static_cast<double>(before), static_cast<double>(velocity));
}

/// Momentum of the noise of many atoms in fixed point, so that the sum does not depend on their
/// order. A normal deviate of Normals is below 8 in magnitude and there are fewer than 2^31 atoms,
/// so that neither sum overflows.
struct NoiseSum {
  std::int64_t whole[3] = {0, 0, 0};  ///< in units of 2^-27
  std::int64_t rest[3] = {0, 0, 0};   ///< in units of 2^-57

  /// Adds the noise of an atom.
  /// \param share half of the mass times the noise of its type, over the largest of all types.
  TESSERA_INLINE void add(double share, const double (&noise)[3]) {
    if (!(share <= 1)) return;  // no noise, or NaN
    for (int d = 0; d < 3; ++d) {
      const double scaled = share * noise[d] * 0x1p27;
      const auto integer = static_cast<std::int64_t>(scaled);
      whole[d] += integer;
      rest[d] += static_cast<std::int64_t>((scaled - static_cast<double>(integer)) * 0x1p30);
    }
  }
  TESSERA_INLINE void join(const NoiseSum& other) {
    for (int d = 0; d < 3; ++d) {
      whole[d] += other.whole[d];
      rest[d] += other.rest[d];
    }
  }
  /// Component of the velocity that the noise gives to the center of mass.
  /// \param largest the largest product of half_mass and noise of all types.
  [[nodiscard]] TESSERA_INLINE double mean(int d, double largest, double total_half_mass) const {
    const double total =
        static_cast<double>(whole[d]) * 0x1p-27 + static_cast<double>(rest[d]) * 0x1p-57;
    return total * (largest / total_half_mass);
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LANGEVIN_BATH_HPP
