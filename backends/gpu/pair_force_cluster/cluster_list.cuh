#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_LIST_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_LIST_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_force_cluster/cluster_order.hpp"
#include "backends/gpu/pair_force_cluster/parameters.hpp"
#include "backends/gpu/pair_force_cluster/reaches.hpp"
#include "backends/gpu/pair_force_cluster/search.cuh"
#include "core/execution/buffer.hpp"
#include "core/execution/grow_until_fits.hpp"
#include "physics/md/coincident_atoms.hpp"
#include "physics/md/neighbor/atom_bounds.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"
#include "physics/md/neighbor/exclusion_filter.hpp"
#include "physics/md/neighbor/neighbor_list.hpp"
#include "physics/md/pair_force/pair_force.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

/// \file
/// The order of atoms in clusters, and the list of pairs, in device memory.

namespace tessera::gpu::pair_force_cluster {

template <class Storage>
class ClusterList {
 public:
  using Args = md::PairForceArgs<Storage>;

  /// \param concurrency number of threads that the device can run at once.
  ClusterList(Space space, std::int64_t atoms, const Parameters& parameters,
              std::int64_t concurrency)
      : space_(space),
        atoms_(atoms),
        parameters_(parameters),
        concurrency_(concurrency),
        keys_(space, atoms + 1),
        order_(space, atoms + 1),
        rank_(space, atoms + 1),
        types_(space, atoms + 1),
        given_(space, padded_atoms() + 1),
        sorted_(space, padded_atoms() + 1),
        clusters_(space, supers() * super_clusters + 1),
        supers_(space, supers() + 1),
        regions_(space, regions() + 1),
        excluded_(space),
        reaches_sq_(space),
        items_(space),
        entries_(space),
        bits_(space),
        images_(space, 1),
        statistics_(space, 1),
        result_(space, 1),
        workspace_(space) {}

  /// Sorts the atoms into clusters and makes the list.
  /// \param box box with reduced tilts.
  /// \param radius cutoff and skin.
  /// \throws ParticleError with the atom where an exclusion names the atom itself or no atom;
  ///   CoincidentAtoms where two atoms are at the same position.
  void build(const Args& args, const md::Box& box, const md::AtomBounds& atom_bounds, double radius,
             const md::CutoffClasses& classes) {
    const Fractions fractions(box, atom_bounds, radius);
    sort(args, fractions);
    const bool excludes = args.exclusions.given();
    if (excludes) find_excluded(args.exclusions);
    const Reaches reaches(fractions, box.tilted(), radius, classes);
    reaches_sq_.upload(reaches.pairs_sq.data(), static_cast<std::int64_t>(reaches.pairs_sq.size()));
    PairTest<Storage> test{};
    test.atoms = sorted_.data();
    test.clusters = clusters_.data();
    test.supers = supers_.data();
    test.regions = regions_.data();
    test.super_count = supers();
    reaches.give(test);
    test.image = md::MinimumImage(box);
    test.positions = args.positions;
    test.types = classes.uniform ? nullptr : types_.data();
    test.type_count = classes.types;
    test.reaches_sq = reaches_sq_.data();
    test.exclusions = args.exclusions;
    test.excluded = excludes ? excluded_.data() : nullptr;
    test.owned = args.targets();
    double volume = 1;
    for (const double extent : fractions.extent)
      volume *= std::max(extent, radius);
    const SearchStatistics statistics = search(test, expected_entries(atoms_, volume, radius));
    pairs_ = static_cast<std::int64_t>(statistics.pairs);
    for (int d = 0; d < 3; ++d)
      super_extent_[d] = static_cast<double>(statistics.extent[d]) * fractions.step[d];
    if (statistics.touching != 0) refuse_coincident(args, box, atom_bounds, radius);
  }

  [[nodiscard]] std::int64_t supers() const { return supers_for(atoms_); }
  /// Number of places of all super-clusters, including padding.
  [[nodiscard]] std::int64_t padded_atoms() const { return supers() * super_atoms; }
  /// Rows of the atoms in the caller's arrays, in the order of clusters.
  [[nodiscard]] const std::int32_t* order() const { return order_.data(); }
  [[nodiscard]] const std::int32_t* types() const { return types_.data(); }
  [[nodiscard]] PairList list() const {
    return {items_.data(), entries_.data(), bits_.data(), item_capacity_};
  }
  [[nodiscard]] std::int64_t item_count() const { return item_count_; }
  [[nodiscard]] const md::ImageRange& images() const { return image_range_; }
  /// Largest extent of a super-cluster along direction d, perpendicular to the faces of the box.
  [[nodiscard]] double super_extent(int d) const { return super_extent_[d]; }
  /// Items from this one on have pairs of a target and a ghost, those before it pairs of two
  /// targets.
  [[nodiscard]] std::int64_t first_item_with_ghosts() const { return first_item_with_ghosts_; }
  /// Number of listed pairs; each pair counts once.
  [[nodiscard]] std::int64_t pairs() const { return pairs_; }

 private:
  [[nodiscard]] std::int64_t regions() const {
    return (supers() + region_supers - 1) / region_supers;
  }

  void sort(const Args& args, const Fractions& fractions) {
    workspace_.require(std::max(Space::reduce_bytes<md::ImageRange>(atoms_),
                                Space::sort_bytes<std::uint64_t, std::int32_t>(atoms_)));
    space_.reduce("places", atoms_, md::ImageRange{},
                  GatherPositions<Storage>{args.positions, fractions, given_.data(), keys_.data(),
                                           order_.data()},
                  md::JoinImages{}, images_.data(), workspace_.get());
    const Arrangement arrangement = Arrangement::of(atoms_, fractions.extent);
    sort_by_keys(1);
    sort_within(arrangement.slab, 1);
    sort_within(arrangement.column, 2);

    const std::int64_t padded = padded_atoms();
    space_.for_each("sort candidates", padded,
                    SortCandidates{given_.data(), order_.data(), atoms_, sorted_.data()});
    Candidate* from = sorted_.data();
    Candidate* to = given_.data();
    for (int group = super_atoms; group > half_atoms; group /= 2) {
      HalveGroups halve{from, to, group, {}};
      const double longest = std::max({fractions.step[0], fractions.step[1], fractions.step[2]});
      for (int d = 0; d < 3; ++d)
        halve.edge[d] = static_cast<float>(fractions.step[d] / longest);
      space_.for_each("halve groups", padded, halve);
      std::swap(from, to);
    }
    // After an even number of swaps the atoms are in sorted_ again.
    space_.for_each("box clusters", supers() * super_clusters,
                    BoxClusters{sorted_.data(), clusters_.data()});
    space_.for_each(
        "box super-clusters", supers(),
        JoinBoxes{clusters_.data(), supers() * super_clusters, super_clusters, supers_.data()});
    space_.for_each("box regions", regions(),
                    JoinBoxes{supers_.data(), supers(), region_supers, regions_.data()});
    space_.for_each(
        "write order", atoms_,
        WriteOrder{sorted_.data(), args.types, order_.data(), rank_.data(), types_.data()});
    image_range_ = images_.read();
  }

  /// \param groups number of groups; keys have the number of the group above 32 bits of fraction.
  void sort_by_keys(std::int64_t groups) {
    int bits = 32;
    while ((std::int64_t{1} << (bits - 32)) < groups)
      ++bits;
    space_.sort_by_key("sort places", atoms_, keys_.data(), order_.data(), bits, workspace_.get());
  }
  void sort_within(std::int64_t group, int along) {
    space_.for_each("place keys", atoms_,
                    PositionKeys{given_.data(), order_.data(), group, along, keys_.data()});
    sort_by_keys((atoms_ + group - 1) / group);
  }

  void find_excluded(const md::Exclusions& exclusions) {
    excluded_.require(atoms_ + 1);
    const std::int64_t wrong =
        largest("find excluded", atoms_,
                FindExcluded{exclusions, order_.data(), rank_.data(), atoms_, excluded_.data()});
    if (wrong > 0) md::throw_wrong_exclusion(wrong - 1);
  }

  [[nodiscard]] SearchStatistics search(PairTest<Storage>& test, double expected) {
    item_capacity_ = parameters_.entries_per_warp > 0 ? parameters_.entries_per_warp
                                                      : usual_entries(expected, concurrency_);
    const int searchers =
        parameters_.searchers > 0 ? parameters_.searchers : usual_searchers(supers(), concurrency_);
    // The last item of each warp is half empty on average.
    const double most = std::numeric_limits<std::int32_t>::max() / 4;
    const double guess = std::min(
        1.2 * expected / item_capacity_ + 1.5 * static_cast<double>(supers() * searchers), most);
    const auto before = static_cast<std::int32_t>(std::min<std::int64_t>(
        entries_.size() / item_capacity_, std::numeric_limits<std::int32_t>::max() / 2));
    SearchStatistics statistics{};
    item_count_ = 0;
    const std::int32_t capacity = grow_until_fits(
        std::max(before, static_cast<std::int32_t>(guess) + 16), [&](std::int32_t item_limit) {
          items_.require(item_limit);
          entries_.require(std::int64_t{item_limit} * item_capacity_);
          bits_.require(std::int64_t{item_limit} * item_capacity_ * lanes_of_tile);
          statistics_.zero(1);
          const auto find = [&](int targets_of_pair) {
            constexpr std::int64_t warps = search_block / gpu::warp_size;
            test.targets_of_pair = targets_of_pair;
            launch("find entries",
                   test.is_plain() ? find_entries<true, Storage> : find_entries<false, Storage>,
                   blocks_for(supers() * searchers, warps), search_block, 0,
                   space_.stream())(test,
                                    ListOutput{items_.data(), entries_.data(), bits_.data(),
                                               item_capacity_, item_limit, statistics_.data()},
                                    searchers);
            statistics = statistics_.read();
          };
          find(test.owned < atoms_ ? 2 : 0);
          first_item_with_ghosts_ = statistics.items;
          if (test.owned < atoms_) find(1);
          return statistics.items;
        });
    static_cast<void>(capacity);
    item_count_ = statistics.items;
    return statistics;
  }

  /// Throws where a listed pair is at the same position; the search only noted that a pair is
  /// close.
  void refuse_coincident(const Args& args, const md::Box& box, const md::AtomBounds& atom_bounds,
                         double radius) {
    const md::CellGrid folding = md::CellGrid::make(box, atom_bounds, radius, 1);
    const std::int64_t pair =
        largest("find coincident", item_count_,
                FindCoincident<Storage>{args.positions, order_.data(), folding,
                                        md::MinimumImage(box), list()});
    if (pair == 0) return;
    throw md::CoincidentAtoms(order_.read((pair >> 32) - 1), order_.read((pair & 0xffffffff) - 1));
  }

  /// The largest number that the body yields for any index, at least 0.
  template <class Body>
  [[nodiscard]] std::int64_t largest(const char* label, std::int64_t n, const Body& body) {
    workspace_.require(Space::reduce_bytes<std::int64_t>(n));
    space_.reduce(label, n, std::int64_t{0}, body, md::LargerIndex{}, result_.data(),
                  workspace_.get());
    return result_.read();
  }

  Space space_;
  std::int64_t atoms_;
  Parameters parameters_;
  std::int64_t concurrency_;
  std::int32_t item_capacity_ = 1;  ///< allocated entries per item
  std::int64_t item_count_ = 0;
  std::int64_t first_item_with_ghosts_ = 0;
  std::int64_t pairs_ = 0;
  double super_extent_[3] = {};
  md::ImageRange image_range_;
  Buffer<std::uint64_t, Space> keys_;
  Buffer<std::int32_t, Space> order_;
  Buffer<std::int32_t, Space> rank_;
  Buffer<std::int32_t, Space> types_;
  Buffer<Candidate, Space> given_;
  Buffer<Candidate, Space> sorted_;
  Buffer<ClusterBox, Space> clusters_;
  Buffer<ClusterBox, Space> supers_;
  Buffer<ClusterBox, Space> regions_;
  Buffer<ExcludedRange, Space> excluded_;
  Buffer<float, Space> reaches_sq_;
  Buffer<Item, Space> items_;
  Buffer<Entry, Space> entries_;
  Buffer<std::uint8_t, Space> bits_;
  Buffer<md::ImageRange, Space> images_;
  Buffer<SearchStatistics, Space> statistics_;
  Buffer<std::int64_t, Space> result_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_LIST_CUH
