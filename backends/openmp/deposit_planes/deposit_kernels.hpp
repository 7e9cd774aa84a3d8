#ifndef TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_DEPOSIT_KERNELS_HPP
#define TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_DEPOSIT_KERNELS_HPP

#include "backends/openmp/particle_planes/plane_ring.hpp"
#include "backends/openmp/particle_planes/plane_split.hpp"

#include <cstdint>

/// \file
/// Interface of the vector code of openmp.planes of pic/charge_deposit.

namespace tessera::openmp::deposit_planes {

/// Arguments of the deposit of the records of one bin to its planes.
struct DepositRecords {
  const planes::Record* records = nullptr;
  const double* weights = nullptr;  ///< by record; null: 1
  std::int64_t count = 0;
  planes::PlaneRing<1> charge;
};

/// Kernels for the processor at hand; null where it has no vectors.
template <class Storage>
struct Kernels {
  planes::SplitParticles<Storage> split = nullptr;
  void (*deposit[3])(const DepositRecords& records) = {};  ///< by order minus one
};
template <class Storage>
[[nodiscard]] Kernels<Storage> kernels();

}  // namespace tessera::openmp::deposit_planes

#endif  // TESSERA_BACKENDS_OPENMP_DEPOSIT_PLANES_DEPOSIT_KERNELS_HPP
