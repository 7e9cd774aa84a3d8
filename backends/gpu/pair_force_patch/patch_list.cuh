#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_LIST_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_LIST_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_force_patch/parameters.hpp"
#include "backends/gpu/pair_force_patch/patch_build.hpp"
#include "backends/gpu/pair_force_patch/search.cuh"
#include "core/base/error.hpp"
#include "core/execution/buffer.hpp"
#include "physics/md/coincident_atoms.hpp"
#include "physics/md/neighbor/atom_bounds.hpp"
#include "physics/md/neighbor/class_counter.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"
#include "physics/md/neighbor/exclusion_filter.hpp"
#include "physics/md/neighbor/neighbor_list.hpp"
#include "physics/md/pair_force/pair_force.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// \file
/// Patches, pairs of patches and the pair list, in device memory.

namespace tessera::gpu::pair_force_patch {

template <class Storage>
class PatchList {
 public:
  using Args = md::PairForceArgs<Storage>;

  PatchList(Space space, std::int64_t atoms, const Parameters& parameters)
      : space_(space),
        atoms_(atoms),
        parameters_(parameters),
        keys_(space, atoms + 1),
        order_(space, atoms + 1),
        rank_(space),
        marks_(space, atoms + 1),
        sums_(space, atoms + 1),
        patch_of_(space, atoms + 1),
        patches_(space),
        starts_(space),
        pairs_(space),
        sizes_{Buffer<std::int64_t, Space>(space), Buffer<std::int64_t, Space>(space)},
        places_{Buffer<std::int64_t, Space>(space), Buffer<std::int64_t, Space>(space)},
        words_(space),
        counts_(space),
        own_of_(space),
        offsets_(space, atoms + 1),
        reaches_sq_(space),
        images_(space, 1),
        statistics_(space, 1),
        result_(space, 1),
        workspace_(space) {}

  /// Makes patches, their pairs and the pair list.
  /// \param box box with reduced tilts.
  /// \param radius cutoff and skin.
  /// \throws ParticleError with the atom where an exclusion names the atom itself or no atom;
  ///   CoincidentAtoms where two atoms are at the same position; ArgumentError where there are more
  ///   pairs of patches than a launch may have blocks.
  void build(const Args& args, const md::Box& box, const md::AtomBounds& atom_bounds, double radius,
             const md::CutoffClasses& classes) {
    cut(box, atom_bounds, radius);
    sort(args);
    find_patches(args);
    find_pairs_of_patches();
    list(args, box, radius, classes);
    if (args.exclusions.given()) exclude(args);
    if (args.targets() < atoms_)
      space_.for_each("clear lists of ghosts", atoms_,
                      ClearGhosts{order_.data(), args.targets(), bits()});
    close();
    const SearchStatistics statistics = statistics_.read();
    total_ = static_cast<std::int64_t>(statistics.total);
    if (statistics.coincident != 0) refuse_coincident(args, box);
  }

  [[nodiscard]] const std::int32_t* order() const { return order_.data(); }
  [[nodiscard]] const std::int32_t* patch_of() const { return patch_of_.data(); }
  [[nodiscard]] const Patch* patches() const { return patches_.data(); }
  [[nodiscard]] std::int32_t patch_count() const { return table_.count; }
  [[nodiscard]] const PatchPair* pairs() const { return pairs_.data(); }
  [[nodiscard]] std::int64_t pair_count() const { return pair_count_; }
  [[nodiscard]] const std::int64_t* starts() const { return starts_.data(); }
  [[nodiscard]] const std::uint32_t* words() const { return words_.data(); }
  /// Number of listed atoms by row.
  [[nodiscard]] const std::int32_t* counts() const { return counts_.data(); }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  /// For each pair of patches, from its row on, the atoms of patch 1 that have listed pairs, by
  /// descending number of these; null: not sorted.
  [[nodiscard]] const std::int32_t* own_of() const {
    return parameters_.sort == Sort::pairs ? own_of_.data() : nullptr;
  }
  [[nodiscard]] const md::ImageRange& images() const { return image_range_; }
  /// Number of listed pairs of atoms; each pair counts twice.
  [[nodiscard]] std::int64_t total() const { return total_; }

  /// Number of threads of a block, whole warps, for which a thread has `atoms_each` atoms of a mean
  /// patch.
  [[nodiscard]] unsigned threads_for_patch(int atoms_each) const {
    const std::int64_t mean = (atoms_ + table_.count - 1) / std::max(table_.count, 1);
    const std::int64_t threads =
        gpu::warps_for((mean + atoms_each - 1) / atoms_each) * gpu::warp_size;
    return static_cast<unsigned>(std::clamp<std::int64_t>(threads, gpu::warp_size, most_block));
  }

 private:
  /// Factor of the reach, an allowance for rounding to float.
  static constexpr double wider = 1 + 1e-5;
  /// Bound of the rounding error of an offset, over the width of its cell.
  static constexpr double coarse = 1.0 / (1 << 20);
  /// Factor of the edge of a patch, so that a patch as wide as the list radius is as wide as the
  /// reach with both allowances.
  static constexpr double wider_patch = 1 + 4e-5;

  void cut(const md::Box& box, const md::AtomBounds& atom_bounds, double radius) {
    table_ = {};
    // The number of slots is limited only by the bits of a key, because there is no table of slots:
    // patches are found by a binary search for the slot of their cell.
    table_.grid =
        md::CellGrid::make(box, atom_bounds, parameters_.patch_over_reach * radius * wider_patch,
                           std::numeric_limits<std::int32_t>::max());
    widest_ = 0;
    for (int d = 0; d < 3; ++d)
      widest_ = std::max(widest_, table_.grid.length[d] / table_.grid.count[d]);
    search_radius_ = radius * wider + widest_ * coarse;
    table_.reach_sq = search_radius_ * search_radius_;
    meets_images_ = false;
    for (int d = 0; d < 3; ++d) {
      table_.within[d] = table_.grid.cells_within(search_radius_, d);
      meets_images_ |= table_.grid.periodic[d] && table_.grid.count[d] <= 2 * table_.within[d];
    }
  }

  void sort(const Args& args) {
    const int below =
        table_.grid.shared ? mark_bits : (parameters_.sort == Sort::none ? 0 : curve_bits);
    int bits = 1;
    while ((std::int64_t{1} << bits) < table_.grid.slots)
      ++bits;
    workspace_.require(std::max(Space::reduce_bytes<md::ImageRange>(atoms_),
                                Space::sort_bytes<std::uint64_t, std::int32_t>(atoms_)));
    space_.reduce(
        "patch keys", atoms_, md::ImageRange{},
        PatchKeys<Storage>{args.positions, table_.grid, below, keys_.data(), order_.data()},
        md::JoinImages{}, images_.data(), workspace_.get());
    space_.sort_by_key("sort into patches", atoms_, keys_.data(), order_.data(), bits + below,
                       workspace_.get());
    image_range_ = images_.read();
  }

  void find_patches(const Args& args) {
    workspace_.require(Space::scan_bytes<std::int32_t>(atoms_));
    space_.for_each(
        "mark patches", atoms_,
        MarkPatches<Storage>{args.positions, table_.grid, order_.data(), marks_.data()});
    space_.exclusive_scan("number patches", atoms_, marks_.data(), sums_.data(), workspace_.get());
    table_.count = sums_.read(atoms_);
    patches_.require(table_.count + 1);
    space_.for_each("write patches", atoms_ + 1,
                    WritePatches<Storage>{args.positions, table_.grid, order_.data(), sums_.data(),
                                          atoms_, patches_.data(), patch_of_.data()});
    table_.patches = patches_.data();
  }

  void find_pairs_of_patches() {
    const std::int64_t patches = table_.count;
    starts_.require(patches + 1);
    sizes_[0].require(patches);
    workspace_.require(Space::scan_bytes<std::int64_t>(patches));
    space_.for_each("count pairs of patches", patches, CountPairs{table_, sizes_[0].data()});
    space_.exclusive_scan("start pairs of patches", patches, sizes_[0].data(), starts_.data(),
                          workspace_.get());
    pair_count_ = starts_.read(patches);
    if (pair_count_ > std::numeric_limits<std::int32_t>::max())
      throw ArgumentError("md/pair_force", "positions",
                          "they make " + std::to_string(pair_count_) +
                              " pairs of patches, more than a launch has blocks; use wider patches "
                              "(patch_over_reach), or cuda.list");
    pairs_.require(pair_count_);
    space_.for_each("write pairs of patches", patches,
                    WritePairs{table_, starts_.data(), pairs_.data()});
    for (int s = 0; s < 2; ++s) {
      sizes_[s].require(pair_count_);
      places_[s].require(pair_count_ + 1);
    }
    workspace_.require(Space::scan_bytes<std::int64_t>(pair_count_));
    space_.for_each("size pairs of patches", pair_count_,
                    SizePairs{table_, pairs_.data(), sizes_[0].data(), sizes_[1].data()});
    for (int s = 0; s < 2; ++s)
      space_.exclusive_scan("place pairs of patches", pair_count_, sizes_[s].data(),
                            places_[s].data(), workspace_.get());
    space_.for_each("place pairs of patches", pair_count_,
                    PlacePairs{places_[0].data(), places_[1].data(), pairs_.data()});
    words_.require(places_[0].read(pair_count_));
    rows_ = places_[1].read(pair_count_);
    counts_.require(rows_);
    if (parameters_.sort == Sort::pairs) own_of_.require(rows_);
  }

  void list(const Args& args, const md::Box& box, double radius, const md::CutoffClasses& classes) {
    const auto types = classes.uniform ? View<const std::int32_t, 1>{} : args.types;
    space_.for_each("offset atoms", atoms_,
                    OffsetAtoms<Storage>{args.positions, types, order_.data(), patch_of_.data(),
                                         table_, offsets_.data()});
    std::vector<float> reaches{static_cast<float>(search_radius_ * search_radius_)};
    if (!classes.uniform) {
      double largest = 0;
      for (const double cutoff : classes.cutoffs)
        largest = std::max(largest, cutoff);
      const std::vector<double> squares = classes.squared_reaches(search_radius_ - largest);
      reaches.assign(squares.begin(), squares.end());
    }
    reaches_sq_.upload(reaches.data(), static_cast<std::int64_t>(reaches.size()));
    const double touching = std::max(radius, widest_);
    statistics_.zero(1);
    launch("find pairs", find_pairs<Storage>, pair_blocks(), threads_for_patch(1), 0,
           space_.stream())(PairSearch<Storage>{
        table_, pairs_.data(), offsets_.data(), reaches_sq_.data(),
        classes.uniform ? 1 : classes.types, static_cast<float>(1e-11 * touching * touching),
        meets_images_, args.positions, order_.data(), md::MinimumImage(box), words_.data(),
        statistics_.data()});
  }

  void exclude(const Args& args) {
    rank_.require(atoms_);
    space_.for_each("invert order", atoms_, md::InvertOrder{order_.data(), rank_.data()});
    const std::int64_t wrong =
        largest("drop excluded",
                ClearExcluded{args.exclusions, order_.data(), rank_.data(), atoms_, bits()});
    if (wrong > 0) md::throw_wrong_exclusion(wrong - 1);
  }

  void close() {
    launch("close pairs", close_pairs, pair_blocks(), threads_for_patch(1), 0, space_.stream())(
        table_, pairs_.data(), words_.data(), counts_.data(),
        parameters_.sort == Sort::pairs ? own_of_.data() : nullptr, statistics_.data());
  }

  /// Throws where a listed pair is at the same position; the pair that the search noted may have
  /// been excluded since.
  void refuse_coincident(const Args& args, const md::Box& box) {
    const std::int64_t pair = largest(
        "find coincident",
        FindCoincident<Storage>{args.positions, order_.data(), md::MinimumImage(box), bits()});
    if (pair == 0) return;
    throw md::CoincidentAtoms(order_.read((pair >> 32) - 1), order_.read((pair & 0xffffffff) - 1));
  }

  [[nodiscard]] PairBits bits() const {
    return {table_, patch_of_.data(), starts_.data(), pairs_.data(), words_.data()};
  }
  [[nodiscard]] unsigned pair_blocks() const { return static_cast<unsigned>(pair_count_); }

  /// The largest number that the body yields for any atom, at least 0.
  template <class Body>
  [[nodiscard]] std::int64_t largest(const char* label, const Body& body) {
    workspace_.require(Space::reduce_bytes<std::int64_t>(atoms_));
    space_.reduce(label, atoms_, std::int64_t{0}, body, md::LargerIndex{}, result_.data(),
                  workspace_.get());
    return result_.read();
  }

  Space space_;
  std::int64_t atoms_;
  Parameters parameters_;
  PatchTable table_;
  double search_radius_ = 0;  ///< list radius with both allowances
  double widest_ = 0;         ///< longest edge of a cell
  bool meets_images_ = false;
  std::int64_t pair_count_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t total_ = 0;
  md::ImageRange image_range_;
  Buffer<std::uint64_t, Space> keys_;
  Buffer<std::int32_t, Space> order_;
  Buffer<std::int32_t, Space> rank_;
  Buffer<std::int32_t, Space> marks_;
  Buffer<std::int32_t, Space> sums_;
  Buffer<std::int32_t, Space> patch_of_;
  Buffer<Patch, Space> patches_;
  Buffer<std::int64_t, Space> starts_;
  Buffer<PatchPair, Space> pairs_;
  Buffer<std::int64_t, Space> sizes_[2];   ///< number of words, and of rows, of each pair
  Buffer<std::int64_t, Space> places_[2];  ///< first word, and first row, of each pair
  Buffer<std::uint32_t, Space> words_;
  Buffer<std::int32_t, Space> counts_;
  Buffer<std::int32_t, Space> own_of_;
  Buffer<Candidate, Space> offsets_;
  Buffer<float, Space> reaches_sq_;
  Buffer<md::ImageRange, Space> images_;
  Buffer<SearchStatistics, Space> statistics_;
  Buffer<std::int64_t, Space> result_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_LIST_CUH
