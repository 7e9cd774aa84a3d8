#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_LAUNCH_LOOP_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_LAUNCH_LOOP_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/pair_common/kernel_argument.hpp"
#include "backends/gpu/pair_common/pair_numbers.cuh"
#include "backends/gpu/pair_force_cluster/cluster_entries.hpp"
#include "backends/gpu/pair_force_cluster/force.cuh"
#include "backends/gpu/pair_force_cluster/loop_table.hpp"
#include "physics/md/pair_potential/potential_traits.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Selection and launch of the kernel of a call, compiled without any form.

namespace tessera::gpu::pair_force_cluster {

/// Launches the kernel of one call.
template <class Coordinates, class Storage>
class LoopLauncher {
 public:
  using Real = typename Coordinates::Real;
  using Numbers = Variant::Numbers;

  LoopLauncher(const LoopTable& table, const ClusterLaunch<Coordinates, Storage>& call)
      : table_(table),
        layout_(table.layout()),
        call_(call),
        of_second_(2 + layout_.width_of_first) {}

  void run() const {
    if (call_.tilted)
      run(call_.loop.in(call_.tilted_coordinates));
    else
      run(call_.loop);
  }

 private:
  template <class AnyCoordinates>
  void run(const ClusterLoop<AnyCoordinates, Storage>& loop) const {
    Variant variant{.tallied = call_.tallies != nullptr, .tilted = call_.tilted};
    if (!variant.tallied && call_.compact) variant.numbers = numbers();
    if (variant.numbers == Numbers::own && call_.prune) call_.prune();
    const std::size_t table_bytes = bytes_of_table(variant.numbers);
    variant.table_in_shared = table_bytes <= most_shared_table;
    KernelArgument argument;
    argument.append(loop);
    argument.append(loop.coordinates);
    argument.append(loop.samples);
    if (shares(variant.numbers))
      argument.append(call_.table_on_host + of_second_, layout_.width - of_second_);
    const std::int64_t warps = call_.block_size / gpu::warp_size;
    const std::size_t shared = static_cast<std::size_t>(warps) * bytes_of_warp() +
                               (variant.table_in_shared ? table_bytes : 0);
    launch_handle("cluster_forces", table_.at("cluster_forces", variant),
                  blocks_for(loop.item_count, warps), call_.block_size, shared,
                  call_.space.stream(), {argument.data(), &call_.tallies});
  }

  /// The numbers that a loop with relative positions has; Numbers::own where the coefficients suit
  /// none.
  [[nodiscard]] Numbers numbers() const {
    for (const Numbers numbers : {Numbers::shared_with_cutoff, Numbers::shared})
      if (table_.has({.numbers = numbers}) && suits(numbers) &&
          bytes_of_table(numbers) <= most_shared_table)
        return numbers;
    return Numbers::own;
  }
  /// Whether the coefficients of the second of two forms are kept once, for all pairs of types.
  [[nodiscard]] bool shares(Numbers numbers) const {
    return numbers != Numbers::own && layout_.width_of_first >= 0;
  }
  /// Whether all pairs of types have the same coefficients of the second form, and no cutoff
  /// exceeds that of the second form.
  [[nodiscard]] bool suits(Numbers numbers) const {
    if (!shares(numbers)) return true;
    const bool one_cutoff = numbers == Numbers::shared_with_cutoff;
    constexpr int cutoff_of_first = 1;
    std::uint64_t wanted = one_cutoff ? 1u | 1u << cutoff_of_first : 1u;
    for (int w = of_second_; w < layout_.width; ++w)
      wanted |= std::uint64_t{1} << w;
    const Real* const table = call_.table_on_host;
    return (call_.shared_numbers & wanted) == wanted && table[0] == table[of_second_] &&
           (!one_cutoff || table[cutoff_of_first] == table[of_second_]);
  }
  [[nodiscard]] std::size_t bytes_of_table(Numbers numbers) const {
    int kept = layout_.width;
    if (shares(numbers)) kept = of_second_ - (numbers == Numbers::shared_with_cutoff ? 2 : 1);
    const auto types = static_cast<std::size_t>(call_.loop.types);
    return types * types * static_cast<std::size_t>(table_stride<Real>(kept)) * sizeof(Real);
  }
  /// Bytes of shared memory for the own atoms of a warp.
  [[nodiscard]] std::size_t bytes_of_warp() const {
    const auto values = static_cast<std::size_t>(md::potentials::atom_stride(layout_.reads));
    return super_atoms * (sizeof(typename Coordinates::Atom) + values * sizeof(Real));
  }

  const LoopTable& table_;
  const PotentialLayout& layout_;
  const ClusterLaunch<Coordinates, Storage>& call_;
  int of_second_;  ///< index of the cutoff of the second of two forms in the numbers of a pair
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_LAUNCH_LOOP_CUH
