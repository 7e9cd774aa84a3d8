#include <tessera/backends/cuda/execution/launch.hpp>
#include <tessera/backends/cuda/execution/space.hpp>

namespace tessera::cuda::fill_in_lanes {

__global__ void number_lanes(int* numbers) {
  numbers[blockIdx.x * blockDim.x + threadIdx.x] = gpu::lane();
}

void fill(Space space, int* numbers, unsigned blocks) {
  launch("number lanes", number_lanes, blocks, 128, 0, space.stream())(numbers);
}

}  // namespace tessera::cuda::fill_in_lanes
