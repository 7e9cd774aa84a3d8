#ifndef TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_KICK_KERNELS_HPP
#define TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_KICK_KERNELS_HPP

#include "backends/openmp/particle_planes/plane_ring.hpp"
#include "backends/openmp/particle_planes/plane_split.hpp"

#include <cstdint>

/// \file
/// The vector code of openmp.planes of pic/gather_kick as seen from outside.

namespace tessera::openmp::gather_planes {

/// A node has the components of the field and a number that nobody needs.
inline constexpr int components = 4;

/// A plane of the field, to be copied with its components side by side.
template <class Storage>
struct FieldPlane {
  const Storage* field[3];     ///< where the plane begins
  std::int64_t row_stride[3];  ///< of each component
  std::int64_t node_stride[3];
  std::int64_t rows, row_nodes;  ///< of the grid
  planes::PlaneLayout layout;    ///< of the copy
  double* copy;
};

/// Records of one bin: each becomes the kick of its particle, three numbers and one without a
/// meaning.
struct KickRecords {
  planes::Record* records = nullptr;
  std::int64_t count = 0;
  planes::PlaneRing<components> field;
  double factor = 1;
};

/// For the processor that this runs on; nothing where it has no vectors.
template <class Storage>
struct Kernels {
  planes::SplitParticles<Storage> split = nullptr;
  void (*copy_plane)(const FieldPlane<Storage>& plane) = nullptr;
  void (*kick[3])(const KickRecords& records) = {};  ///< by order, less one
};
template <class Storage>
[[nodiscard]] Kernels<Storage> kernels();

}  // namespace tessera::openmp::gather_planes

#endif  // TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_KICK_KERNELS_HPP
