#include "backends/cuda/deposit_window/plan.cuh"

namespace tessera::cuda::deposit_window {

template class WindowPlan<Single>;

}  // namespace tessera::cuda::deposit_window
