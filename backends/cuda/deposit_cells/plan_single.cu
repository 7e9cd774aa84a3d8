#include "backends/cuda/deposit_cells/plan.cuh"

namespace tessera::cuda::deposit_cells {

template class CellsPlan<Single>;

}  // namespace tessera::cuda::deposit_cells
