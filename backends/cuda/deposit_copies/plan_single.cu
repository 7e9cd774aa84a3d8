#include "backends/cuda/deposit_copies/plan.cuh"

namespace tessera::cuda::deposit_copies {

template class CopiesPlan<Single>;

}  // namespace tessera::cuda::deposit_copies
