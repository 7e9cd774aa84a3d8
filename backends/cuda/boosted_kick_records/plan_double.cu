#include "backends/cuda/boosted_kick_records/plan.cuh"

namespace tessera::cuda::boosted_kick_records {

template class RecordsPlan<Double>;

}  // namespace tessera::cuda::boosted_kick_records
