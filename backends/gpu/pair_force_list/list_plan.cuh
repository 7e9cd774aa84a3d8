#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_PLAN_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_PLAN_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_force_list/force.cuh"
#include "backends/gpu/pair_force_list/launch_loop.cuh"
#include "backends/gpu/pair_force_list/list_search.cuh"
#include "backends/gpu/pair_force_list/parameters.hpp"
#include "backends/gpu/pair_force_list/verlet_run.cuh"
#include "physics/md/pair_force/pair_force.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

/// \file
/// The plan of cuda.list.

namespace tessera::gpu::pair_force_list {

template <class P>
class ListPlan : public ListSearch<P> {
 public:
  using Base = ListSearch<P>;
  using Parameters = pair_force_list::Parameters;
  using typename Base::Args;
  using typename Base::Coordinates;
  using typename Base::Real;
  using typename Base::Storage;
  static constexpr PlanTraits<md::PairForce> traits{
      .determinism = Determinism::run_to_run,
      .determinism_on_request = Determinism::any_order,
      .description = "neighbor matrix in cell order, fixed-point coordinates below double"};

  ListPlan(const md::PairForceProblem& problem, const Context& context,
           const Parameters& parameters)
      : Base(problem, context, parameters), stream_(context.stream) {}

  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    return Base::refuse(TESSERA_PLUGIN_NAME, problem);
  }

  void prepare(const Args& args) override {
    steps_are_set_ = false;
    this->make_lists(args);
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
  using Base::cells_;
  using Base::counts_;
  using Base::excluded_;
  using Base::exclusions_;
  using Base::fixed_;
  using Base::fixed_point;
  using Base::fixed_tallies_;
  using Base::has_ghosts;
  using Base::layers_;
  using Base::list_shift_;
  using Base::lists_;
  using Base::offsets_;
  using Base::packed_;
  using Base::parameters_;
  using Base::per_atom_;
  using Base::potential_;
  using Base::problem_;
  using Base::row_;
  using Base::search_;
  using Base::searched_all_;
  using Base::skin_budget_;
  using Base::space_;
  using Base::staged_;
  using Base::statistics_;
  using Base::table_;
  using Base::tallies_;
  using Base::tally_;
  using Base::threads_per_atom_;
  using Base::units_;
  using Base::values_;
  using Base::workspace_;
  using typename Base::FixedNumber;
  using Run = VerletRun<Coordinates, Storage>;

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
    return makes_graphs && potential_.central() && problem_.atoms > 0 && lists_.count == 1 &&
           searched_all_ && !lists_.block[0].long_lists &&
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
    lists.step = [this](const void* move, const typename Coordinates::Atom* packed, bool others,
                        bool early) {
      PairLaunch<Coordinates, Storage> call = call_in(search_.box);
      call.loop.own = packed;
      call.loop.atoms = packed;
      call.move = move;
      call.others = others;
      call.early = early;
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
          this->find_rounds(positions, nullptr, exclusions_);
          staged_.stage(problem_.atoms, counts_.data(), statistics_);
          return;
        }
      }
      this->find_neighbors_of_all(positions, nullptr, lists_.block[0]);
      excluded_.drop_again(exclusions_, problem_.atoms, cells_.order(),
                           ListMatrix{lists_, counts_.data()}, 1, lists_.block[0].layout.capacity);
    };
    lists.groups = staged_.groups();
    lists.rounds = staged_.given() ? staged_.rounds().capacity : 0;
    return lists;
  }

  Stream stream_;
  std::unique_ptr<Run> steps_;
  bool steps_are_set_ = false;
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LIST_PLAN_CUH
