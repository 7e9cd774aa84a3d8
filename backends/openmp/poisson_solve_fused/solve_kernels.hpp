#ifndef TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_SOLVE_KERNELS_HPP
#define TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_SOLVE_KERNELS_HPP

#include "backends/openmp/poisson_solve_fused/lane_plan.hpp"

#include <cstdint>

/// \file
/// Interface of the vector code of openmp.fused. A block holds as many wave numbers along z as a
/// vector has lanes: for each (y, x) their real parts, then their imaginary parts.

namespace tessera::openmp::fused {

/// A transform, as arguments of the vector code.
template <class Storage>
struct LaneTransform {
  std::int64_t length = 0;
  const LanePass* passes = nullptr;
  std::int64_t count = 0;  ///< number of passes
  const Storage* factors = nullptr;
};

/// Arguments of the transforms of a block across, the product with the Green function, and the
/// transforms back.
template <class Storage>
struct BlockTask {
  Storage* block = nullptr;         ///< y x, nodes
  std::int64_t block_pitch = 0;     ///< vectors of a row of x, in pairs
  const Storage* kernel = nullptr;  ///< y x, wave numbers up to half of each length, as vectors
  std::int64_t kernel_pitch = 0;    ///< vectors of a row of x
  Storage* plane = nullptr;         ///< scratch: x y, nodes of x, wave numbers of y
  std::int64_t plane_pitch = 0;     ///< vectors of a column of y, in pairs
  Storage* scratch = nullptr;  ///< a line along x, and two buffers of a longest line for Passes
  std::int64_t nodes_x = 0, nodes_y = 0;
  LaneTransform<Storage> x, y;
};

/// Arguments of copies of the wave numbers of `count` neighboring pencils to or from all blocks.
template <class Storage>
struct PencilTask {
  Storage* waves = nullptr;      ///< complex
  std::int64_t waves_pitch = 0;  ///< complex numbers of a pencil; at least the lanes of all blocks
  std::int64_t count = 0;        ///< number of pencils
  Storage* blocks = nullptr;     ///< place of the first pencil in the first block
  std::int64_t block_size = 0;   ///< numbers from block to block
  std::int64_t number = 0;       ///< number of blocks
};

/// Kernels for the processor at hand; null where it has no vectors.
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
