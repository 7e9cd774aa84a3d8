#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_COORDINATES_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_COORDINATES_CUH

#include "physics/md/box.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/reduced_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

/// \file
/// How atoms are stored for the pair loop, and how a separation is taken from two of them.

namespace tessera::cuda::pair_force_list {

/// Mixed and single precision: each coordinate is a 32-bit fraction of a period. Subtraction wraps
/// around like the box does, so a separation is exact and is the nearest image; only then does it
/// become a float. The period is that of the box or a whole part of it, in directions that are not
/// periodic any: it has to be more than twice as long as the pairs of the lists, so that their
/// nearest image is among those that wrapping leaves. A long box costs no digits.
///
/// In a tilted box the fractions are those of the lattice vectors; wrapped one by one they give the
/// nearest image where the cutoff is at most half of each width between faces. Lengths are summed
/// of them in double, because in a long box large terms cancel.
template <bool Tilted>
class FixedPointIn {
 public:
  using Atom = int4;  ///< fractions, type
  using Real = float;
  /// An atom as seen from another one.
  struct alignas(16) Relative {
    float x, y, z;
    std::int32_t type;
  };

  FixedPointIn() = default;
  /// \param box reduced; `lower` where it is not periodic.
  /// \param reach no pair of the lists is further apart by much.
  /// \param shortest length that separations have to resolve, 0: the reach is one.
  /// \param unit in which separations come out.
  FixedPointIn(const md::Box& box, const double (&lower)[3], double reach, double shortest,
               double unit) {
    const double reaches = shortest > 0 ? periods_in_reaches(reach / shortest) : most_reaches;
    double parts[3];
    for (int d = 0; d < 3; ++d) {
      parts[d] =
          box.periodic[d]
              ? std::max(1.0, std::floor(md::width_between_faces(box, d) / (reaches * reach)))
              : 1;
      lower_[d] = box.periodic[d] ? box.lower[d] : lower[d];
      const double period = box.periodic[d] ? box.length[d] / parts[d] : reaches * reach;
      to_fraction_[d] = 4294967296.0 / period;
      to_length_[d] = static_cast<float>(period / unit / 4294967296.0);
      exact_length_[d] = period / unit / 4294967296.0;
    }
    // xy goes with b, xz and yz with c.
    for (int t = 0; t < 3; ++t) {
      tilt_[t] = box.tilt[t] / parts[t == 0 ? 1 : 2] / 4294967296.0;
      tilt_length_[t] = tilt_[t] / unit;
    }
  }

  [[nodiscard]] __device__ Atom pack(double x, double y, double z, std::int32_t type) const {
    if constexpr (Tilted) {
      // In units of fractions, along c, b and a.
      const double c = (z - lower_[2]) * to_fraction_[2];
      const double b = (y - lower_[1] - tilt_[2] * c) * to_fraction_[1];
      const double a = (x - lower_[0] - tilt_[0] * b - tilt_[1] * c) * to_fraction_[0];
      return {low_bits(a), low_bits(b), low_bits(c), type};
    } else {
      return {fraction(x, 0), fraction(y, 1), fraction(z, 2), type};
    }
  }
  [[nodiscard]] static __device__ std::int32_t type(const Atom& atom) { return atom.w; }
  /// One coordinate of an atom, where there are no tilts.
  __device__ void store(Atom* atom, int d, double x) const {
    static_assert(!Tilted);
    reinterpret_cast<int*>(atom)[d] = fraction(x, d);
  }

  /// Where an atom is, seen from `origin`: of atoms that are less than half a period from it, the
  /// difference is the separation, with the digits that a float has for the two.
  [[nodiscard]] __device__ Relative relative(const Atom& atom, const Atom& origin) const {
    static_assert(!Tilted);
    return {static_cast<float>(difference(atom.x, origin.x)) * to_length_[0],
            static_cast<float>(difference(atom.y, origin.y)) * to_length_[1],
            static_cast<float>(difference(atom.z, origin.z)) * to_length_[2], atom.w};
  }
  /// Along a coordinate, in the unit of positions.
  [[nodiscard]] double period(int d) const { return 4294967296.0 / to_fraction_[d]; }

  __device__ void separation(const Atom& from, const Atom& to, float& dx, float& dy,
                             float& dz) const {
    if constexpr (Tilted) {
      const auto a = static_cast<double>(difference(from.x, to.x));
      const auto b = static_cast<double>(difference(from.y, to.y));
      const auto c = static_cast<double>(difference(from.z, to.z));
      dx = static_cast<float>(a * exact_length_[0] + b * tilt_length_[0] + c * tilt_length_[1]);
      dy = static_cast<float>(b * exact_length_[1] + c * tilt_length_[2]);
      dz = static_cast<float>(c * exact_length_[2]);
    } else {
      dx = static_cast<float>(difference(from.x, to.x)) * to_length_[0];
      dy = static_cast<float>(difference(from.y, to.y)) * to_length_[1];
      dz = static_cast<float>(difference(from.z, to.z)) * to_length_[2];
    }
  }

 private:
  static constexpr double most_reaches = 64;

  /// A period is up to twice as long and has 4294967296 steps, of which a millionth of the shortest
  /// length is to be one.
  [[nodiscard]] static double periods_in_reaches(double shortest_lengths) {
    return std::clamp(1e-6 * 4294967296.0 / 2 / shortest_lengths, 4.0, most_reaches);
  }

  [[nodiscard]] __device__ int fraction(double x, int d) const {
    return low_bits((x - lower_[d]) * to_fraction_[d]);
  }
  /// Any number of periods away folds back: the conversion keeps the low 32 bits.
  [[nodiscard]] static __device__ int low_bits(double x) {
    return static_cast<int>(static_cast<unsigned>(__double2ll_rn(x)));
  }
  [[nodiscard]] static __device__ int difference(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) - static_cast<unsigned>(b));
  }

  double lower_[3] = {};
  double to_fraction_[3] = {};
  float to_length_[3] = {};
  double exact_length_[3] = {};
  double tilt_[3] = {};
  double tilt_length_[3] = {};
};

using FixedPoint = FixedPointIn<false>;

struct alignas(32) DoubleAtom {
  double x, y, z;
  std::int32_t type;
};

/// Double precision: the caller's coordinates, nearest image by rounding.
template <bool Tilted>
class DoublePositionIn {
 public:
  using Atom = DoubleAtom;
  using Real = double;

  DoublePositionIn() = default;
  DoublePositionIn(const md::Box& box, const double (&)[3], double, double, double) : image_(box) {}

  [[nodiscard]] __device__ Atom pack(double x, double y, double z, std::int32_t type) const {
    return {x, y, z, type};
  }
  [[nodiscard]] static __device__ std::int32_t type(const Atom& atom) { return atom.type; }
  __device__ void store(Atom* atom, int d, double x) const {
    static_assert(!Tilted);
    reinterpret_cast<double*>(atom)[d] = x;
  }

  __device__ void separation(const Atom& a, const Atom& b, double& dx, double& dy,
                             double& dz) const {
    const Vec3<double> r = image_.template reduce<Tilted>({a.x - b.x, a.y - b.y, a.z - b.z});
    dx = r.x;
    dy = r.y;
    dz = r.z;
  }

 private:
  md::MinimumImage image_;
};

using DoublePosition = DoublePositionIn<false>;

/// The coordinates of a kind in a tilted box.
template <class Coordinates>
struct TiltedCoordinates;
template <template <bool> class Coordinates>
struct TiltedCoordinates<Coordinates<false>> {
  using type = Coordinates<true>;
};
template <class Coordinates>
using InTiltedBox = typename TiltedCoordinates<Coordinates>::type;

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_COORDINATES_CUH
