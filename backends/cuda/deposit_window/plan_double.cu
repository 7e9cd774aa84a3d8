#include "backends/cuda/deposit_window/plan.cuh"

namespace tessera::cuda::deposit_window {

template class WindowPlan<Double>;

}  // namespace tessera::cuda::deposit_window
