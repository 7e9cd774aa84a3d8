#ifndef TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_SPLIT_HPP
#define TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_SPLIT_HPP

#include "backends/openmp/particle_planes/plane_layout.hpp"
#include "core/memory/view.hpp"
#include "physics/pic/grid_axis.hpp"

#include <cstdint>

/// \file
/// Particles brought into the order of bins, as records: what one thread does, as seen from outside
/// of the vector code.

namespace tessera::openmp::planes {

/// A particle on the grid. Fractions are those of GridAxis::locate, in the order of
/// PlaneLayout::direction.
struct Record {
  double fraction[3];
  std::int32_t node;   ///< the first that shares it, in its plane
  std::int32_t plane;  ///< the first that shares it, counted from the first plane of the bin
};
static_assert(sizeof(Record) == 32);

/// Records are written in groups that fill whole cache lines; so many begin at a multiple of as
/// many bytes as they take.
inline constexpr std::int64_t group = 8;

/// A run of particles, and where those of each bin go.
template <class Storage>
struct Split {
  View<const Storage, 2> positions;
  View<const Storage, 1> weights;     ///< may be missing
  View<const std::uint8_t, 1> alive;  ///< may be missing
  pic::GridAxes axes;
  PlaneLayout layout;
  std::int64_t first = 0, end = 0;  ///< particles
  Record* records = nullptr;
  double* record_weights = nullptr;     ///< by record; null where nobody asks
  const std::int64_t* begin = nullptr;  ///< by bin: where records go, multiples of `group`
  std::int64_t* place = nullptr;        ///< by bin: where the next one goes, `begin` at first
  std::uint8_t* bin = nullptr;          ///< by particle; null where nobody asks
  Record* room = nullptr;               ///< `group` records for each bin, for this thread alone
};

/// Returns how many particles that are not lost lie off the grid.
template <class Storage>
using SplitParticles = std::int64_t (*)(const Split<Storage>& split);

}  // namespace tessera::openmp::planes

#endif  // TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_SPLIT_HPP
