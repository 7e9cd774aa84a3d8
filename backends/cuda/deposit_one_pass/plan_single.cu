#include <tessera/backends/cuda/deposit_one_pass/plan.cuh>

namespace tessera::cuda::deposit_one_pass {

template class OnePassPlan<Single>;

}  // namespace tessera::cuda::deposit_one_pass
