#ifndef TESSERA_BACKENDS_GPU_BOOSTED_KICK_RECORDS_BOOSTED_KICK_OF_PARTICLE_CUH
#define TESSERA_BACKENDS_GPU_BOOSTED_KICK_RECORDS_BOOSTED_KICK_OF_PARTICLE_CUH

#include "backends/gpu/field_records/kick_particles.cuh"
#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "physics/pic/boosted_kick/boosted_momenta.hpp"

#include <cstdint>

/// \file
/// The boosted kick of one particle by the field that was gathered at it.

namespace tessera::gpu::boosted_kick_records {

template <class Storage>
struct BoostedKickOfParticle {
  using Real = Storage;
  static constexpr int arrays = 1;
  static constexpr bool adds_only = false;

  field_records::Particles<Real, arrays> particles;
  pic::BoostedMomenta<Real> boosted;
  View<std::uint8_t, 1> alive;
  std::int64_t* not_converted;

  explicit BoostedKickOfParticle(const pic::BoostedKickArgs<Real>& args)
      : particles{args.coordinates.extents[0], {}, {}, {args.coordinates.strides[0]}, args.alive},
        boosted(args),
        alive(args.alive),
        not_converted(args.impossible.data) {
    for (int a = 0; a < 3; ++a) {
      particles.place[a] = args.coordinates.data + 2 * a * args.coordinates.strides[1];
      particles.momentum[a] = args.coordinates.data + (2 * a + 1) * args.coordinates.strides[1];
    }
  }

  [[nodiscard]] TESSERA_INLINE std::int64_t* impossible() const { return not_converted; }

  /// Kicks the particle. \returns false where its momenta cannot be transformed; the particle is
  /// then marked as lost.
  [[nodiscard]] __device__ bool operator()(std::int64_t p,
                                           const field_records::FieldOfParticle<Real>& field,
                                           Real (&momenta)[3]) const {
    const Real kick[3] = {field.x, field.y, field.z};
    if (boosted.kick(kick, momenta)) return true;
    if (alive.given()) alive(p) = 0;
    return false;
  }
};

}  // namespace tessera::gpu::boosted_kick_records

#endif  // TESSERA_BACKENDS_GPU_BOOSTED_KICK_RECORDS_BOOSTED_KICK_OF_PARTICLE_CUH
