#ifndef TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_KICK_KERNELS_HPP
#define TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_KICK_KERNELS_HPP

#include "backends/openmp/particle_planes/plane_ring.hpp"
#include "backends/openmp/particle_planes/plane_split.hpp"

#include <cstdint>

/// \file
/// Interface of the vector code of openmp.planes of pic/gather_kick.

namespace tessera::openmp::gather_planes {

/// Numbers of a node: the components of the field, and one of padding.
inline constexpr int components = 4;

/// Arguments of the copy of a plane of the field, with the components of a node adjacent.
template <class Storage>
struct FieldPlane {
  const Storage* field[3];       ///< first node of the plane, by component
  std::int64_t row_stride[3];    ///< elements from one row to the next, by component
  std::int64_t node_stride[3];   ///< elements from one node of a row to the next, by component
  std::int64_t rows, row_nodes;  ///< extents of the plane on the grid
  planes::PlaneLayout layout;    ///< layout of the copy
  double* copy;
};

/// Arguments of the gather for the records of one bin. The kick of its particle replaces each
/// record: three components, and one number of padding.
struct KickRecords {
  planes::Record* records = nullptr;
  std::int64_t count = 0;
  planes::PlaneRing<components> field;
  double factor = 1;
};

/// Kernels for the processor at hand; null where it has no vectors.
template <class Storage>
struct Kernels {
  planes::SplitParticles<Storage> split = nullptr;
  void (*copy_plane)(const FieldPlane<Storage>& plane) = nullptr;
  void (*kick[3])(const KickRecords& records) = {};  ///< by order minus one
};
template <class Storage>
[[nodiscard]] Kernels<Storage> kernels();

}  // namespace tessera::openmp::gather_planes

#endif  // TESSERA_BACKENDS_OPENMP_GATHER_KICK_PLANES_KICK_KERNELS_HPP
