#include "backends/cuda/sum_single_pass/launch_pass.cuh"

namespace tessera::cuda::sum_single_pass {

template void run_pass(const Pass<reduction::InIntegers, std::int64_t>&, const Machine&, bool);

}  // namespace tessera::cuda::sum_single_pass
