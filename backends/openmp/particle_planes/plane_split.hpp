#ifndef TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_SPLIT_HPP
#define TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_SPLIT_HPP

#include "backends/openmp/particle_planes/plane_layout.hpp"
#include "core/memory/view.hpp"
#include "physics/pic/grid_axis.hpp"

#include <cstdint>

/// \file
/// Interface of the vector code with which one thread writes its particles as records, sorted by
/// bin.

namespace tessera::openmp::planes {

/// A particle on the grid. Fractions are those of GridAxis::locate, in the order of
/// PlaneLayout::direction.
struct Record {
  double fraction[3];
  std::int32_t node;   ///< first node of the particle, in its plane
  std::int32_t plane;  ///< first plane of the particle, counted from the first plane of the bin
};
static_assert(sizeof(Record) == 32);

/// Number of records of a group. Records are written in groups, which fill whole cache lines and
/// are aligned to their size.
inline constexpr std::int64_t group = 8;

/// A run of particles, and the positions of the records of each bin.
template <class Storage>
struct Split {
  View<const Storage, 2> positions;
  View<const Storage, 1> weights;     ///< optional
  View<const std::uint8_t, 1> alive;  ///< optional
  pic::GridAxes axes;
  PlaneLayout layout;
  std::int64_t first = 0, end = 0;  ///< particles
  Record* records = nullptr;
  double* record_weights = nullptr;     ///< by record; null where not needed
  const std::int64_t* begin = nullptr;  ///< by bin: index of the first record, multiple of `group`
  std::int64_t* place = nullptr;        ///< by bin: index of the next record; initially `begin`
  std::uint8_t* bin = nullptr;          ///< by particle; null where not needed
  Record* staging = nullptr;            ///< `group` records per bin, scratch of this thread
};

/// Writes the records of a run. \returns number of particles that are off the grid and not lost.
template <class Storage>
using SplitParticles = std::int64_t (*)(const Split<Storage>& split);

}  // namespace tessera::openmp::planes

#endif  // TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_SPLIT_HPP
