#include "backends/cuda/frame_change_stream/plan.cuh"

namespace tessera::cuda::frame_change_stream {

template class StreamPlan<Double>;

}  // namespace tessera::cuda::frame_change_stream
