#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_BLOCK_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_BLOCK_HPP

#include "backends/gpu/execution/warp_size.cuh"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>

/// \file
/// Execution of the blocks of a kernel, one after the other unless they wait for each other. The
/// threads of a block are fibers of one thread of the operating system; they wait for each other at
/// meeting points, which are the barriers of a block and the operations of the lanes of a warp.

namespace tessera::emulated {

inline constexpr unsigned lanes = gpu::warp_size;

/// Configuration of a launch.
struct Grid {
  unsigned blocks = 0;
  unsigned threads = 0;
  std::size_t shared_bytes = 0;     ///< dynamic shared memory of a block
  std::source_location where = {};  ///< of the launch, for messages
};

/// Calls `thread` for all threads of all blocks of a grid.
/// \param name of the kernel, for messages.
/// \throws DeviceError where a thread leaves while others wait, where only some threads of a block
///   reach a barrier, or some lanes of a warp an operation of all lanes, and where all threads
///   wait.
void run_grid(const std::string& name, const Grid& grid, const std::function<void()>& thread);

/// Largest dynamic shared memory of a block.
inline constexpr std::size_t most_shared_bytes = 227 * 1024;
/// Dynamic shared memory of the block that runs.
[[nodiscard]] unsigned char* dynamic_shared();

/// Results of a barrier: the number of threads whose `counts` is true.
unsigned meet_block(bool counts, const char* operation, const std::source_location& where);

/// Barrier of the lanes of a warp.
void meet_warp(const char* operation, const std::source_location& where);
/// Operation of all lanes of a warp: each lane gives `bytes` bytes, at most `most_lane_bytes`.
/// \returns the values of all lanes, lane by lane in steps of most_lane_bytes. It stays valid until
/// the next such operation of the calling lane.
inline constexpr std::size_t most_lane_bytes = 16;
[[nodiscard]] const unsigned char* exchange(const void* value, std::size_t bytes,
                                            const char* operation,
                                            const std::source_location& where);

/// Lets other threads and other blocks run, in a loop that ends when one of them has changed
/// memory.
void wait_on_memory(const std::source_location& where);

/// A fence, and what precedes an atomic operation. Only ThreadSanitizer needs them.
void fence();
void before_atomic();

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_BLOCK_HPP
