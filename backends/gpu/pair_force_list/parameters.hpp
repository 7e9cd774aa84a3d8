#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PARAMETERS_HPP

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "backends/gpu/pair_force_list/list_layout.cuh"
#include "core/parameters/tuning_parameter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>

namespace tessera::gpu::pair_force_list {

/// Compiled numbers of threads that share an atom in the pair loop.
using ThreadsPerAtom = InSpace<Compiled<1, 2, 4, 8>, Compiled<1, 2, 4, 8, 16, 32>>;

/// Whether a kernel with this number of threads per atom has enough registers to add other forces
/// in a fused step, and for the effects of a bath. Loops over staged lists have too.
template <int Threads, class Real>
inline constexpr bool fuses_others = Threads > (sizeof(Real) > sizeof(float) ? 1 : 2);
[[nodiscard]] constexpr bool fuses_bath(int threads) {
  return threads > 2;
}

/// Default number of threads per atom, from 1 to 8: the smallest that starts about half as many
/// threads as the device can run at once, in double about as many; but 4 where 8 would start more
/// than three quarters of them. At least 2 in double. Below double, with several types, at least 4,
/// because one or two threads per atom would be short of registers; 1 only if lists are staged.
/// README.md has the measurements.
/// \param types number of types of atoms.
/// \param staged whether a loop with one thread per atom has staged lists, and so enough registers.
/// \param concurrency number of threads that the device can run at once.
[[nodiscard]] inline int usual_threads(bool in_double, std::int64_t atoms, int types, bool staged,
                                       std::int64_t concurrency) {
  const double load = (in_double ? 1.2 : 0.45) * static_cast<double>(concurrency);
  const auto n = static_cast<double>(atoms);
  if (staged && n >= load) return 1;
  const bool is_short = !in_double && types > 1;
  if (2 * n >= load && is_short) return 4;
  if (n >= load) return in_double ? 2 : 1;
  if (2 * n >= load) return 2;
  // With eight threads per atom, registers limit a device to three quarters of its threads.
  if (4 * n >= load || 8 * n > 0.75 * static_cast<double>(concurrency)) return 4;
  return 8;
}

inline constexpr int most_search_block = 128;

/// Times of a rebuild, and of forces on lists of the bare cutoff, in microseconds: a part for each
/// call, and a part for each atom.
struct StepTimes {
  double rebuild = 45;
  double rebuild_by_type = 450;  ///< in place of `rebuild`, if types have different cutoffs
  double rebuild_of_atom = 0.45e-3;
  double rebuild_of_atom_staged = 0.75e-3;
  double forces = 0.6;
  double forces_of_atom = 0.107e-3;
  double forces_of_atom_staged = 0.077e-3;
  double forces_in_double = 1.4;
  double forces_of_atom_in_double = 0.24e-3;
};

inline constexpr std::array<DefaultRow<StepTimes>, 2> step_times{
    {{"sm_90", {}, "an H200, README.md"}, {"", {}, "not measured: the times of sm_90"}}};

/// The skin, over the cutoff, for which steps of `atoms` atoms take the least time. Lists with skin
/// s of a liquid near its triple point last for s / 0.0175 steps. The skin depends on the problem
/// and the device only, so that a continued run uses the same skin.
/// \param times row of step_times for the device.
/// \param staged whether lists are staged.
/// \param by_type whether types have different cutoffs. The host then launches several kernels for
///   each class of types, and waits for them.
[[nodiscard]] inline double usual_skin(const StepTimes& times, bool in_double, bool staged,
                                       bool by_type, std::int64_t atoms) {
  const auto n = static_cast<double>(atoms);
  const double rebuild = (by_type ? times.rebuild_by_type : times.rebuild) +
                         (staged ? times.rebuild_of_atom_staged : times.rebuild_of_atom) * n;
  const double forces =
      in_double ? times.forces_in_double + times.forces_of_atom_in_double * n
                : times.forces + (staged ? times.forces_of_atom_staged : times.forces_of_atom) * n;
  // Zero of the derivative of forces (1 + s)^3 + rebuild 0.0175 / s, the time of a step.
  const double q = std::sqrt(0.0175 / 3 * rebuild / forces);
  // Before wider lists are rebuilt, pairs come so close that the error of single precision shows in
  // their forces.
  constexpr double widest = 0.24;
  return std::min(widest, 0.5 * (std::sqrt(1 + 4 * q) - 1));
}

/// Parameters of cuda.list. README.md has the measurements behind the defaults.
struct Parameters {
  int block_size = 128;            ///< threads of a block
  int threads_per_atom = 0;        ///< threads that share an atom; 0: usual_threads()
  double skin_over_cutoff = 0;     ///< used where the problem sets no skin; 0: usual_skin()
  int list_tile = gpu::warp_size;  ///< number of atoms whose lists are interleaved, slot by slot
  int cells_per_reach = 1;  ///< 1: cells are as wide as the reach of the lists; 2: half of it
  int cell_block = 1;       ///< edge, in cells, of the pencils along z that order the cells
  int search_block = 128;   ///< threads of a block that searches
  /// Mean number of atoms per cell from which a warp searches for 32 atoms together.
  int tile_search_min_density = 4;
  int z_subdivision = 2;  ///< factor by which the cells of such a search are shorter along z
  bool staged = true;     ///< whether loops with one thread per atom use staged lists

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{
            TuningParameter{"block_size", &Parameters::block_size,
                            in_space(std::array{64, 128, 256}, std::array{64, 96, 128, 192, 256})},
            TuningParameter{"threads_per_atom", &Parameters::threads_per_atom,
                            ThreadsPerAtom::And<0>{}},
            TuningParameter{
                "skin_over_cutoff", &Parameters::skin_over_cutoff,
                in_space(std::array{0.0, 0.08, 0.12, 0.16, 0.2},
                         std::array{0.0, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.24, 0.3})},
            // Other values exclude fused steps (list_plan.cuh): a user may set them, but the tuner
            // does not try them.
            TuningParameter{"list_tile", &Parameters::list_tile, std::array{gpu::warp_size}},
            TuningParameter{"cells_per_reach", &Parameters::cells_per_reach, std::array{1}},
            TuningParameter{"cell_block", &Parameters::cell_block, std::array{1}},
            TuningParameter{"search_block", &Parameters::search_block,
                            in_space(std::array{128}, std::array{64, 96, 128})},
            TuningParameter{"tile_search_min_density", &Parameters::tile_search_min_density,
                            in_space(std::array{4}, std::array{0, 4}), "tiles_from"},
            TuningParameter{"z_subdivision", &Parameters::z_subdivision,
                            in_space(std::array{2}, std::array{1, 2, 4, 8}), "cells_along"},
            TuningParameter{"staged", &Parameters::staged,
                            in_space(std::array{true}, std::array{true, false})}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (is_no_block(block_size, most_block))
      return "a block_size up to 256 that is a multiple of " + std::to_string(gpu::warp_size);
    if (is_no_block(search_block, most_search_block))
      return "a search_block up to 128 that is a multiple of " + std::to_string(gpu::warp_size);
    if (!(skin_over_cutoff >= 0)) return "a skin_over_cutoff of 0 or more";
    if (list_tile < 1 || list_tile > 1024 || (list_tile & (list_tile - 1)) != 0)
      return "a list_tile from 1 to 1024 that is a power of two";
    if (cells_per_reach < 1 || cells_per_reach > 2) return "a cells_per_reach of 1 or 2";
    if (cell_block < 1 || cell_block > 1024) return "a cell_block from 1 to 1024";
    if (tile_search_min_density < 0) return "a tile_search_min_density of 0 or more";
    if (z_subdivision < 1 || z_subdivision > 16) return "a z_subdivision from 1 to 16";
    return {};
  }

 private:
  [[nodiscard]] static bool is_no_block(int threads, int most) {
    return threads < gpu::warp_size || threads > most || threads % gpu::warp_size != 0;
  }
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PARAMETERS_HPP
