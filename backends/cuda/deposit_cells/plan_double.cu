#include "backends/cuda/deposit_cells/plan.cuh"

namespace tessera::cuda::deposit_cells {

template class CellsPlan<Double>;

}  // namespace tessera::cuda::deposit_cells
