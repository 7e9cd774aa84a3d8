#ifndef TESSERA_BACKENDS_GPU_EXECUTION_WARP_SIZE_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_WARP_SIZE_CUH

#include <type_traits>

/// \file
/// The width of a warp.

namespace tessera::gpu {

/// Number of lanes of a warp. The build gives it to each unit (TESSERA_WARP_SIZE), because the host
/// pass of HIP does not know the width of the architecture that is compiled for.
#if !defined(TESSERA_WARP_SIZE)
#define TESSERA_WARP_SIZE 32
#endif
inline constexpr int warp_size = TESSERA_WARP_SIZE;
static_assert(warp_size == 32 || warp_size == 64);
#if defined(__HIP_DEVICE_COMPILE__) && defined(__AMDGCN_WAVEFRONT_SIZE)
static_assert(warp_size == __AMDGCN_WAVEFRONT_SIZE, "TESSERA_WARP_SIZE is that of another target");
#endif
/// A mask with one bit per lane.
using LaneMask = std::conditional_t<warp_size == 64, unsigned long long, unsigned>;
inline constexpr LaneMask all_lanes = ~LaneMask{0};

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_WARP_SIZE_CUH
