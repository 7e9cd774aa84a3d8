#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_SEARCH_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_SEARCH_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_common/pair_plan.cuh"
#include "backends/gpu/pair_force_list/fixed_scale_of_range.hpp"
#include "backends/gpu/pair_force_list/force.cuh"
#include "backends/gpu/pair_force_list/parameters.hpp"
#include "backends/gpu/pair_force_list/search.cuh"
#include "backends/gpu/pair_force_list/search_tiles.cuh"
#include "backends/gpu/pair_force_list/staged_exclusions.cuh"
#include "backends/gpu/pair_force_list/staged_search.cuh"
#include "core/execution/buffer.hpp"
#include "core/execution/grow_until_fits.hpp"
#include "physics/md/neighbor/cell_order.hpp"
#include "physics/md/neighbor/exclusion_filter.hpp"
#include "physics/md/pair_force/pair_force.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// \file
/// The part of the plan of cuda.list that makes lists: it selects the search and its grid, and
/// allocates the lists.

namespace tessera::gpu::pair_force_list {

/// The lists, with the interface that ExclusionFilter requires.
struct ListMatrix {
  ListBlocks lists;
  std::int32_t* counts;

  [[nodiscard]] TESSERA_INLINE md::NeighborRow<true> row(std::int64_t k) const {
    return lists.row(k);
  }
};

struct EmptyListsOfGhosts {
  const std::int32_t* order;
  std::int64_t owned;
  std::int32_t* counts;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    if (order[k] >= owned) counts[k] = 0;
  }
};

/// \tparam P precision.
template <class P>
class ListSearch : public PairPlan<P> {
 public:
  using Base = PairPlan<P>;
  using typename Base::Args;
  using typename Base::Coordinates;
  using typename Base::Real;
  using typename Base::Storage;

 protected:
  using Base::any_order;
  using Base::charge_;
  using Base::classes_;
  using Base::fixed_point;
  using Base::has_ghosts;
  using Base::potential_;
  using Base::problem_;
  using Base::row_;
  using Base::skin_budget_;
  using Base::space_;
  using Base::tallies_;
  using Base::units_;
  using Base::workspace_;
  using FixedNumber = typename FixedRowOfReal<Real>::Number;

  ListSearch(const md::PairForceProblem& problem, const Context& context,
             const Parameters& parameters)
      : Base(TESSERA_PLUGIN_NAME, problem, context),
        parameters_(parameters),
        step_times_(default_row(step_times, context.device->properties().architecture).parameters),
        list_shift_(std::countr_zero(static_cast<unsigned>(parameters.list_tile))),
        threads_per_atom_(parameters.threads_per_atom > 0
                              ? parameters.threads_per_atom
                              : usual_threads(!fixed_point, problem.atoms, problem.types,
                                              can_stage(),
                                              context.device->properties().concurrency)),
        cells_(space_),
        offsets_(space_, problem.atoms + 1),
        types_(space_),
        reaches_sq_(space_),
        counts_(space_, problem.atoms + 1),
        statistics_(space_, 1),
        excluded_(space_),
        fixed_tallies_(space_),
        staged_(space_) {
    this->set_first_skin(skin_over_cutoff(false));
    this->require_places(problem.atoms + group_atoms);
    workspace_.require(Space::template reduce_bytes<md::Tally>(problem.atoms));
    if (any_order())
      workspace_.require(Space::template reduce_bytes<md::FixedTally>(problem.atoms));
    for (auto& neighbors : neighbors_)
      neighbors = std::make_unique<Buffer<std::int32_t, Space>>(space_);
    // One warp searches for a tile. All warps of a block share it where one warp per tile would
    // leave nearly all of the device idle.
    shares_tiles_ = parameters.search_block == most_search_block &&
                    16 * problem.atoms < context.device->properties().concurrency;
    few_atoms_ = context.device->properties().concurrency / 64;
    const std::int64_t blocks =
        problem.atoms * threads_per_atom_ / std::min(parameters.block_size, staged_block) + 1;
    tallies_.require(blocks);
    if (any_order()) fixed_tallies_.require(blocks + 1);
  }

  /// Makes the lists of the atoms, as prepare().
  void make_lists(const Args& args) {
    const CurrentDevice current(space_.ordinal());
    const std::int64_t n = problem_.atoms;
    const auto [classes, box, bounds, layers] = this->take_input(
        args,
        [&](const md::CutoffClasses& of_types) { return skin_over_cutoff(!of_types.alike()); });
    if (any_order())
      fixed_ = fixed_scale<Real>(md::pair_range(potential_, args.coefficients, charge_, units_),
                                 units_.force());
    if (n == 0) return;
    this->limits().require_list_radius(skin_budget_.list_radius());
    total_ = 0;
    coincident_ = 0;
    images_ = {};
    staged_.forget();
    searched_all_ = classes.alike();
    layers_ = layers;
    // Sums for any order need the origin that the parts of a system have in common, whichever grid
    // suits the atoms of each part.
    if (searched_all_ && !any_order() && suits_faces(box, bounds)) {
      layers_ = between_faces(box);
      this->set_origin(layers_.widen(bounds));
    }
    if (searched_all_)
      search(args, box, layers_.widen(bounds));
    else
      search_by_type(args, box, layers_.widen(bounds), classes);
    per_atom_ = static_cast<double>(total_) / static_cast<double>(n);
    // Atoms within rounding of a face of a tilted box are not folded, so that a rebuild in fused
    // steps may find some in an image beside the box. Steps of one operation after the other allow
    // for it too, so that both rebuild at the same steps.
    if (args.box.tilted()) images_.join({{-1, -1, -1}, {1, 1, 1}});
    skin_budget_.set_images(images_, {1, 1, 1});
    exclusions_ = args.exclusions;
    if (has_ghosts())
      space_.for_each("empty lists of ghosts", n,
                      EmptyListsOfGhosts{cells_.order(), args.targets(), counts_.data()});
    if (staged_.given())
      cells_.refuse(coincident_);
    else
      excluded_.apply(args, box, cells_, {nullptr, n}, ListMatrix{lists_, counts_.data()}, 1,
                      coincident_);
  }

  /// Factor of the reach, because offsets are rounded to float and a list must not lack a neighbor.
  static constexpr double wider = 1 + 1e-5;
  /// Number of neighbors from which on a block of threads processes a list, where lists are few.
  static constexpr std::int32_t long_list = 1024;

  /// Radius of a search.
  [[nodiscard]] double search_reach() const { return skin_budget_.list_radius() * wider; }
  [[nodiscard]] md::CellGrid grid_of(const md::Box& box, const md::AtomBounds& bounds,
                                     const md::CellArrangement& arrangement) const {
    return md::CellGrid::make(box, bounds, search_reach(), 4 * problem_.atoms + 64, arrangement);
  }
  /// Bounds of a grid between the faces of an open box. Atoms beyond them are in the outermost
  /// cells, with offsets that a float resolves well enough for `wider`.
  [[nodiscard]] md::AtomLayers between_faces(const md::Box& box) const {
    constexpr double reaches_beyond = 32;
    return md::AtomLayers::between_faces(box, problem_.cutoff, reaches_beyond * search_reach());
  }
  /// Whether a grid between these bounds has enough atoms in its cells, and no atom is too far
  /// beyond.
  [[nodiscard]] bool suits_faces(const md::Box& box, const md::AtomBounds& bounds) const {
    const md::AtomLayers faces = between_faces(box);
    return !box.tilted() && faces.contain(bounds) &&
           searches_tiles(grid_of(box, faces.widen(bounds), arrangement()), search_reach());
  }

  void search(const Args& args, const md::Box& box, const md::AtomBounds& atom_bounds) {
    const std::int64_t n = problem_.atoms;
    const double reach = search_reach();
    md::CellGrid grid = grid_of(box, atom_bounds, arrangement());
    const bool by_tiles = searches_tiles(grid, reach);
    // With shorter cells the 32 atoms of a tile are in a shorter box.
    if (by_tiles) grid = grid_of(box, atom_bounds, {1, 1, parameters_.z_subdivision});
    cells_.build(args.positions, grid);
    offset(args.positions, cells_.order(), 0, n, grid);
    CellsWithin within;
    for (int d = 0; d < 3; ++d)
      within.cells[d] = grid.cells_within(reach, d);
    search_ = {args.box, box, grid, within, reach, by_tiles};
    if constexpr (fixed_point) {
      if (by_tiles && suits_staging_ && !has_ghosts() && can_stage() && threads_per_atom_ == 1 &&
          !box.tilted()) {
        if (search_staged(args)) return;
        suits_staging_ = false;
      }
    }
    lists_.count = 1;
    find_rows(0, 0, n, [&](const ListBlock& block) {
      find_neighbors_of_all(args.positions, cells_.order(), block);
    });
  }

  /// \param order null where positions lie in cell order.
  void find_neighbors_of_all(View<const Storage, 2> positions, const std::int32_t* order,
                             const ListBlock& block) {
    const auto& [given, box, grid, within, reach, by_tiles] = search_;
    const std::int64_t n = problem_.atoms;
    const unsigned blocks = blocks_for(n, search_block());
    if (by_tiles) {
      const TileSearch<Storage> tiles = tile_search(positions, order, block);
      if (shares_tiles_)
        search_tiles<warps_of_shared_tile>(tiles, box.tilted(), blocks_for(n, gpu::warp_size),
                                           most_search_block);
      else
        search_tiles<1>(tiles, box.tilted(), blocks, search_block());
      return;
    }
    const auto kernel = box.tilted() ? search_in<true>(grid) : search_in<false>(grid);
    launch("find neighbors", kernel, blocks, search_block(), 0, space_.stream())(
        n, positions, order, cells_.starts(), grid, md::MinimumImage(box), offsets_.data(),
        static_cast<float>(reach * reach), block.layout, block.neighbors, counts_.data(),
        statistics_.data(), within);
  }

  [[nodiscard]] TileSearch<Storage> tile_search(View<const Storage, 2> positions,
                                                const std::int32_t* order, const ListBlock& block) {
    return {problem_.atoms,  positions,
            order,           cells_.starts(),
            search_.grid,    md::MinimumImage(search_.box),
            offsets_.data(), static_cast<float>(search_.reach),
            block.layout,    block.neighbors,
            counts_.data(),  statistics_.data(),
            search_.within};
  }

  template <int Parts>
  void search_tiles(const TileSearch<Storage>& tiles, bool tilted, unsigned blocks,
                    unsigned threads) {
    launch("find neighbors of tiles",
           tilted ? find_neighbors_of_tiles<true, Parts, most_rounds, Storage>
                  : find_neighbors_of_tiles<false, Parts, most_rounds, Storage>,
           blocks, threads, 0, space_.stream())(tiles);
  }

  /// Whether warps search for tiles: atoms that are close in memory must be close in space, and
  /// cells and lists must have the usual arrangement.
  [[nodiscard]] bool searches_tiles(const md::CellGrid& grid, double reach) const {
    // No atom may be within reach of its own image, because that search recognizes the atom itself
    // only by its index.
    for (int d = 0; d < 3; ++d)
      if (grid.periodic[d] && grid.width[d] * grid.count[d] < 1.01 * reach) return false;
    return !grid.shared && !is_arranged() &&
           problem_.atoms >= parameters_.tile_search_min_density * grid.slots;
  }

  /// The kernel for a grid; the usual one unless tuning parameters request another.
  template <bool Tilted>
  [[nodiscard]] auto search_in(const md::CellGrid& grid) const {
    if (grid.shared)
      return is_arranged() ? find_neighbors<Tilted, true, true, Storage>
                           : find_neighbors<Tilted, true, false, Storage>;
    return is_arranged() ? find_neighbors<Tilted, false, true, Storage>
                         : find_neighbors<Tilted, false, false, Storage>;
  }
  [[nodiscard]] bool is_arranged() const {
    return parameters_.cells_per_reach > 1 || parameters_.cell_block > 1 ||
           list_shift_ != ListLayout::of_warp;
  }
  [[nodiscard]] md::CellArrangement arrangement() const {
    return {parameters_.cells_per_reach, parameters_.cell_block};
  }
  [[nodiscard]] unsigned search_block() const {
    return static_cast<unsigned>(parameters_.search_block);
  }

  void search_by_type(const Args& args, const md::Box& box, const md::AtomBounds& atom_bounds,
                      const md::CutoffClasses& classes) {
    const std::int64_t n = problem_.atoms;
    const double skin = skin_budget_.skin() + 2 * (wider - 1) * skin_budget_.list_radius();
    const auto grids =
        md::ClassGrids::make(box, atom_bounds, classes, classes_.counts(), skin, arrangement());
    cells_.build(args.positions, args.types, classes_.class_of_type(), grids);
    types_.require(n + 1);
    space_.for_each("sort types", n, md::SortTypes{args.types, cells_.order(), types_.data()});
    const std::vector<double> reaches = classes.squared_reaches(skin);
    const std::vector<float> floats(reaches.begin(), reaches.end());
    reaches_sq_.upload(floats.data(), static_cast<std::int64_t>(floats.size()));
    std::int64_t first[md::CutoffClasses::most + 1] = {};
    for (int c = 0; c < classes.count; ++c) {
      first[c + 1] = first[c] + classes_.counts().of[c];
      offset(args.positions, cells_.order(), first[c], first[c + 1], grids.grid[c]);
    }
    lists_.count = classes.count;
    for (int c = 0; c < classes.count; ++c) {
      const std::int64_t atoms = first[c + 1] - first[c];
      const md::ClassSearchRange look = grids.search_range(c, classes, skin);
      const bool far = atoms <= few_atoms_ && has_wide_search(look, grids.count);
      find_rows(c, first[c], first[c + 1], [&](const ListBlock& block) {
        if (atoms == 0) return;
        const ClassSearch<Storage> search{args.positions,
                                          cells_.order(),
                                          cells_.starts(),
                                          grids,
                                          look,
                                          md::MinimumImage(box),
                                          offsets_.data(),
                                          types_.data(),
                                          reaches_sq_.data(),
                                          classes.types,
                                          block,
                                          counts_.data(),
                                          statistics_.data()};
        const auto kernel =
            box.tilted() ? search_by_type_in<true>(far) : search_by_type_in<false>(far);
        launch("find neighbors by type", kernel,
               far ? static_cast<unsigned>(atoms) : blocks_for(atoms, search_block()),
               far ? far_block : search_block(), 0, space_.stream())(search);
      });
    }
  }

  template <bool Tilted>
  [[nodiscard]] auto search_by_type_in(bool far) const {
    if (far)
      return is_arranged() ? find_far_neighbors_by_type<Tilted, true, Storage>
                           : find_far_neighbors_by_type<Tilted, false, Storage>;
    return is_arranged() ? find_neighbors_by_type<Tilted, true, Storage>
                         : find_neighbors_by_type<Tilted, false, Storage>;
  }

  /// Whether an atom searches enough cells to occupy a block of threads.
  [[nodiscard]] static bool has_wide_search(const md::ClassSearchRange& look, int classes) {
    double cells = 0;
    for (int c = 0; c < classes; ++c)
      if (look.reach[c] > 0)
        cells += (2.0 * look.cells[c][0] + 1) * (2.0 * look.cells[c][1] + 1) *
                 (2.0 * look.cells[c][2] + 1);
    return cells >= 256;
  }

  /// \param by_type whether types have different cutoffs.
  [[nodiscard]] double skin_over_cutoff(bool by_type) const {
    if (parameters_.skin_over_cutoff > 0) return parameters_.skin_over_cutoff;
    const bool staged = can_stage() && threads_per_atom_ == 1 && !by_type;
    return usual_skin(step_times_, !fixed_point, staged, by_type, problem_.atoms);
  }

  /// Whether the problem permits staged lists.
  [[nodiscard]] bool can_stage() const {
    return parameters_.staged && fixed_point && row_.reads == 0 &&
           list_shift_ == ListLayout::of_warp;
  }

  /// Makes staged lists. \returns false where lists cannot be staged; the caller then makes a
  /// neighbor matrix.
  [[nodiscard]] bool search_staged(const Args& args) {
    const std::int64_t n = problem_.atoms;
    SearchStatistics statistics{};
    if (args.exclusions.given()) excluded_.accept(args.exclusions, n, cells_.order(), {nullptr, n});
    const auto find = [&] { find_rounds(args.positions, cells_.order(), args.exclusions); };
    if (!staged_.make(n, counts_.data(), statistics_, find, statistics)) return false;
    // Two atoms at the same position may be an excluded pair, which only a matrix reports.
    if (statistics.coincident != 0 && args.exclusions.given()) {
      staged_.forget();
      return false;
    }
    lists_.count = 1;
    lists_.block[0] = {nullptr, 0, n, {staged_.capacity(), list_shift_}, false};
    total_ += static_cast<std::int64_t>(statistics.total);
    coincident_ = std::max(coincident_, static_cast<std::int64_t>(statistics.coincident));
    images_.join(statistics.images);
    return true;
  }
  /// \param order null where positions lie in cell order.
  void find_rounds(View<const Storage, 2> positions, const std::int32_t* order,
                   const md::Exclusions& exclusions) {
    TileSearch<Storage> tiles = tile_search(positions, order, {});
    tiles.rounds = staged_.rounds();
    launch("find rounds of tiles", find_neighbors_of_tiles<false, 1, 1, Storage>,
           blocks_for(problem_.atoms, search_block()), search_block(), 0, space_.stream())(tiles);
    if (exclusions.given())
      launch("drop excluded of tiles", drop_excluded_of_tiles,
             blocks_for(problem_.atoms, exclusion_block), exclusion_block, 0,
             space_.stream())(problem_.atoms, staged_.rounds(), exclusions, cells_.order(),
                              excluded_.ranks(problem_.atoms, cells_.order()), counts_.data());
  }

  void offset(View<const Storage, 2> positions, const std::int32_t* order, std::int64_t first,
              std::int64_t last, const md::CellGrid& grid) {
    if (first == last) return;
    launch("offset atoms", offset_atoms<Storage>, blocks_for(last - first, offset_block),
           offset_block, 0, space_.stream())(first, last, positions, order, grid, offsets_.data());
  }

  /// Makes the lists of the atoms [first, last) as block number `which`, with a capacity that
  /// suffices for the longest list. \param fill launches the search that writes the lists of a
  /// block.
  template <class Fill>
  void find_rows(int which, std::int64_t first, std::int64_t last, const Fill& fill) {
    ListBlock& block = lists_.block[which];
    SearchStatistics statistics{};
    const std::int32_t usual = 96;
    const std::int32_t before = block.layout.capacity;
    block.layout.capacity =
        grow_until_fits(before > 0 ? before : usual, [&](std::int32_t capacity) {
          const ListLayout layout{capacity, list_shift_};
          neighbors_[which]->require(layout.size(last - first));
          block = {neighbors_[which]->data(), first, last - first, layout};
          space_.fill(statistics_.data(), 0, sizeof(SearchStatistics));
          fill(block);
          statistics = statistics_.read();
          return statistics.longest;
        });
    if (any_order() && statistics.longest > FixedNumber::most_neighbors)
      throw RefusalError(
          "md/pair_force=" TESSERA_PLUGIN_NAME,
          "an atom has " + std::to_string(statistics.longest) + " neighbors, expected at most " +
              std::to_string(FixedNumber::most_neighbors) +
              ": more could be beyond what sums in fixed point hold; use cuda.portable, or double");
    if (last - first <= few_atoms_ && statistics.longest >= long_list) {
      block.long_lists = true;
      tallies_.require(last - first);
      if (any_order()) fixed_tallies_.require(last - first + 1);
    }
    total_ += static_cast<std::int64_t>(statistics.total);
    coincident_ = std::max(coincident_, static_cast<std::int64_t>(statistics.coincident));
    images_.join(statistics.images);
  }

  Parameters parameters_;
  StepTimes step_times_;
  int list_shift_;
  int threads_per_atom_;
  /// Number of atoms up to which most of the device would be idle with a few threads per atom.
  std::int64_t few_atoms_;
  md::CellOrder<Space> cells_;
  Buffer<float4, Space> offsets_;
  std::unique_ptr<Buffer<std::int32_t, Space>> neighbors_[md::CutoffClasses::most];
  ListBlocks lists_;
  Buffer<std::int32_t, Space> types_;  ///< in cell order
  Buffer<float, Space> reaches_sq_;
  Buffer<std::int32_t, Space> counts_;
  Buffer<SearchStatistics, Space> statistics_;
  md::ExclusionFilter<Space> excluded_;
  md::Exclusions exclusions_;  ///< of the last prepare()
  Buffer<md::FixedTally, Space> fixed_tallies_;
  StagedSearch staged_;
  bool suits_staging_ = true;  ///< false after a search whose lists could not be staged
  /// Parameters of the last search for the neighbors of all atoms.
  struct Search {
    md::Box given;  ///< of the caller
    md::Box box;    ///< with reduced tilts
    md::CellGrid grid;
    CellsWithin within;
    double reach = 0;
    bool by_tiles = false;
  };
  Search search_;
  md::AtomLayers layers_;
  bool searched_all_ = false;  ///< whether the last search knew no types
  bool shares_tiles_ = false;
  FixedScale<Real> fixed_{};
  std::int64_t total_ = 0;
  std::int64_t coincident_ = 0;
  md::ImageRange images_;
  double per_atom_ = 0;
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_SEARCH_CUH
