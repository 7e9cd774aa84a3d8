#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_COORDINATES_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_COORDINATES_CUH

#include "backends/gpu/pair_common/fixed_point.cuh"
#include "physics/md/minimum_image.hpp"

#include <cstdint>

/// \file
/// Storage of atoms for the pair loop in double and below, and the separation of two stored atoms.

namespace tessera::gpu::pair_common {

struct alignas(32) DoubleAtom {
  double x, y, z;
  std::int32_t type;
};

/// Double precision: the caller's coordinates, with the nearest image by rounding to whole periods.
template <bool Tilted>
class DoublePositionIn {
 public:
  using Atom = DoubleAtom;
  using Real = double;
  /// Whether each coordinate of a packed atom follows from one component of its position.
  static constexpr bool by_component = true;

  DoublePositionIn() = default;
  /// Defined in coordinates_of_box.hpp.
  DoublePositionIn(const md::Box& box, const double (&lower)[3], double reach, double shortest,
                   double unit);

  [[nodiscard]] __device__ Atom pack(double x, double y, double z, std::int32_t type) const {
    return {x, y, z, type};
  }
  [[nodiscard]] static __device__ std::int32_t type(const Atom& atom) { return atom.type; }
  __device__ void store(Atom* atom, int d, double x) const {
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

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_COORDINATES_CUH
