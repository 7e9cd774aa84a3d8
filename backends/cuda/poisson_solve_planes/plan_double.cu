#include "backends/cuda/poisson_solve_planes/plan.cuh"

namespace tessera::cuda::poisson_solve_planes {

template class PlanesPlan<Double>;

}  // namespace tessera::cuda::poisson_solve_planes
