#include <tessera/backends/cuda/poisson_planes/plan.cuh>

namespace tessera::cuda::poisson_planes {

template class PlanesPlan<Double>;

}  // namespace tessera::cuda::poisson_planes
