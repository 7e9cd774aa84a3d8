#ifndef TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_LAUNCH_PASS_CUH
#define TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_LAUNCH_PASS_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/sum_single_pass/kernel.cuh"
#include "backends/gpu/sum_single_pass/passes.hpp"

/// \file
/// Selection of the kernel of a pass, and its launch.

namespace tessera::gpu::sum_single_pass {

/// Resident blocks of a multiprocessor (`blocks`), and units that a thread loads ahead (`ahead`),
/// of a kernel.
template <class How, int Columns, bool Products>
struct Shape {
  static constexpr int slots = reduction::slots_of(Columns, Products);
  static constexpr bool in_double = std::is_same_v<How, reduction::InDouble>;
  /// Whether a sum has 8 bytes and needs few registers; sums in fixed point and of 64-bit integers
  /// need at least twice as many.
  static constexpr bool slim = in_double || std::is_same_v<How, reduction::InNarrowIntegers>;
  static constexpr int blocks = slim ? (slots <= 3    ? 4
                                        : slots <= 10 ? 3
                                                      : 2)
                                     : (slots <= 3    ? 3
                                        : slots <= 10 ? 2
                                                      : 1);
  static constexpr int ahead = Columns <= 1 ? 4 : Columns <= 3 ? 2 : slim ? 2 : 1;
};

template <class How, class Rows, int Columns, bool Products, bool Plain, int Ahead, class Storage>
void launch_rows(const Pass<How, Storage>& pass, const Machine& machine) {
  constexpr int most_blocks = Shape<How, Columns, Products>::blocks;
  const std::int64_t units = pass.source.rows / Rows::rows;
  launch("sum", sum_rows<How, Rows, Columns, Products, Plain, Ahead, most_blocks, Storage>,
         machine.blocks_for(pass.source.rows, units, most_blocks), block_threads, 0,
         machine.stream)(pass);
}

template <class How, int Columns, bool Products, class Storage>
void launch_pass(const Pass<How, Storage>& pass, const Machine& machine, bool dense) {
  constexpr int ahead = Shape<How, Columns, Products>::ahead;
  constexpr bool integers = std::is_integral_v<Storage>;
  if constexpr (Columns > 0 && !(integers && (Columns > 1 || Products))) {
    using Dense = DenseRows<Storage, Columns>;
    const bool plain = !pass.source.weights.given() && !pass.source.mask.given() &&
                       !(is_fixed<How> && pass.source.origin[0] != nullptr);
    if (dense && plain) {
      if constexpr (Shape<How, Columns, Products>::in_double)
        Ahead::with(machine.ahead, [&]<int Count>() {
          launch_rows<How, Dense, Columns, Products, true, Count>(pass, machine);
        });
      else
        launch_rows<How, Dense, Columns, Products, true, ahead>(pass, machine);
      return;
    }
    // The weights, one per row of a unit, take registers, so fewer units are loaded ahead.
    constexpr int weighted_ahead = Dense::rows == 1   ? ahead
                                   : Dense::rows == 2 ? (ahead + 2) / 2
                                                      : 1;
    if constexpr (!integers)
      if (dense)
        return launch_rows<How, Dense, Columns, Products, false, weighted_ahead>(pass, machine);
  }
  launch_rows<How, AnyRows<Storage, Columns>, Columns, Products, false, ahead>(pass, machine);
}

/// Launches the kernel for a pass.
/// \param dense whether rows can be read as vectors.
template <class How, class Storage>
void run_pass(const Pass<How, Storage>& pass, const Machine& machine, bool dense) {
  reduction::with_kernel_of(pass.group, [&]<int Columns, bool Products>() {
    if constexpr (!Products || !std::is_same_v<How, reduction::InNarrowIntegers>)
      launch_pass<How, Columns, Products>(pass, machine, dense);
  });
}

}  // namespace tessera::gpu::sum_single_pass

#endif  // TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_LAUNCH_PASS_CUH
