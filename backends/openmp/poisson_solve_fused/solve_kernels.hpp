#ifndef TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_SOLVE_KERNELS_HPP
#define TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_SOLVE_KERNELS_HPP

#include "backends/openmp/poisson_solve_fused/lane_plan.hpp"

#include <cstdint>

/// \file
/// The vector code of openmp.fused as seen from outside. A block holds as many waves along z as a
/// vector has lanes: for each (y, x) their real parts, then their imaginary parts.

namespace tessera::openmp::fused {

/// A transform as the vector code sees it.
template <class Storage>
struct LaneTransform {
  std::int64_t length = 0;
  const LanePass* passes = nullptr;
  std::int64_t count = 0;  ///< of passes
  const Storage* factors = nullptr;
};

/// Transforms of a block across, the product with the Green function, and back.
template <class Storage>
struct BlockTask {
  Storage* block = nullptr;         ///< y x, nodes
  std::int64_t block_pitch = 0;     ///< vectors of a row of x, in pairs
  const Storage* kernel = nullptr;  ///< y x, waves up to half of each length, a vector each
  std::int64_t kernel_pitch = 0;    ///< vectors of a row of x
  Storage* plane = nullptr;         ///< room: x y, nodes of x, waves of y
  std::int64_t plane_pitch = 0;     ///< vectors of a column of y, in pairs
  Storage* scratch = nullptr;       ///< room: three transforms
  std::int64_t nodes_x = 0, nodes_y = 0;
  LaneTransform<Storage> x, y;
};

/// Waves of `count` neighboring pencils, to or from their places in all blocks.
template <class Storage>
struct PencilTask {
  Storage* waves = nullptr;      ///< complex
  std::int64_t waves_pitch = 0;  ///< complex numbers of a pencil; no fewer than blocks have lanes
  std::int64_t count = 0;        ///< of pencils
  Storage* blocks = nullptr;     ///< where the first pencil has its place in the first one
  std::int64_t block_size = 0;   ///< numbers from block to block
  std::int64_t number = 0;       ///< of blocks
};

/// For the processor that this runs on; nothing where it has no vectors.
template <class Storage>
struct Kernels {
  std::int64_t lanes = 0;
  void (*convolve)(const BlockTask<Storage>& task) = nullptr;
  void (*to_blocks)(const PencilTask<Storage>& task) = nullptr;
  void (*from_blocks)(const PencilTask<Storage>& task) = nullptr;
};
template <class Storage>
[[nodiscard]] Kernels<Storage> kernels();

}  // namespace tessera::openmp::fused

#endif  // TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_SOLVE_KERNELS_HPP
