#ifndef TESSERA_PHYSICS_PIC_BUNCH_MOMENTS_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_MOMENTS_HPP

#include "core/base/device_code.hpp"

#include <cstdint>
#include <span>

/// \file
/// Moments of a bunch: the result of pic/bunch_statistics.

namespace tessera::pic {

inline constexpr int coordinates_of_particle = 6;

/// Indices into the result of pic/bunch_statistics. All elements are doubles, so that one copy
/// transfers them to the host; counts are exact up to 2^53.
namespace bunch_number {

inline constexpr int particles = 0;
inline constexpr int not_finite = 1;
inline constexpr int weight = 2;
inline constexpr int mean = 3;
inline constexpr int second = 9;  ///< the upper triangle of the matrix, row after row
inline constexpr int least = 30;
inline constexpr int greatest = 36;
inline constexpr int count = 42;

/// Index of the second moment of columns a and b.
[[nodiscard]] TESSERA_FUNCTION constexpr int second_of(int a, int b) {
  const int low = a < b ? a : b;
  const int high = a < b ? b : a;
  return second + low * coordinates_of_particle - low * (low - 1) / 2 + (high - low);
}

}  // namespace bunch_number

/// The result of pic/bunch_statistics on the host.
struct BunchMoments {
  std::int64_t particles = 0;  ///< number of particles that counted
  /// Number of particles left out because a coordinate or the weight is not finite.
  std::int64_t not_finite = 0;
  /// Total weight of the particles that counted; their number if weights are not given.
  double weight = 0;
  double mean[6] = {};
  double second[6][6] = {};  ///< central second moments: divided by the weight
  double least[6] = {};
  double greatest[6] = {};

  BunchMoments() = default;
  /// \throws ArgumentError for a size other than bunch_number::count.
  explicit BunchMoments(std::span<const double> numbers);

  /// Whether the particles that counted occupy fewer than two different positions (columns 0, 2,
  /// 4), so that they exert no force on each other.
  [[nodiscard]] bool coincide() const;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BUNCH_MOMENTS_HPP
