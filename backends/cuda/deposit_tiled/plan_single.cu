#include "backends/cuda/deposit_tiled/plan.cuh"

namespace tessera::cuda::deposit_tiled {

template class TiledPlan<Single>;

}  // namespace tessera::cuda::deposit_tiled
