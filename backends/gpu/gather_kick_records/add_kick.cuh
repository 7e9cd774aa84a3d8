#ifndef TESSERA_BACKENDS_GPU_GATHER_KICK_RECORDS_ADD_KICK_CUH
#define TESSERA_BACKENDS_GPU_GATHER_KICK_RECORDS_ADD_KICK_CUH

#include "backends/gpu/field_records/kick_particles.cuh"
#include "physics/pic/gather_kick/gather_kick.hpp"

#include <cstdint>

/// \file
/// The kick of one particle by the field that was gathered at it.

namespace tessera::gpu::gather_kick_records {

template <class Storage>
struct AddKick {
  using Real = Storage;
  static constexpr int arrays = 2;
  static constexpr bool adds_only = true;

  field_records::Particles<Real, arrays> particles;
  Real factor;

  explicit AddKick(const pic::GatherKickArgs<Real>& args)
      : particles{args.positions.extents[0],
                  {},
                  {},
                  {args.positions.strides[0], args.momenta.strides[0]},
                  args.alive},
        factor(static_cast<Real>(args.factor)) {
    for (int a = 0; a < 3; ++a) {
      particles.place[a] = args.positions.data + a * args.positions.strides[1];
      particles.momentum[a] = args.momenta.data + a * args.momenta.strides[1];
    }
  }

  /// Null: every particle can be kicked.
  [[nodiscard]] TESSERA_INLINE std::int64_t* impossible() const { return nullptr; }

  [[nodiscard]] __device__ bool operator()(std::int64_t,
                                           const field_records::FieldOfParticle<Real>& field,
                                           Real (&momenta)[3]) const {
    momenta[0] += factor * field.x;
    momenta[1] += factor * field.y;
    momenta[2] += factor * field.z;
    return true;
  }
};

}  // namespace tessera::gpu::gather_kick_records

#endif  // TESSERA_BACKENDS_GPU_GATHER_KICK_RECORDS_ADD_KICK_CUH
