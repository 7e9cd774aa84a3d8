#include "backends/cuda/sum_single_pass/launch_pass.cuh"

namespace tessera::cuda::sum_single_pass {

template void run_pass(const Pass<reduction::InDouble, double>&, const Machine&, bool);

}  // namespace tessera::cuda::sum_single_pass
