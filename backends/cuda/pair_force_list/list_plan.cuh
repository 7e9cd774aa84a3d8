#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_LIST_PLAN_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_LIST_PLAN_CUH

#include "backends/cuda/execution/launch.hpp"
#include "backends/cuda/execution/space.hpp"
#include "backends/cuda/pair_common/pair_plan.cuh"
#include "backends/cuda/pair_force_list/fixed_scale_of_range.hpp"
#include "backends/cuda/pair_force_list/force.cuh"
#include "backends/cuda/pair_force_list/launch_loop.cuh"
#include "backends/cuda/pair_force_list/parameters.hpp"
#include "backends/cuda/pair_force_list/search.cuh"
#include "backends/cuda/pair_force_list/search_tiles.cuh"
#include "backends/cuda/pair_force_list/staged_exclusions.cuh"
#include "backends/cuda/pair_force_list/staged_search.cuh"
#include "backends/cuda/pair_force_list/verlet_run.cuh"
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
#include <type_traits>
#include <vector>

/// \file
/// The plan of cuda.list.

namespace tessera::cuda::pair_force_list {

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

template <class P>
class ListPlan : public PairPlan<P> {
 public:
  using Base = PairPlan<P>;
  using Parameters = pair_force_list::Parameters;
  using typename Base::Args;
  using typename Base::Coordinates;
  using typename Base::Real;
  using typename Base::Storage;
  using FixedNumber = typename FixedRowOfReal<Real>::Number;
  static constexpr PlanTraits<md::PairForce> traits{
      .determinism = Determinism::run_to_run,
      .determinism_on_request = Determinism::any_order,
      .description = "neighbor matrix in cell order, fixed-point coordinates below double"};

  ListPlan(const md::PairForceProblem& problem, const Context& context,
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
        stream_(context.stream),
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

  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    return Base::refuse(TESSERA_PLUGIN_NAME, problem);
  }

  void prepare(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    const std::int64_t n = problem_.atoms;
    steps_are_set_ = false;
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
    searched_all_ = classes.alike();
    layers_ = layers;
    if (searched_all_ && suits_faces(box, bounds)) {
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

  [[nodiscard]] double neighbors_per_atom() const override {
    if (steps_are_set_ && steps_->listed() >= 0)
      return static_cast<double>(steps_->listed()) / static_cast<double>(problem_.atoms);
    return per_atom_;
  }

  [[nodiscard]] md::AnyFusedSteps* fused_steps() override {
    if (has_ghosts() || !makes_steps()) return nullptr;
    if (!steps_) steps_ = std::make_unique<Run>(space_, stream_);
    if (!steps_are_set_) steps_->set_lists(lists_for_steps());
    steps_are_set_ = true;
    return steps_.get();
  }

 private:
  using Base::any_order;
  using Base::charge_;
  using Base::classes_;
  using Base::fixed_point;
  using Base::has_ghosts;
  using Base::packed_;
  using Base::potential_;
  using Base::problem_;
  using Base::row_;
  using Base::skin_budget_;
  using Base::space_;
  using Base::table_;
  using Base::tallies_;
  using Base::tally_;
  using Base::units_;
  using Base::values_;
  using Base::workspace_;
  using Run = VerletRun<Coordinates, Storage>;

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
    staged_.forget();
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

  void execute_in(const md::Box& box, const Args& args) override {
    PairLaunch<Coordinates, Storage> call = call_in(box);
    this->pack(box, args, cells_.order());
    this->pack_values(md::atom_columns(row_.reads, args), cells_.order());
    const bool tally = Base::wants_tally(args);
    const md::StoreHalfTally store = this->store_half(args, units_.energy);
    call.loop.forces = args.forces;
    call.loop.add = args.write == md::Write::add;
    call.torques = {args.torques, static_cast<Storage>(units_.energy)};
    call.tally = tally ? tally_.data() : nullptr;
    // With several blocks of lists, or in fixed point, the sums are stored below from tally_.
    const bool stores = lists_.count == 1 && !any_order();
    call.store = stores ? store : md::StoreHalfTally{};
    run(call);
    if (!tally || stores) return;
    space_.for_each("pair energy join", 1, md::JoinBlocks{tally_.data(), lists_.count});
    space_.for_each("pair energy store", 1, store);
  }

  /// Arguments of a pair loop, except those that depend on the results that a call requests.
  [[nodiscard]] PairLaunch<Coordinates, Storage> call_in(const md::Box& box) {
    PairLaunch<Coordinates, Storage> call{
        space_,
        {packed_.data(),
         packed_.data(),
         values_.data(),
         values_.data(),
         cells_.order(),
         nullptr,
         counts_.data(),
         problem_.atoms,
         {},
         this->coordinates_in(box),
         table_.numbers(),
         table_.samples(),
         problem_.types,
         static_cast<Storage>(units_.force()),
         {},
         false,
         fixed_},
        lists_,
        this->template coordinates_in<InTiltedBox<Coordinates>>(box),
        box.tilted(),
        table_.on_host(),
        threads_per_atom_,
        parameters_.block_size,
        nullptr,
        tallies_.data(),
        {},
        workspace_.get(),
        nullptr,
        nullptr,
        any_order() ? fixed_tallies_.data() : nullptr};
    if (staged_.given()) {
      call.staged = staged_.lists();
      call.groups = staged_.groups();
    }
    return call;
  }
  [[nodiscard]] static bool fuses_others_with(int threads_per_atom) {
    bool fuses = false;
    ThreadsPerAtom::with(threads_per_atom,
                         [&]<int Threads>() { fuses = fuses_others<Threads, Real>; });
    return fuses;
  }
  void run(PairLaunch<Coordinates, Storage>& call) {
    LoopLauncher<Coordinates, Storage>(row_.template table<LoopTable>(), call).run();
  }

  /// Whether fused steps are possible. They support central potentials and only one block of lists
  /// with the layout of_warp, and no tilted box that is open.
  [[nodiscard]] bool makes_steps() const {
    const md::Box& box = search_.box;
    return graph_has_conditions && potential_.central() && problem_.atoms > 0 &&
           lists_.count == 1 && searched_all_ && !lists_.block[0].long_lists &&
           (!search_.given.tilted() || (box.periodic[0] && box.periodic[1] && box.periodic[2])) &&
           !search_.grid.shared && list_shift_ == ListLayout::of_warp &&
           skin_budget_.allowed_displacement() > 0;
  }

  [[nodiscard]] typename Run::Lists lists_for_steps() {
    typename Run::Lists lists;
    lists.atoms = problem_.atoms;
    lists.box = search_.given;
    lists.tilted = search_.box.tilted();
    lists.grid = search_.grid;
    lists.layers = layers_;
    lists.coordinates = this->coordinates_in(search_.box);
    lists.tilted_coordinates = this->template coordinates_in<InTiltedBox<Coordinates>>(search_.box);
    lists.allowed_displacement = skin_budget_.allowed_displacement();
    lists.capacity = lists_.block[0].layout.capacity;
    if (any_order()) lists.capacity = std::min(lists.capacity, FixedNumber::most_neighbors);
    lists.packed = packed_.data();
    lists.cells = &cells_;
    lists.offsets = offsets_.data();
    lists.statistics = statistics_.data();
    lists.fuses_others = !any_order() && (staged_.given() || fuses_others_with(threads_per_atom_));
    lists.fuses_bath = staged_.given() || fuses_bath(threads_per_atom_);
    lists.step = [this](const void* move, bool others, const typename Coordinates::Atom* packed) {
      PairLaunch<Coordinates, Storage> call = call_in(search_.box);
      call.loop.own = packed;
      call.loop.atoms = packed;
      call.move = move;
      call.others = others;
      run(call);
    };
    lists.forces = [this](const typename Coordinates::Atom* packed, const std::int32_t* numbers,
                          View<Storage, 2> forces, bool add, const StepGate& gate) {
      PairLaunch<Coordinates, Storage> call = call_in(search_.box);
      call.loop.own = packed;
      call.loop.atoms = packed;
      call.loop.order = numbers;
      call.loop.forces = forces;
      call.loop.add = add;
      call.loop.gate = gate;
      run(call);
    };
    if (!any_order() && !lists.tilted)
      lists.row = [this](const VerletMove<Coordinates, Storage>& move,
                         const VerletRow<Coordinates>& row) {
        PairLaunch<Coordinates, Storage> call = call_in(search_.box);
        call.move = &move;
        call.row = &row;
        run(call);
      };
    lists.row_blocks = staged_.given() ? StagedSearch::blocks(problem_.atoms)
                                       : blocks_for(problem_.atoms * threads_per_atom_,
                                                    static_cast<unsigned>(parameters_.block_size));
    lists.pair_unit = units_.energy;
    lists.search = [this](View<const Storage, 2> positions, View<const Storage, 1> charges,
                          const std::int32_t* rows) {
      md::PairForceArgs<Storage> given;
      given.charges = charges;
      this->pack_values(md::atom_columns(row_.reads, given), rows);
      if constexpr (fixed_point) {
        if (staged_.given()) {
          find_rounds(positions, nullptr, exclusions_);
          staged_.stage(problem_.atoms, counts_.data(), statistics_);
          return;
        }
      }
      find_neighbors_of_all(positions, nullptr, lists_.block[0]);
      excluded_.drop_again(exclusions_, problem_.atoms, cells_.order(),
                           ListMatrix{lists_, counts_.data()}, 1, lists_.block[0].layout.capacity);
    };
    lists.groups = staged_.groups();
    lists.rounds = staged_.given() ? staged_.rounds().capacity : 0;
    return lists;
  }

  Parameters parameters_;
  StepTimes step_times_;
  int list_shift_;
  int threads_per_atom_;
  /// Number of atoms up to which most of the device would be idle with a few threads per atom.
  std::int64_t few_atoms_;
  Stream stream_;
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
  std::unique_ptr<Run> steps_;
  bool steps_are_set_ = false;
  FixedScale<Real> fixed_{};
  std::int64_t total_ = 0;
  std::int64_t coincident_ = 0;
  md::ImageRange images_;
  double per_atom_ = 0;
};

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_LIST_PLAN_CUH
