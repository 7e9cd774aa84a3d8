#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_FIXED_POINT_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_FIXED_POINT_CUH

#include <cstdint>

/// \file
/// Storage of atoms for the pair loop as fractions of a period, and the separation of two stored
/// atoms.

namespace tessera::md {
struct Box;
}

namespace tessera::gpu::pair_common {

/// The coordinates for tilted boxes that correspond to coordinates for boxes without tilts.
template <class Coordinates>
struct TiltedCoordinates;
template <template <bool> class Coordinates>
struct TiltedCoordinates<Coordinates<false>> {
  using type = Coordinates<true>;
};
template <class Coordinates>
using InTiltedBox = typename TiltedCoordinates<Coordinates>::type;

/// Mixed and single precision: each coordinate is a 32-bit fraction of a period. Subtraction wraps
/// around like the box does, so the difference is exact and is that of the nearest image; only then
/// is it converted to float. The period is the length of the box divided by an integer, or any
/// length in directions that are not periodic. It must be longer than twice the largest separation
/// of pairs in the lists, so that wrapping gives their nearest image. A long box thus costs no
/// digits.
///
/// In a tilted box the coordinates are fractions of the vectors of the lattice of periods, with
/// tilts of at most half a length. Wrapping each of them gives the nearest image where the cutoff
/// is at most half of each width between faces. The periods are of similar length, so that the
/// shift of one direction by another is not much longer than the separation.
template <bool Tilted>
class FixedPointIn {
 public:
  using Atom = int4;  ///< fractions, type
  using Real = float;
  /// Whether each coordinate of a packed atom follows from one component of its position.
  static constexpr bool by_component = !Tilted;
  /// Position of an atom relative to an origin, in the unit of separations.
  struct alignas(16) Relative {
    float x, y, z;
    std::int32_t type;
  };

  FixedPointIn() = default;
  /// Defined in coordinates_of_box.hpp.
  FixedPointIn(const md::Box& box, const double (&lower)[3], double reach, double shortest,
               double unit);

  [[nodiscard]] __device__ Atom pack(double x, double y, double z, std::int32_t type) const {
    if constexpr (Tilted) {
      // Coordinates along c, b and a in steps of 2^-32 of the period.
      const double c = (z - lower_[2]) * to_fraction_[2];
      const double b = (y - lower_[1] - tilt_[2] * c) * to_fraction_[1];
      const double a = (x - lower_[0] - tilt_[0] * b - tilt_[1] * c) * to_fraction_[0];
      return {low_bits(a), low_bits(b), low_bits(c), type};
    } else {
      return {fraction(x, 0), fraction(y, 1), fraction(z, 2), type};
    }
  }
  [[nodiscard]] static __device__ std::int32_t type(const Atom& atom) { return atom.w; }
  /// Stores one coordinate of an atom, in a box without tilts.
  __device__ void store(Atom* atom, int d, double x) const {
    static_assert(!Tilted);
    reinterpret_cast<int*>(atom)[d] = fraction(x, d);
  }

  /// Position of an atom relative to `origin`. For two atoms less than half a period from the
  /// origin, the difference of these positions is their separation, up to the rounding of both to
  /// float.
  [[nodiscard]] __device__ Relative relative(const Atom& atom, const Atom& origin) const {
    static_assert(!Tilted);
    return {static_cast<float>(difference(atom.x, origin.x)) * to_length_[0],
            static_cast<float>(difference(atom.y, origin.y)) * to_length_[1],
            static_cast<float>(difference(atom.z, origin.z)) * to_length_[2], atom.w};
  }
  /// Period along a coordinate, in the unit of positions.
  [[nodiscard]] double period(int d) const { return 4294967296.0 / to_fraction_[d]; }

  __device__ void separation(const Atom& from, const Atom& to, float& dx, float& dy,
                             float& dz) const {
    if constexpr (Tilted) {
      const auto a = static_cast<float>(difference(from.x, to.x));
      const auto b = static_cast<float>(difference(from.y, to.y));
      const auto c = static_cast<float>(difference(from.z, to.z));
      dx = fmaf(c, tilt_length_[1], fmaf(b, tilt_length_[0], a * to_length_[0]));
      dy = fmaf(c, tilt_length_[2], b * to_length_[1]);
      dz = c * to_length_[2];
    } else {
      dx = static_cast<float>(difference(from.x, to.x)) * to_length_[0];
      dy = static_cast<float>(difference(from.y, to.y)) * to_length_[1];
      dz = static_cast<float>(difference(from.z, to.z)) * to_length_[2];
    }
  }

 private:
  [[nodiscard]] __device__ int fraction(double x, int d) const {
    return low_bits((x - lower_[d]) * to_fraction_[d]);
  }
  /// The low 32 bits of a number of steps, which fold a position into one period from any number of
  /// periods away.
  [[nodiscard]] static __device__ int low_bits(double x) {
    return static_cast<int>(static_cast<unsigned>(__double2ll_rn(x)));
  }
  [[nodiscard]] static __device__ int difference(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) - static_cast<unsigned>(b));
  }

  double lower_[3] = {};
  double to_fraction_[3] = {};
  float to_length_[3] = {};
  double tilt_[3] = {};        ///< xy, xz, yz for a step along their vector
  float tilt_length_[3] = {};  ///< the same in the unit of separations
};

using FixedPoint = FixedPointIn<false>;

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_FIXED_POINT_CUH
