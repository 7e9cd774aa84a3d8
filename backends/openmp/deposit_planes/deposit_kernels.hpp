#ifndef TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_DEPOSIT_KERNELS_HPP
#define TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_DEPOSIT_KERNELS_HPP

#include "backends/openmp/particle_planes/plane_ring.hpp"
#include "backends/openmp/particle_planes/plane_split.hpp"

#include <cstdint>

/// \file
/// The vector code of openmp.planes of pic/charge_deposit as seen from outside.

namespace tessera::openmp::deposit_planes {

/// Records of one bin, whose shares are added to its planes.
struct DepositRecords {
  const planes::Record* records = nullptr;
  const double* weights = nullptr;  ///< by record; null: 1
  std::int64_t count = 0;
  planes::PlaneRing<1> charge;
};

/// For the processor that this runs on; nothing where it has no vectors.
template <class Storage>
struct Kernels {
  planes::SplitParticles<Storage> split = nullptr;
  void (*deposit[3])(const DepositRecords& records) = {};  ///< by order, less one
};
template <class Storage>
[[nodiscard]] Kernels<Storage> kernels();

}  // namespace tessera::openmp::deposit_planes

#endif  // TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_DEPOSIT_KERNELS_HPP
