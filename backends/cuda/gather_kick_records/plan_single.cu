#include "backends/cuda/gather_kick_records/plan.cuh"

namespace tessera::cuda::gather_kick_records {

template class RecordsPlan<Single>;

}  // namespace tessera::cuda::gather_kick_records
