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
  /// In and out: pairs of vectors (real and imaginary parts), by node along y, then x.
  Storage* block = nullptr;
  std::int64_t block_pitch = 0;  ///< pairs of vectors from one y to the next
  /// Transform of the Green function: vectors, by wave number along y, then x, each up to half of
  /// the length.
  const Storage* kernel = nullptr;
  std::int64_t kernel_pitch = 0;  ///< vectors from one wave number along y to the next
  /// Scratch: pairs of vectors, by node along x, then wave number along y.
  Storage* plane = nullptr;
  std::int64_t plane_pitch = 0;  ///< pairs of vectors from one x to the next
  /// Scratch: pairs of vectors of one transform along x, then the scratch of Passes::run() for the
  /// longer of the two transforms.
  Storage* scratch = nullptr;
  std::int64_t nodes_x = 0, nodes_y = 0;
  LaneTransform<Storage> x, y;
};

/// Arguments of copies of the wave numbers of `count` neighboring pencils to or from all blocks.
template <class Storage>
struct PencilTask {
  Storage* waves = nullptr;      ///< complex
  std::int64_t waves_pitch = 0;  ///< complex numbers of a pencil; at least the lanes of all blocks
  std::int64_t count = 0;        ///< number of pencils
  Storage* blocks = nullptr;     ///< address of the first pencil in the first block
  std::int64_t block_size = 0;   ///< numbers from one block to the next
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
