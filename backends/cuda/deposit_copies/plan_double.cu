#include "backends/cuda/deposit_copies/plan.cuh"

namespace tessera::cuda::deposit_copies {

template class CopiesPlan<Double>;

}  // namespace tessera::cuda::deposit_copies
