#pragma once

#include <cstdint>
#include <tessera/backends/cuda/field_records/kick_particles.cuh>
#include <tessera/pic/gather_kick/gather_kick.hpp>

/// \file
/// What cuda.records does with a particle that has met the field.

namespace tessera::cuda::gather_kick_records {

template <class Storage>
struct AddKick {
  using Real = Storage;
  static constexpr int arrays = 2;

  pic::GatherKickArgs<Real> args;
  Real factor;

  [[nodiscard]] TESSERA_INLINE std::int64_t particles() const { return args.positions.extents[0]; }
  [[nodiscard]] TESSERA_INLINE std::int64_t* outside() const { return args.outside.data; }
  /// All can be kicked.
  [[nodiscard]] TESSERA_INLINE std::int64_t* impossible() const { return nullptr; }

  [[nodiscard]] TESSERA_INLINE RowSource<Real, 6, arrays> source() const {
    RowSource<Real, 6, arrays> source{
        {}, {args.positions.strides[0], args.momenta.strides[0]}, args.alive};
    for (int a = 0; a < 3; ++a) {
      source.column[a] = args.positions.data + a * args.positions.strides[1];
      source.column[3 + a] = args.momenta.data + a * args.momenta.strides[1];
    }
    return source;
  }

  [[nodiscard]] __device__ bool operator()(std::int64_t p,
                                           const field_records::FieldOfParticle<Real>& field,
                                           const Real (&momenta)[3]) const {
    args.momenta(p, 0) = momenta[0] + factor * field.x;
    args.momenta(p, 1) = momenta[1] + factor * field.y;
    args.momenta(p, 2) = momenta[2] + factor * field.z;
    return true;
  }
};

}  // namespace tessera::cuda::gather_kick_records
