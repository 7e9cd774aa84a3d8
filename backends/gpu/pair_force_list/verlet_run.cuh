#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_RUN_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_RUN_CUH

#include "backends/gpu/execution/async_host_copy.hpp"
#include "backends/gpu/execution/graph.hpp"
#include "backends/gpu/pair_force_list/staged_search.cuh"
#include "backends/gpu/pair_force_list/verlet_atoms.cuh"
#include "physics/md/neighbor/cell_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Fused steps as graphs: some steps, then a check. Where an atom has moved too far, the graph
/// rebuilds the lists; where the next step has sums, it computes them. The host waits for neither.

namespace tessera::gpu::pair_force_list {

template <class Coordinates, class Storage>
class VerletRun final : public md::FusedSteps<Storage> {
 public:
  using Args = md::FusedStepsArgs<Storage>;
  using Move = VerletMove<Coordinates, Storage>;
  using Atom = typename Coordinates::Atom;

  /// Lists that the plan has prepared, valid until it prepares again.
  struct Lists {
    std::int64_t atoms = 0;
    md::Box box;          ///< of prepare()
    bool tilted = false;  ///< whether the box has tilts after they are reduced
    md::CellGrid grid;
    md::AtomLayers layers;    ///< the bounds of the grid where the box is not periodic
    Coordinates coordinates;  ///< where the box is not `tilted`
    InTiltedBox<Coordinates> tilted_coordinates;  ///< where it is
    double allowed_displacement = 0;
    std::int32_t capacity = 0;  ///< slots of a list
    int groups = 0;             ///< staged lists: allocated groups per block
    int rounds = 0;             ///< staged lists: allocated rounds per tile
    Atom* packed = nullptr;     ///< packed atoms that the plan's pair loop reads
    md::CellOrder<Space>* cells = nullptr;
    float4* offsets = nullptr;  ///< offsets of the atoms from the centers of their cells
    SearchStatistics* statistics = nullptr;
    /// Launches a step without sums; `packed` has the atoms before the step.
    /// \param move Move or, with `others`, a VerletMoveWithOthers for the coordinates of the box.
    /// \param early whether the step may start while the kernel that adds forces finishes.
    std::function<void(const void* move, const Atom* packed, bool others, bool early)> step;
    bool fuses_others = false;  ///< whether `step` takes `others`
    bool fuses_bath = false;    ///< whether that is faster than a kernel of its own in a bath too
    /// Launches the pair loop alone, for atoms in cell order.
    /// \param numbers 0, 1, 2, ...
    std::function<void(const Atom* packed, const std::int32_t* numbers, View<Storage, 2> forces,
                       bool add, const StepGate& gate)>
        forces;
    /// Launches a step with sums; empty where the plan does not compute sums.
    std::function<void(const Move&, const VerletRow<Coordinates>&)> row;
    std::int64_t row_blocks = 0;  ///< number of blocks of threads of that launch
    double pair_unit = 1;         ///< unit of energies in the pair loop, in the caller's unit
    /// Launches the search for neighbors, after cells, offsets and statistics have been updated.
    /// \param positions in cell order.
    /// \param charges in the order of the caller's arrays.
    /// \param rows rows of the atoms in the caller's arrays.
    std::function<void(View<const Storage, 2> positions, View<const Storage, 1> charges,
                       const std::int32_t* rows)>
        search;
  };

  VerletRun(Space space, Stream stream)
      : space_(space),
        stream_(stream),
        moving_(space),
        flags_(space),
        other_packed_(space),
        row_parts_(space),
        forces_(space),
        numbers_(space),
        place_(space),
        ids_(space),
        heat_(space),
        noise_sums_(space, 2),
        progress_(space, 1) {
    for (auto& late : status_copies_)
      late = async_host_copy(space.ordinal(), stream, sizeof(VerletProgress));
  }

  /// Sets the lists after the plan has prepared; graphs are recorded anew.
  void set_lists(Lists lists) {
    forget();
    lists_ = std::move(lists);
  }

  [[nodiscard]] Refusal refuse(const Args& args) const override {
    // The kernels read the layers in place of the faces that are not periodic.
    md::Box box = args.box;
    for (int d = 0; d < 3; ++d)
      if (lists_.layers.open[d] && lists_.layers.hold_in(box)) {
        box.lower[d] = lists_.box.lower[d];
        box.length[d] = lists_.box.length[d];
      }
    if (!(box == lists_.box)) return "the box has changed since the lists were made";
    return {};
  }

  void begin(const Args& args, std::int64_t steps) override {
    const std::int64_t n = lists_.atoms;
    const CurrentDevice current(space_.ordinal());
    require_arrays();
    if (!is_recorded(args)) {
      forget();
      recorded_ = args;
      require_parts();
      double force_to_accel = 0;
      space_.copy_to_host(&force_to_accel, &args.force_to_accel(0), sizeof force_to_accel);
      half_kick_ = static_cast<Storage>(0.5 * args.time_step * force_to_accel);
      largest_noise_ = is_balanced() ? largest_noise(*args.bath) : 0;
    }
    if (is_balanced()) space_.fill(noise_sums_.data(), 0, 2 * sizeof(md::NoiseSum));
    steps_ = steps;
    rows_ = args.rows;
    done_ = planned_ = oldest_ = next_ = rows_taken_ = 0;
    launch("start steps", start_steps, 1, 1, 0, space_.stream())(status(), steps, rows_.first,
                                                                 rows_.every, args.most_rebuilds,
                                                                 args.bath ? args.bath->step : 0);
    with_coordinates([&](const auto& coordinates) {
      launch("take atoms", load_atoms<CoordinatesOf<decltype(coordinates)>, Storage>,
             blocks_for(n, atoms_block), atoms_block, 0, space_.stream())(
          n, args, lists_.cells->order(), now(), kept().positions, kinds(coordinates),
          args.bath ? View<const double, 1>(args.bath->heat) : View<const double, 1>(),
          allowed_sq(), status());
    });
    // Kernels that other plans launch are loaded before a graph is recorded.
    if (!graphs_.front()) {
      add_forces();
      if (moves_apart()) compute_forces(lists_.packed, {});
    }
  }

  [[nodiscard]] bool advance() override {
    const CurrentDevice current(space_.ordinal());
    const bool puts = planned_ < steps_;
    if (puts) put();
    // The next call waits for the steps that this call has just put into the queue.
    if (next_ == oldest_ || (puts && next_ - oldest_ == 1)) return next_ > oldest_;
    poll_status();
    return done_ < status_.last;
  }

  [[nodiscard]] md::FusedStepsReport end() override {
    // Kernels that are still in the queue do no steps once all are done, but may rebuild the lists.
    if (next_ == 0) enqueue_status_copy();
    while (oldest_ < next_)
      poll_status();
    const VerletStatus& status = status_;
    md::FusedStepsReport report;
    report.steps = status.done[1];
    report.rebuilds = status.rebuilds;
    report.built_after = status.built_after;
    report.needs_prepare = status.unprepared != 0;
    report.lists_hold = (status.wanted & needs_lists) == 0 && !report.needs_prepare;
    if (status.blown != 0) {
      report.blown_up = 0xffffffffu - static_cast<std::uint32_t>(status.blown);
      const auto bits = static_cast<std::uint32_t>(status.blown >> 32);
      const auto speed = std::bit_cast<float>(bits);
      report.moved = static_cast<double>(speed) * std::abs(recorded_.time_step);
    }
    listed_ = status.rebuilds > 0 ? static_cast<std::int64_t>(status.listed) : -1;
    return report;
  }
  /// Number of neighbors in all lists after the last rebuild, as of the last end(); negative where
  /// the steps rebuilt no lists.
  [[nodiscard]] std::int64_t listed() const { return listed_; }

  [[nodiscard]] bool makes_sums() const override { return static_cast<bool>(lists_.row); }
  [[nodiscard]] std::vector<md::StepSums> take_sums() override { return std::exchange(sums_, {}); }

  void store_rebuilt(const Args& args) override { store(args, kept()); }
  void store(const Args& args) override { store(args, now()); }

 private:
  void forget() {
    graphs_ = {};
    recorded_ = {};
  }
  [[nodiscard]] VerletStatus* status() const { return &progress_.data()->status; }

  /// Numbers of kernels of steps in the graphs; a remainder runs in shorter graphs.
  static constexpr std::int64_t lengths[] = {32, 16, 8, 4};
  static constexpr std::int64_t arrays = 4;  ///< positions and velocities, now and kept
  /// Integers per atom: three images and a row, now and kept, and a mass class.
  static constexpr std::int64_t flag_arrays = 9;

  [[nodiscard]] AtomArrays<Storage> arrays_at(std::int64_t half) const {
    const std::int64_t n = lists_.atoms;
    Storage* const moving = moving_.data() + half * 6 * n;
    std::int32_t* const flags = flags_.data() + half * 4 * n;
    double* const heat = is_heated() ? heat_.data() + half * n : nullptr;
    return {moving, moving + 3 * n, flags, flags + 3 * n, heat};
  }
  [[nodiscard]] AtomArrays<Storage> now() const { return arrays_at(0); }
  [[nodiscard]] AtomArrays<Storage> kept() const { return arrays_at(1); }
  [[nodiscard]] std::int32_t* mass_class() const {
    return recorded_.force_to_accel.extent(0) > 1 ? flags_.data() + 8 * lists_.atoms : nullptr;
  }
  [[nodiscard]] double allowed_sq() const {
    const double allowed = std::min(lists_.allowed_displacement, recorded_.allowed_displacement);
    return allowed * allowed;
  }
  /// Whether other forces are added, a bath acts or the box is tilted.
  [[nodiscard]] bool has_others() const {
    return recorded_.added != nullptr || recorded_.bath || lists_.tilted;
  }
  /// Whether forces are stored and a kernel of its own moves the atoms.
  [[nodiscard]] bool moves_apart() const {
    return has_others() && !(lists_.fuses_others && (lists_.fuses_bath || !recorded_.bath));
  }
  template <class Reference>
  using CoordinatesOf = std::remove_cvref_t<Reference>;
  /// Calls use(coordinates) with those of the box.
  template <class Use>
  void with_coordinates(const Use& use) const {
    if (lists_.tilted)
      use(lists_.tilted_coordinates);
    else
      use(lists_.coordinates);
  }
  /// Whether the noise of the bath carries no momentum.
  [[nodiscard]] bool is_balanced() const {
    return recorded_.bath && recorded_.bath->total_half_mass != 0;
  }
  [[nodiscard]] double largest_noise(const md::LangevinArgs<Storage>& bath) {
    double largest = 0;
    for (std::int64_t type = 0; type < bath.noise.extent(0); ++type) {
      double noise = 0;
      double half_mass = 0;
      space_.copy_to_host(&noise, &bath.noise(type), sizeof noise);
      space_.copy_to_host(&half_mass, &bath.half_mass(type), sizeof half_mass);
      largest = std::max(largest, half_mass * noise);
    }
    return largest;
  }
  [[nodiscard]] bool is_heated() const { return recorded_.bath && recorded_.bath->heat.given(); }
  void require_arrays() {
    const std::int64_t n = lists_.atoms;
    moving_.require(arrays * 3 * n);
    flags_.require(flag_arrays * n);
    other_packed_.require(n + group_atoms);
    if (makes_sums()) row_parts_.require(lists_.row_blocks * row_values);
  }
  void require_parts() {
    const std::int64_t n = lists_.atoms;
    if (moves_apart()) {
      numbers_.require(n);
      launch("number atoms", number_atoms, blocks_for(n, atoms_block), atoms_block, 0,
             space_.stream())(n, numbers_.data());
    }
    if (moves_apart() || recorded_.added != nullptr) forces_.require(3 * n);
    if (recorded_.added != nullptr) place_.require(n);
    if (recorded_.bath) ids_.require(n);
    if (is_heated()) heat_.require(2 * n);
  }
  [[nodiscard]] BathOfSteps<Storage> bath() const {
    if (!recorded_.bath) return {};
    const md::LangevinArgs<Storage>& given = *recorded_.bath;
    return {ids_.data(),
            now().heat,
            given.noise,
            given.half_mass,
            static_cast<Storage>(given.keep),
            given.seed,
            given.dimensions,
            noise_sums_.data(),
            largest_noise_,
            given.total_half_mass};
  }
  template <class AnyCoordinates>
  [[nodiscard]] AtomKinds<AnyCoordinates, Storage> kinds(const AnyCoordinates& coordinates) const {
    return {recorded_.types,
            recorded_.mass_class,
            mass_class(),
            coordinates,
            {lists_.packed, other_packed_.data()},
            recorded_.bath ? recorded_.bath->ids : View<const std::int64_t, 1>(),
            recorded_.bath ? ids_.data() : nullptr,
            recorded_.added != nullptr ? place_.data() : nullptr};
  }
  /// View of an array that has all x coordinates first, then all y, then all z.
  template <class T>
  [[nodiscard]] View<T, 2> rows_of(T* values) const {
    return {values, {lists_.atoms, 3}, {1, lists_.atoms}};
  }

  /// Whether the recorded graphs can be used with these arguments.
  [[nodiscard]] bool is_recorded(const Args& args) const {
    return args.added == recorded_.added && is_same_bath(args) &&
           args.allowed_displacement == recorded_.allowed_displacement &&
           args.types.data == recorded_.types.data && args.charges.data == recorded_.charges.data &&
           args.mass_class.data == recorded_.mass_class.data &&
           args.rows.masses.data == recorded_.rows.masses.data &&
           (args.rows.first < 0) == (recorded_.rows.first < 0) &&
           args.force_to_accel.data == recorded_.force_to_accel.data &&
           args.time_step == recorded_.time_step && args.longest_step == recorded_.longest_step;
  }

  [[nodiscard]] bool is_same_bath(const Args& args) const {
    if (!args.bath || !recorded_.bath) return args.bath.has_value() == recorded_.bath.has_value();
    const md::LangevinArgs<Storage>& a = *args.bath;
    const md::LangevinArgs<Storage>& b = *recorded_.bath;
    return a.ids.data == b.ids.data && a.noise.data == b.noise.data &&
           a.half_mass.data == b.half_mass.data && a.heat.data == b.heat.data && a.keep == b.keep &&
           a.seed == b.seed && a.dimensions == b.dimensions &&
           a.total_half_mass == b.total_half_mass;
  }

  [[nodiscard]] std::unique_ptr<TaskGraph> graph(const RecordTasks& record) const {
    return make_graph(space_.ordinal(), stream_, record);
  }

  /// Number of kernels of steps between two checks of the lists. A check takes as long as a step of
  /// a few thousand atoms. A kernel that is idle until the check takes as long as the start of its
  /// blocks, which is longer for more atoms. A host that reads the conditions waits for all steps
  /// before.
  [[nodiscard]] std::int64_t steps_per_check() const {
    if (host_reads_conditions) return 8;
    if (lists_.atoms <= std::int64_t{1} << 19) return 4;
    return lists_.atoms <= std::int64_t{1} << 22 ? 2 : 1;
  }
  /// Largest number of steps in the queue, such that the host gets control again after some
  /// hundredths of a second, and that it receives every row.
  [[nodiscard]] std::int64_t most_at_once() const {
    const std::int64_t most =
        std::clamp<std::int64_t>((std::int64_t{1} << 26) / lists_.atoms, lengths[0], 64);
    // A step with sums takes no kernel of the other steps, but a check.
    const bool dense =
        rows_.first >= 0 && (rows_.every == 1 || most / (rows_.every - 1) + 2 > kept_rows);
    return dense ? std::min(most, kept_rows * steps_per_check()) : most;
  }

  /// Number of kernels that `steps` steps take. After an atom has moved too far, kernels wait for
  /// lists, and before a step with sums they wait for the next check: on average half of the
  /// kernels between two checks. A few idle kernels cost less than another round trip to the host
  /// for the steps that are left.
  [[nodiscard]] std::int64_t kernels_for(std::int64_t steps) const {
    const double rows_a_step = rows_.first < 0 ? 0 : 1 / static_cast<double>(rows_.every);
    const double waits =
        (rebuilds_a_step_ + rows_a_step) * static_cast<double>(steps * (steps_per_check() - 1)) / 2;
    return steps + (waits > 0 ? static_cast<std::int64_t>(1.3 * waits) + steps_per_check() : 0);
  }

  /// Puts kernels for the remaining steps into the queue, at most most_at_once().
  void put() {
    const std::int64_t wanted = kernels_for(steps_ - planned_);
    std::int64_t kernels = 0;
    const std::int64_t now = std::min(wanted, most_at_once());
    for (std::size_t g = 0; g < graphs_.size(); ++g)
      for (; now - kernels >= lengths[g] || (g + 1 == graphs_.size() && now > kernels);
           kernels += lengths[g])
        steps_graph(g).run();
    planned_ = now < wanted ? planned_ + now * (steps_ - planned_) / wanted : steps_;
    enqueue_status_copy();
  }

  void enqueue_status_copy() {
    status_copies_[next_ % 2]->start(progress_.data());
    expected_[next_ % 2] = planned_;
    ++next_;
  }

  /// Waits for the oldest status copy and reads it.
  void poll_status() {
    const auto& progress = *static_cast<const VerletProgress*>(status_copies_[oldest_ % 2]->wait());
    status_ = progress.status;
    done_ = status_.done[1];
    if (done_ > 0)
      rebuilds_a_step_ = static_cast<double>(status_.rebuilds) / static_cast<double>(done_);
    // The expected numbers of steps for the rest of the queue change by the same difference.
    const std::int64_t more = done_ - expected_[oldest_ % 2];
    ++oldest_;
    planned_ += more;
    if (oldest_ < next_) expected_[oldest_ % 2] += more;
    for (; rows_taken_ < status_.rows; ++rows_taken_) {
      const VerletProgress::Row& row = progress.rows[rows_taken_ % kept_rows];
      md::StepSums& sums = sums_.emplace_back();
      sums.steps = row.steps;
      const double* value = row.values;
      sums.energy = *value++;
      for (auto* part : {&sums.virial, &sums.kinetic})
        for (double& number : *part)
          number = *value++;
      for (double& number : sums.momentum)
        number = *value++;
    }
  }

  [[nodiscard]] TaskGraph& steps_graph(std::size_t g) {
    if (!graphs_[g])
      graphs_[g] = graph([&](TaskRecorder& recorder) {
        const std::int64_t part = std::min(steps_per_check(), lengths[g]);
        for (std::int64_t s = 0; s < lengths[g]; s += part) {
          recorder.work([&] {
            for (std::int64_t t = s; t < s + part; ++t)
              step(static_cast<int>(t % 2));
          });
          record_look(recorder, static_cast<int>((s + part - 1) % 2));
        }
      });
    return *graphs_[g];
  }

  void step(int parity) const {
    Atom* const packed[2] = {lists_.packed, other_packed_.data()};
    if (!has_others()) {
      Move move = move_of<Coordinates>(parity);
      move.next = packed[1 - parity];
      lists_.step(&move, packed[parity], false, false);
      return;
    }
    add_forces();
    with_coordinates([&](const auto& coordinates) {
      using Any = CoordinatesOf<decltype(coordinates)>;
      VerletMoveWithOthers<Any, Storage> move{
          move_of<Any>(parity), recorded_.added == nullptr ? nullptr : forces_.data(), bath()};
      move.next = packed[1 - parity];
      if (is_balanced())
        launch("sum noise", sum_noise<Any, Storage>,
               blocks_for(lists_.atoms, noise_per_thread * atoms_block), atoms_block, 0,
               space_.stream())(move, move.bath);
      if (!moves_apart()) {
        lists_.step(&move, packed[parity], true, move.added != nullptr && !is_balanced());
        return;
      }
      compute_forces(packed[parity], move.gate());
      auto* kernel = move_atoms<Bath::none, Any, Storage>;
      if (is_balanced())
        kernel = move_atoms<Bath::balanced, Any, Storage>;
      else if (recorded_.bath)
        kernel = move_atoms<Bath::free, Any, Storage>;
      launch("move atoms", kernel, blocks_for(lists_.atoms, atoms_block), atoms_block, 0,
             space_.stream())(move, coordinates, forces_.data(), move.bath);
    });
  }

  /// Computes the forces that are added to those of the pairs.
  void add_forces() const {
    if (recorded_.added != nullptr)
      recorded_.added->execute({{place_.data(), {lists_.atoms}},
                                rows_of<const Storage>(now().positions),
                                rows_of(forces_.data()),
                                {now().rows, {lists_.atoms}}});
  }

  /// Computes all forces after add_forces().
  void compute_forces(const Atom* packed, const StepGate& gate) const {
    lists_.forces(packed, numbers_.data(), rows_of(forces_.data()), recorded_.added != nullptr,
                  gate);
  }

  void step_with_sums() const {
    const std::int64_t n = lists_.atoms;
    VerletRow<Coordinates> row{
        {lists_.packed, other_packed_.data()}, recorded_.rows.masses, row_parts_.data()};
    lists_.row(move_of<Coordinates>(0), row);
    launch("finish row", finish_row<Atom>, 1 + blocks_for(n, finish_block), finish_block, 0,
           space_.stream())(n, progress_.data(), row.packed[0], row.packed[1], row.parts,
                            lists_.row_blocks, lists_.pair_unit);
  }

  template <class AnyCoordinates>
  [[nodiscard]] VerletMove<AnyCoordinates, Storage> move_of(int parity) const {
    VerletMove<AnyCoordinates, Storage> move;
    move.positions = now().positions;
    move.velocities = now().velocities;
    move.built = kept().positions;
    move.atoms = lists_.atoms;
    move.next = nullptr;
    move.rows = now().rows;
    move.mass_class = mass_class();
    move.force_to_accel = recorded_.force_to_accel;
    move.signed_time_step = recorded_.time_step;
    move.time_step = static_cast<Storage>(recorded_.time_step);
    move.half_kick = half_kick_;
    move.fastest = static_cast<Storage>(recorded_.longest_step / std::abs(recorded_.time_step));
    move.allowed_sq = allowed_sq();
    move.status = status();
    move.parity = parity;
    return move;
  }

  /// Records a check, which does the work that VerletStatus::wanted requests.
  void record_look(TaskRecorder& recorder, int parity) {
    std::vector<std::function<void()>> works{[this, parity] { rebuild(parity); }};
    if (rows_.first >= 0) works.push_back([this] { step_with_sums(); });
    recorder.conditional_work(&status()->wanted, works);
  }

  void rebuild(int parity) {
    const std::int64_t n = lists_.atoms;
    const unsigned blocks = blocks_for(n, atoms_block);
    const md::WrapArgs<Storage> atoms{rows_of(now().positions), rows_of(now().images), lists_.box};
    if (lists_.box.tilted())
      sort_cells(md::WrapTiltedAtom<Storage>{atoms, md::rounding_of_shares<Storage>(lists_.box)});
    else
      sort_cells(md::WrapAtom<Storage>{atoms});
    launch("sort atoms", sort_atoms<Storage>, blocks, atoms_block, 0, space_.stream())(
        n, lists_.cells->order(), now(), kept(), status());
    with_coordinates([&](const auto& coordinates) {
      launch("settle atoms", refresh_atoms<CoordinatesOf<decltype(coordinates)>, Storage>, blocks,
             atoms_block, 0, space_.stream())(n, kept(), now(), lists_.cells->order_to_write(),
                                              kinds(coordinates), lists_.grid, lists_.layers,
                                              lists_.offsets, lists_.statistics, status());
    });
    lists_.search(rows_of<const Storage>(now().positions), recorded_.charges, now().rows);
    launch("end rebuild", end_rebuild, 1, 1, 0, space_.stream())(
        status(), lists_.statistics, lists_.capacity, lists_.groups, lists_.rounds,
        lists_.layers.all(), parity);
  }

  /// Folds the atoms into the box and sorts them by cell.
  template <class Fold>
  void sort_cells(const Fold& fold) {
    lists_.cells->build_by(lists_.atoms, lists_.grid,
                           [&](std::uint32_t* keys, std::int32_t* places) {
                             return FoldAndKey<Fold>{fold, now().rows, lists_.grid, keys, places};
                           });
  }

  void store(const Args& args, const AtomArrays<Storage>& from) {
    const CurrentDevice current(space_.ordinal());
    const std::int64_t n = lists_.atoms;
    launch("give atoms", store_atoms<Storage>, blocks_for(n, atoms_block), atoms_block, 0,
           space_.stream())(n, args, from, args.bath ? args.bath->heat : View<double, 1>());
  }

  Space space_;
  Stream stream_;
  Buffer<Storage, Space> moving_;
  Buffer<std::int32_t, Space> flags_;
  Buffer<Atom, Space> other_packed_;
  Buffer<double, Space> row_parts_;
  Buffer<Storage, Space> forces_;        ///< if moves_apart(): in cell order
  Buffer<std::int32_t, Space> numbers_;  ///< if moves_apart(): 0, 1, 2, ...
  Buffer<std::int32_t, Space> place_;    ///< with added forces: place of each of the caller's rows
  Buffer<std::int64_t, Space> ids_;      ///< in a bath: in cell order
  Buffer<double, Space> heat_;           ///< in a bath: now and kept
  Buffer<md::NoiseSum, Space> noise_sums_;  ///< in a balanced bath
  Buffer<VerletProgress, Space> progress_;
  std::unique_ptr<AsyncHostCopy> status_copies_[2];
  std::array<std::unique_ptr<TaskGraph>, std::size(lengths)> graphs_;
  Args recorded_;  ///< arguments for which the graphs were recorded
  Lists lists_;
  Storage half_kick_ = 0;     ///< of all atoms, where they have one mass
  double largest_noise_ = 0;  ///< in a balanced bath: largest product of half_mass and noise
  VerletStatus status_ = {};
  double rebuilds_a_step_ = 0;  ///< rebuilds per step, by the last status that the host read
  std::int64_t listed_ = -1;
  md::StepRows rows_;
  std::vector<md::StepSums> sums_;  ///< sums that take_sums() has not returned yet
  std::int64_t rows_taken_ = 0;     ///< number of rows that the host has read since begin()
  std::int64_t steps_ = 0;          ///< number of steps to do
  std::int64_t done_ = 0;           ///< number of steps done, by the last status that the host read
  std::int64_t planned_ = 0;        ///< expected number of steps done when the queue is empty
  std::int64_t expected_[2] = {};  ///< planned_ when each copy of the status was put into the queue
  std::int64_t oldest_ = 0;        ///< number of the oldest copy of the status not yet read
  std::int64_t next_ = 0;          ///< number of the next copy of the status
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_VERLET_RUN_CUH
