#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PARAMETERS_HPP

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "backends/gpu/pair_force_patch/pair_of_patches.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <string>
#include <string_view>
#include <tuple>

namespace tessera::gpu::pair_force_patch {

/// Work of a block.
enum class Work {
  pair,   ///< one pair of patches; another kernel adds up the forces of the pairs of a patch
  patch,  ///< one patch with all patches near it
};
[[nodiscard]] constexpr std::string_view parameter_name(Work work) {
  return work == Work::pair ? "pair" : "patch";
}

/// Order in which the threads of a block process the atoms of patch 1.
enum class Sort {
  none,   ///< the order of the caller
  space,  ///< along a space-filling curve, so that the atoms of a warp have similar neighbors
  pairs,  ///< by the number of listed atoms of patch 2; atoms without any are left out
};
[[nodiscard]] constexpr std::string_view parameter_name(Sort sort) {
  if (sort == Sort::none) return "none";
  return sort == Sort::space ? "space" : "pairs";
}

/// Compiled numbers of atoms of patch 1 in the registers of a thread.
using OwnAtoms = InSpace<Compiled<1, 2, 4>, Compiled<1, 2, 4, 8>>;

/// Parameters of cuda.patch. README.md relates them to the remedies in the paper that it cites.
struct Parameters {
  int block_size = 0;              ///< threads of a block; 0: enough for the atoms of a mean patch
  double patch_over_reach = 1;     ///< edge of a patch over the list radius (cutoff and skin)
  int patch1_per_thread = 1;       ///< atoms of patch 1 in the registers of a thread
  int patch2_per_thread = 1;       ///< atoms of patch 2 that a thread loads between two barriers
  Sort sort = Sort::none;          ///< order of the atoms of patch 1
  Work work = Work::pair;          ///< work of a block
  double skin_over_cutoff = 0.14;  ///< used where the problem sets no skin

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{
            TuningParameter{"block_size", &Parameters::block_size,
                            in_space(std::array{0, 128}, std::array{0, 32, 64, 96, 128, 192, 256})},
            TuningParameter{
                "patch_over_reach", &Parameters::patch_over_reach,
                in_space(std::array{0.5, 1.0, 2.0}, std::array{0.5, 0.75, 1.0, 1.5, 2.0, 3.0})},
            TuningParameter{"patch1_per_thread", &Parameters::patch1_per_thread, OwnAtoms{}},
            TuningParameter{"patch2_per_thread", &Parameters::patch2_per_thread,
                            in_space(std::array{1, 4}, std::array{1, 2, 3, 4})},
            TuningParameter{"sort", &Parameters::sort,
                            std::array{Sort::none, Sort::space, Sort::pairs}},
            TuningParameter{"work", &Parameters::work, std::array{Work::pair, Work::patch}},
            TuningParameter{
                "skin_over_cutoff", &Parameters::skin_over_cutoff,
                in_space(std::array{0.1, 0.14, 0.2},
                         std::array{0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.24, 0.3})}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (block_size != 0 && (block_size < gpu::warp_size || block_size > most_block ||
                            block_size % gpu::warp_size != 0))
      return "a block_size up to 256 that is a multiple of " + std::to_string(gpu::warp_size) +
             ", or 0";
    // In wider patches the rounding of offsets to float is too coarse for the search.
    if (!(patch_over_reach >= 0.25 && patch_over_reach <= 4))
      return "a patch_over_reach from 0.25 to 4";
    if (patch2_per_thread < 1 || patch2_per_thread > most_loads)
      return "a patch2_per_thread from 1 to 4";
    if (sort == Sort::pairs && work == Work::patch)
      return "sort=pairs with work=pair alone: other patches would need another order";
    if (!(skin_over_cutoff >= 0)) return "a skin_over_cutoff of 0 or more";
    return {};
  }
};

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PARAMETERS_HPP
