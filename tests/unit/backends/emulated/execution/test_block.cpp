#include "backends/gpu/execution/launch.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

// Wrong kernels on the emulated device: the error has the kernel, the block, and the places where
// threads wait.

namespace tessera::gpu {
namespace {

constexpr unsigned threads = 64;

__global__ void half_a_barrier() {
  if (threadIdx.x < 32) __syncthreads();
}
__global__ void two_barriers() {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
}
__global__ void shuffle_in_a_branch(int* sum) {
  int value = 1;
  if (threadIdx.x % 2 == 0) value += gpu::shfl_xor(value, 2);
  gpu::syncwarp();
  sum[threadIdx.x] = value;
}
__global__ void early_return(int* sum) {
  if (threadIdx.x == 5) return;
  sum[threadIdx.x] = gpu::shfl_xor(1, 2);
}
__global__ void mixed_waits() {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    gpu::syncwarp();
}
__global__ void shuffle(int* values) {
  values[threadIdx.x] = gpu::shfl_xor(static_cast<int>(threadIdx.x), 1);
}

/// The message of a launch of one block; "nothing was thrown" where the kernel is right.
template <class... Parameters, class... Arguments>
std::string message(void (*kernel)(Parameters...), unsigned block, const Arguments&... arguments) {
  return test::message_of([&] { launch("kernel", kernel, 1, block, 0, nullptr)(arguments...); });
}
void check_has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}
/// Whether the text has the places of two waits in this file.
void check_has_two_places(const std::string& text) {
  INFO(text);
  const std::size_t first = text.find("test_block.cpp:");
  REQUIRE(first != std::string::npos);
  CHECK(text.find("test_block.cpp:", first + 1) != std::string::npos);
}

TEST_CASE("A barrier that some threads of a block reach is an error") {
  const std::string text = message(half_a_barrier, threads);
  check_has(text, "kernel");
  check_has(text, "block 0 of 1");
  check_has(text, "left");
  check_has(text, "__syncthreads at ");
}

TEST_CASE("Two barriers at which threads of a block wait are an error") {
  const std::string text = message(two_barriers, threads);
  check_has(text, "threads of the block wait at __syncthreads at ");
  check_has_two_places(text);
}

TEST_CASE("A lane operation in a branch is an error") {
  std::array<int, threads> sum{};
  const std::string text = message(shuffle_in_a_branch, threads, sum.data());
  check_has(text, "shfl_xor at ");
  check_has(text, "syncwarp at ");
  check_has_two_places(text);
}

TEST_CASE("A lane that left before an operation of its warp is an error") {
  std::array<int, threads> sum{};
  const std::string text = message(early_return, threads, sum.data());
  check_has(text, "left");
  check_has(text, "shfl_xor at ");
}

TEST_CASE("Lanes of a warp that wait for their block and for their warp are an error") {
  const std::string text = message(mixed_waits, gpu::warp_size);
  check_has(text, "no thread can go on: 16 threads at __syncthreads at ");
  check_has(text, std::to_string(gpu::warp_size - 16) + " lanes of warp 0 at syncwarp at ");
}

TEST_CASE("A lane operation in a warp that is not full is an error") {
  std::array<int, threads> values{};
  check_has(message(shuffle, gpu::warp_size + 8, values.data()),
            "is in a warp of 8 lanes, and reaches shfl_xor");
}

TEST_CASE("After an error the device runs other kernels") {
  std::array<int, threads> values{};
  (void)message(half_a_barrier, threads);
  CHECK(message(shuffle, threads, values.data()) == "nothing was thrown");
  for (int i = 0; i < static_cast<int>(threads); ++i)
    CHECK(values[static_cast<std::size_t>(i)] == (i ^ 1));
}

__global__ void throws() {
  __syncthreads();
  if (threadIdx.x == 3) throw ArgumentError("thread 3");
  __syncthreads();
}
TEST_CASE("An exception of a thread leaves the launch") {
  CHECK(message(throws, threads) == "thread 3");
}

TEST_CASE("Blocks have limits of threads and of shared memory") {
  check_has(message(half_a_barrier, 1025), "expected 1 to 1024");
  check_has(test::message_of([] {
              launch("kernel", half_a_barrier, 1, 64, emulated::most_shared_bytes + 1, nullptr)();
            }),
            "bytes of shared memory, expected at most");
}

/// Counts the threads below each thread of a block by a barrier for each of them.
__global__ void count_below(int* counts) {
  int below = 0;
  for (unsigned t = 0; t < blockDim.x; ++t)
    below += __syncthreads_or(threadIdx.x == t && t > 0) != 0 && t <= threadIdx.x ? 1 : 0;
  counts[blockIdx.x * blockDim.x + threadIdx.x] = below + 100 * static_cast<int>(blockIdx.x);
}
TEST_CASE("Barriers of several blocks give each thread the same number") {
  std::array<int, 3 * 45> counts{};
  launch("kernel", count_below, 3, 45, 0, nullptr)(counts.data());
  for (int i = 0; i < 3 * 45; ++i)
    CHECK(counts[static_cast<std::size_t>(i)] == i % 45 + 100 * (i / 45));
}

__global__ void copy_shared(float* values) {
  const auto* const shared = reinterpret_cast<const float*>(dynamic_shared());
  values[threadIdx.x] = shared[threadIdx.x];
}
TEST_CASE("Shared memory that was not written has NaNs") {
  std::array<float, threads> values{};
  launch("kernel", copy_shared, 1, threads, threads * sizeof(float), nullptr)(values.data());
  for (const float value : values)
    CHECK(std::isnan(value));
}

/// Copies shared variables, then writes them.
__global__ void copy_variables(float* values) {
  __shared__ float shared[threads];
  values[threadIdx.x] = shared[threadIdx.x];
  shared[threadIdx.x] = 1;
}
TEST_CASE("Shared variables that were not written have NaNs, whatever a launch before wrote") {
  for (int launches = 0; launches < 2; ++launches) {
    std::array<float, threads> values{};
    launch("kernel", copy_variables, 1, threads, 0, nullptr)(values.data());
    for (const float value : values)
      CHECK(std::isnan(value));
  }
}

}  // namespace
}  // namespace tessera::gpu
