#pragma once

#include <cstdint>
#include <tessera/backends/cuda/field_records/kick_particles.cuh>
#include <tessera/pic/boosted_kick/boosted_kick.hpp>
#include <tessera/pic/boosted_kick/boosted_momenta.hpp>

/// \file
/// What cuda.records does with a particle that has met the field.

namespace tessera::cuda::boosted_kick_records {

template <class Storage>
struct BoostedKickOfParticle {
  using Real = Storage;
  static constexpr int arrays = 1;

  pic::BoostedKickArgs<Real> args;
  pic::BoostedMomenta<Real> boosted;

  explicit BoostedKickOfParticle(const pic::BoostedKickArgs<Real>& call)
      : args(call), boosted(call) {}

  [[nodiscard]] TESSERA_INLINE std::int64_t particles() const {
    return args.coordinates.extents[0];
  }
  [[nodiscard]] TESSERA_INLINE std::int64_t* outside() const { return args.outside.data; }
  [[nodiscard]] TESSERA_INLINE std::int64_t* impossible() const { return args.impossible.data; }

  [[nodiscard]] TESSERA_INLINE RowSource<Real, 6, arrays> source() const {
    RowSource<Real, 6, arrays> source{{}, {args.coordinates.strides[0]}, args.alive};
    for (int a = 0; a < 3; ++a) {
      source.column[a] = args.coordinates.data + 2 * a * args.coordinates.strides[1];
      source.column[3 + a] = args.coordinates.data + (2 * a + 1) * args.coordinates.strides[1];
    }
    return source;
  }

  /// \returns false, and the particle is lost, where it cannot be converted.
  [[nodiscard]] __device__ bool operator()(std::int64_t p,
                                           const field_records::FieldOfParticle<Real>& field,
                                           Real (&momenta)[3]) const {
    const Real kick[3] = {field.x, field.y, field.z};
    if (!boosted.kick(kick, momenta)) {
      if (args.alive.given()) args.alive(p) = 0;
      return false;
    }
    for (int a = 0; a < 3; ++a)
      args.coordinates(p, 2 * a + 1) = momenta[a];
    return true;
  }
};

}  // namespace tessera::cuda::boosted_kick_records
