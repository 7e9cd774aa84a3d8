#include "backends/cuda/bunch_statistics_stream/plan.cuh"

namespace tessera::cuda::bunch_statistics_stream {

template class StreamPlan<Single>;

}  // namespace tessera::cuda::bunch_statistics_stream
