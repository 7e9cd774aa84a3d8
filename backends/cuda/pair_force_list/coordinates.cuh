#pragma once

#include <cstdint>
#include <tessera/md/box.hpp>
#include <tessera/md/minimum_image.hpp>

/// \file
/// How atoms are stored for the pair loop, and how a separation is taken from two of them.

namespace tessera::cuda::pair_force_list {

/// Mixed and single precision: each coordinate is a 32-bit fraction of a period. Subtraction wraps
/// around like the box does, so a separation is exact and is the nearest image; only then does it
/// become a float. In directions that are not periodic the period is more than twice the extent of
/// the atoms, so that nothing wraps.
class FixedPoint {
 public:
  using Atom = int4;  ///< fractions, type
  using Real = float;

  FixedPoint() = default;
  /// \param unit in which separations come out.
  FixedPoint(const md::Box& box, const double (&lower)[3], const double (&period)[3], double unit) {
    for (int d = 0; d < 3; ++d) {
      lower_[d] = box.periodic[d] ? box.lower[d] : lower[d];
      const double length = box.periodic[d] ? box.length[d] : period[d];
      to_fraction_[d] = 4294967296.0 / length;
      to_length_[d] = static_cast<float>(length / unit / 4294967296.0);
    }
  }

  [[nodiscard]] __device__ Atom pack(double x, double y, double z, std::int32_t type) const {
    return {fraction(x, 0), fraction(y, 1), fraction(z, 2), type};
  }
  [[nodiscard]] static __device__ std::int32_t type(const Atom& atom) { return atom.w; }

  __device__ void separation(const Atom& a, const Atom& b, float& dx, float& dy, float& dz) const {
    dx = static_cast<float>(difference(a.x, b.x)) * to_length_[0];
    dy = static_cast<float>(difference(a.y, b.y)) * to_length_[1];
    dz = static_cast<float>(difference(a.z, b.z)) * to_length_[2];
  }

 private:
  /// Any number of periods away folds back: the conversion keeps the low 32 bits.
  [[nodiscard]] __device__ int fraction(double x, int d) const {
    return static_cast<int>(
        static_cast<unsigned>(__double2ll_rn((x - lower_[d]) * to_fraction_[d])));
  }
  [[nodiscard]] static __device__ int difference(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) - static_cast<unsigned>(b));
  }

  double lower_[3] = {};
  double to_fraction_[3] = {};
  float to_length_[3] = {};
};

struct alignas(32) DoubleAtom {
  double x, y, z;
  std::int32_t type;
};

/// Double precision: the caller's coordinates, nearest image by rounding.
class DoublePosition {
 public:
  using Atom = DoubleAtom;
  using Real = double;

  DoublePosition() = default;
  DoublePosition(const md::Box& box, const double (&)[3], const double (&)[3], double)
      : image_(box) {}

  [[nodiscard]] __device__ Atom pack(double x, double y, double z, std::int32_t type) const {
    return {x, y, z, type};
  }
  [[nodiscard]] static __device__ std::int32_t type(const Atom& atom) { return atom.type; }

  __device__ void separation(const Atom& a, const Atom& b, double& dx, double& dy,
                             double& dz) const {
    dx = image_(a.x - b.x, 0);
    dy = image_(a.y - b.y, 1);
    dz = image_(a.z - b.z, 2);
  }

 private:
  md::MinimumImage image_;
};

}  // namespace tessera::cuda::pair_force_list
