#include "backends/gpu/execution/launch.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

// Blocks that wait until other blocks have changed memory.

namespace tessera::gpu {
namespace {

constexpr unsigned block_size = 2 * gpu::warp_size;
constexpr unsigned blocks = 5;

/// Each block but the last waits for the next one. Its shared memory has to outlast the wait.
__global__ void sum_from_the_end(const int* values, unsigned* finished, int* sums) {
  __shared__ int of_block;
  auto* const dynamic = reinterpret_cast<int*>(dynamic_shared());
  if (threadIdx.x == 0) of_block = values[blockIdx.x];
  dynamic[threadIdx.x] = values[blockIdx.x];
  if (blockIdx.x + 1 < gridDim.x && threadIdx.x == 0)
    while (atomicAdd(&finished[blockIdx.x + 1], 0u) == 0)
      gpu::wait_on_memory();
  __syncthreads();
  if (threadIdx.x + 1 == blockDim.x) {
    const int after = blockIdx.x + 1 < gridDim.x ? sums[blockIdx.x + 1] : 0;
    sums[blockIdx.x] = dynamic[threadIdx.x] == of_block ? of_block + after : -1;
    __threadfence();
    atomicAdd(&finished[blockIdx.x], 1u);
  }
}
TEST_CASE("Blocks that wait for later ones get their results, and keep their shared memory") {
  const std::vector<int> values = {3, 1, 4, 1, 5};
  std::vector<unsigned> finished(blocks);
  std::vector<int> sums(blocks);
  launch("kernel", sum_from_the_end, blocks, block_size, block_size * sizeof(int), nullptr)(
      values.data(), finished.data(), sums.data());
  CHECK(sums == std::vector<int>{14, 11, 10, 6, 5});
}

/// Threads take a lock one after the other.
__global__ void count_in_turn(unsigned* lock, int* count) {
  while (atomicCAS(lock, 0u, 1u) != 0)
    gpu::wait_on_memory();
  *count += 1;
  __threadfence();
  atomicExch(lock, 0u);
}
TEST_CASE("Threads of one block may wait for each other") {
  unsigned lock = 0;
  int count = 0;
  launch("kernel", count_in_turn, 2, block_size, 0, nullptr)(&lock, &count);
  CHECK(count == 2 * block_size);
}

__global__ void waits_for_nobody(unsigned* flag) {
  if (threadIdx.x == 3)
    while (atomicAdd(flag, 0u) == 0)
      gpu::wait_on_memory();
  __syncthreads();
}
TEST_CASE("A wait for a change that nobody makes is an error with the places of all threads") {
  unsigned flag = 0;
  const std::string text = test::message_of(
      [&] { launch("the kernel", waits_for_nobody, 3, block_size, 0, nullptr)(&flag); });
  INFO(text);
  for (const char* const part :
       {"the kernel", " of 3: no thread changes the memory that others wait for: ",
        "threads at __syncthreads at ", "1 lanes of warp 0 at wait_on_memory at ", "; block "})
    CHECK(text.find(part) != std::string::npos);
}

}  // namespace
}  // namespace tessera::gpu
