#include "backends/cuda/gather_kick_records/plan.cuh"

namespace tessera::cuda::gather_kick_records {

template class RecordsPlan<Double>;

}  // namespace tessera::cuda::gather_kick_records
