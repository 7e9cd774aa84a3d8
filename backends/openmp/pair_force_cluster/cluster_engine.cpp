#include "backends/openmp/pair_force_cluster/cluster_engine.hpp"

#include "backends/openmp/execution/threads.hpp"
#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"
#include "backends/openmp/pair_force_cluster/cluster_list.hpp"
#include "backends/openmp/pair_force_cluster/cluster_positions.hpp"
#include "backends/openmp/pair_force_cluster/faults.hpp"
#include "backends/openmp/pair_force_cluster/force_store.hpp"
#include "backends/openmp/pair_force_cluster/moving_clusters.hpp"
#include "backends/openmp/pair_force_cluster/scaled_table.hpp"
#include "backends/openmp/pair_force_cluster/shifts.hpp"
#include "core/base/error.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"
#include "physics/md/pair_force/largest_charge.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace tessera::openmp::cluster {
namespace {

/// Limit of the extent of the region, over the list radius times the square root of the number of
/// atoms, up to which the virial is computed from the forces on atoms. In that sum the rounding
/// errors of forces are multiplied by the distances of atoms from the middle, in place of those
/// between atoms.
constexpr double near_middle = 0.25;

}  // namespace

template <class Storage, class T>
class ClusterEngine<Storage, T>::Implementation {
 public:
  Implementation(const md::PairPotential& potential, const md::PairKernel& row,
                 const Parameters& parameters)
      : kernels_(cluster::kernels<T>(parameters.lanes)),
        list_(parameters.chunk_clusters),
        parameters_(parameters),
        potential_(potential),
        pair_loops_(row.as<ForceKernelFunction<T>*>()(parameters.lanes)) {}

  Fault prepare(const ClusterInput<Storage>& input, View<const double, 3> coefficients,
                double skin);
  Fault execute(const ClusterInput<Storage>& input, const ForceOutput<Storage>& forces,
                double* energy, double* virial);

  [[nodiscard]] bool can_step() const {
    return !has_ghosts() && potential_.central() && MovingClusters<Storage, T>::can_step(order_);
  }
  double load(const ClusterInput<Storage>& input, const md::FusedStepsArgs<Storage>& args);
  StepsDone step(std::int64_t most, double allowed, double longest_step);
  bool rebuild(const md::Box& box, const md::Box& reduced);
  /// step() in one parallel region. Forces that are added have been computed for the first step.
  StepsDone step_alone(std::int64_t most, double allowed, double longest_step);
  void store_atoms(const md::FusedStepsArgs<Storage>& args, bool when_listed) const {
    moving_.store_atoms(args, when_listed, threads_);
  }
  [[nodiscard]] std::int64_t furthest_atom() const { return moving_.furthest_atom(); }

  const Kernels<T>& kernels_;
  ClusterOrder order_;
  ClusterList<T> list_;
  Shifts shifts_;

 private:
  /// Results of a thread, on separate cache lines.
  struct alignas(64) Report {
    double tally[7];
    double image_forces[shift_count][3];
    double poison;       ///< 0, or NaN once a coordinate is not finite
    bool suspicious;     ///< result of store()
    double furthest_sq;  ///< largest squared displacement of atoms in fused steps
    md::NoiseSum noise;  ///< of the atoms of the thread, if it must carry no momentum
  };

  [[nodiscard]] bool has_ghosts() const { return target_clusters_ < order_.clusters(); }
  /// The class of the atoms of a group (group_atoms()).
  [[nodiscard]] int class_of(int group) const {
    return classes_.count - 1 - group % classes_.count;
  }
  [[nodiscard]] AtomGroups group_atoms(const ClusterInput<Storage>& input,
                                       const md::CutoffClasses& classes, double skin);
  /// The input with the values of atoms in the units of the pair loops.
  [[nodiscard]] ClusterInput<Storage> in_units(ClusterInput<Storage> input) const {
    input.values = input.values.in_units(table_.units());
    return input;
  }
  double load(const ClusterInput<Storage>& input, ClusterRange range) {
    return places_.load(in_units(input), order_, list_.images(), range, parameters_.atoms_ahead);
  }
  /// Updates the vectors of shifts for the box of an execute.
  void follow(const md::Box& box) {
    shifts_.follow(box);
    places_.set_moves(shifts_);
  }
  void add_forces(int thread, Tallied tally, bool by_forces);
  [[nodiscard]] ForceSums<Storage, T> force_sums() const {
    return {order_,
            list_,
            places_.coordinates(),
            forces_,
            table_.separation_unit(),
            table_.force_unit(),
            static_cast<Storage>(table_.units().energy),
            arguments_.virial_unit * places_.scale().inverse,
            {middle_[0], middle_[1], middle_[2]},
            target_clusters_,
            parameters_.atoms_ahead};
  }
  [[nodiscard]] double furthest() const;
  /// Makes the list for the present order.
  /// \param place place(range) sets coordinates and values of clusters, and returns 0 or NaN like
  ///   ClusterPositions::load().
  /// \returns result of ClusterList::exclude().
  template <class Place>
  std::int64_t make_list(const ClusterInput<Storage>& input, const Place& place);
  /// Whether, in the list just made, an atom may have a non-finite position or two atoms may be at
  /// one position.
  [[nodiscard]] bool is_suspicious() const;
  [[nodiscard]] Clustering clustering() const {
    return {kernels_.lanes, parameters_.column_width, parameters_.atoms_ahead};
  }
  [[nodiscard]] Tallied tallied(bool energy, bool virial) const {
    if (virial && !near_middle_) return Tallied::all;
    return energy || virial ? Tallied::energy : Tallied::none;
  }
  /// The distance by which wrapping and rounding can separate atoms of equal position.
  [[nodiscard]] Coordinate<T> tolerance() const {
    return std::is_same_v<T, float> ? Coordinate<T>(2)
                                    : static_cast<Coordinate<T>>(1e-9 * list_radius_);
  }
  [[nodiscard]] Fault locate_fault(const ClusterInput<Storage>& input) const {
    return investigate(input,
                       ListedAtoms<T>{order_, list_, places_.coordinates(), classes_, tolerance()});
  }
  /// The clusters of the chunks of a thread.
  [[nodiscard]] ClusterRange clusters_of(int thread) const {
    const auto first = [&](int t) {
      return static_cast<std::uint32_t>(
          std::min(order_.clusters(), list_.first_cluster(list_.first_chunk(t))));
    };
    return {first(thread), first(thread + 1)};
  }

  Parameters parameters_;
  md::PairPotential potential_;
  const ForceKernels<T>& pair_loops_;
  ScaledTable<Storage, T> table_;
  md::CutoffClasses classes_;
  int threads_ = 1;
  double list_radius_ = 0;
  bool near_middle_ = false;
  double middle_[3] = {};
  ClusterPositions<T> places_;
  ForceArguments<T> arguments_{};
  std::int64_t target_clusters_ = 0;  ///< clusters of targets; those of ghosts follow
  /// With ghosts, numbers of atoms by cluster: first those of targets and 0 for clusters of ghosts,
  /// then 0 for all. Pair loops add up the pairs in a cluster by these numbers.
  std::vector<std::uint8_t> target_counts_;
  ScratchArray<std::int32_t> grouped_atoms_;
  ScratchArray<TypeIndex<T>> types_;
  /// Force buffers, one per thread. Only chunks that a thread touches are written.
  std::vector<ScratchArray<T>> forces_;
  std::vector<Report> reports_;

  View<const double, 3> coefficients_;
  double skin_ = 0;
  AtomGroups groups_;
  MovingClusters<Storage, T> moving_;
  double moved_ = 0;       ///< largest displacement of an atom since the list was made
  std::int64_t made_ = 0;  ///< number of fused steps since load()
};

/// Makes a group of the atoms of each class of types, in the order of the caller. The class with
/// the longest cutoffs comes first, because the earlier cluster of a pair has the rows, one per
/// atom, and the later one is an entry. Groups of ghosts follow those of targets, so that ghosts
/// are entries only.
template <class Storage, class T>
AtomGroups ClusterEngine<Storage, T>::Implementation::group_atoms(
    const ClusterInput<Storage>& input, const md::CutoffClasses& classes, double skin) {
  static_assert(2 * md::CutoffClasses::most <= max_groups);
  AtomGroups groups;
  groups.count = input.ghosts > 0 ? 2 * classes.count : classes.count;
  for (int group = 0; group < groups.count; ++group) {
    const double width = classes.width(class_of(group), skin);
    groups.radius[group] = width > 0 ? width : list_radius_;
  }
  groups.begin[groups.count] = input.atoms;
  if (groups.count == 1) return groups;
  const auto group_of = [&](std::int64_t i) {
    const auto type = static_cast<std::size_t>(input.type[i * input.type_stride]);
    const int of_class = classes.count == 1 ? 0 : classes.of_type[type];
    return classes.count - 1 - of_class + (i < input.targets() ? 0 : classes.count);
  };
  std::int64_t next[max_groups + 1] = {};
  for (std::int64_t i = 0; i < input.atoms; ++i)
    ++next[group_of(i) + 1];
  for (int group = 0; group < groups.count; ++group) {
    next[group + 1] += next[group];
    groups.begin[group] = next[group];
  }
  grouped_atoms_.require(static_cast<std::size_t>(input.atoms));
  for (std::int64_t i = 0; i < input.atoms; ++i)
    grouped_atoms_[static_cast<std::size_t>(next[group_of(i)]++)] = static_cast<std::int32_t>(i);
  groups.atoms = grouped_atoms_.data();
  return groups;
}

template <class Storage, class T>
Fault ClusterEngine<Storage, T>::Implementation::prepare(const ClusterInput<Storage>& input,
                                                         View<const double, 3> coefficients,
                                                         double skin) {
  if (input.atoms > std::numeric_limits<std::int32_t>::max()) {
    throw ArgumentError("openmp.cluster holds at most 2147483647 atoms, not " +
                        std::to_string(input.atoms));
  }
  threads_ = openmp::threads();
  if (parameters_.threads > 0) threads_ = std::min(threads_, parameters_.threads);
  list_radius_ = md::largest_cutoff(potential_, coefficients) + skin;
  classes_ = md::cutoff_classes(potential_, coefficients);
  coefficients_ = coefficients;
  skin_ = skin;
  groups_ = group_atoms(input, classes_, skin);
  order_.build(input.positions, groups_, input.box, clustering(), threads_);
  target_clusters_ = order_.clusters();
  if (input.ghosts > 0)
    target_clusters_ = order_.column_begin()[order_.columns(classes_.count).first];
  if (const Fault far = find_far(input, order_); far.kind != Fault::Kind::none) return far;
  const std::int64_t wrong =
      make_list(input, [&](ClusterRange range) { return load(input, range); });
  if (wrong >= 0) return {Fault::Kind::excluded, wrong, -1};
  return is_suspicious() ? locate_fault(input) : Fault{};
}

template <class Storage, class T>
template <class Place>
std::int64_t ClusterEngine<Storage, T>::Implementation::make_list(
    const ClusterInput<Storage>& input, const Place& place) {
  const md::CutoffClasses& classes = classes_;
  places_.choose_scale(order_, list_radius_, md::shortest_length(potential_, coefficients_),
                       std::is_same_v<Storage, double>);
  const Scale<T>& scale = places_.scale();
  double extent = 0;
  for (int d = 0; d < 3; ++d) {
    middle_[d] = order_.origin(d) + order_.extent(d) / 2;
    extent = std::max(extent, order_.extent(d));
  }
  near_middle_ = extent <= near_middle * list_radius_ * std::sqrt(static_cast<double>(input.atoms));
  if (input.ghosts > 0)
    near_middle_ = false;  // a ghost's half of a pair does not follow from forces
  double largest_charge = input.largest_charge;
  if (std::is_same_v<T, float> && input.values.count > 0) {
    const md::ChargeMagnitude<Storage> magnitude =
        md::charge_magnitude(input.values, potential_, coefficients_);
    for (std::int64_t i = 0; i < input.atoms; ++i)
      magnitude(i, largest_charge);
  }
  table_.set(potential_, coefficients_, largest_charge, scale.quantum, kernels_.lanes,
             pair_loops_.typed_numbers);
  table_.set_in(arguments_);
  shifts_ = Shifts(input.box);
  places_.set_moves(shifts_);

  double between[max_groups][max_groups] = {};
  for (int a = 0; a < groups_.count; ++a)
    for (int b = 0; b < groups_.count; ++b)
      if (std::min(a, b) < classes.count)
        between[a][b] = classes.reach(class_of(a), class_of(b), skin_);
  list_.begin(order_, shifts_, between, threads_);

  const int lanes = kernels_.lanes;
  const auto slots = static_cast<std::size_t>(list_.images().end() * lanes);
  places_.require(list_.images().end(), lanes, input.values.count);
  types_.require(slots);
  reports_.resize(static_cast<std::size_t>(threads_));
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int part = 0; part < threads_; ++part) {
    const ClusterRange range = share_of(part, threads_, order_.clusters());
    reports_[static_cast<std::size_t>(part)].poison = place(range);
    if (table_.types() == 1) continue;
    for (std::int64_t slot = std::int64_t{range.begin} * lanes;
         slot < std::int64_t{range.end} * lanes; ++slot)
      types_[static_cast<std::size_t>(slot)] = input.type[order_.atom()[slot] * input.type_stride];
    for (std::int64_t c = range.begin; c < range.end; ++c)
      list_.images().of_cluster(c, [&](std::int64_t image) {
        std::copy_n(types_.data() + c * lanes, lanes, types_.data() + image * lanes);
      });
  }
  arguments_.coordinates = places_.coordinates();
  arguments_.types = types_.data();
  arguments_.values = places_.values();
  arguments_.counts = order_.count();

  const double radius = list_radius_ * scale.inverse;
  // Rounding to float may make the squared radius smaller by half a unit in the last place.
  constexpr double wider = 1 + 1e-6;
  std::vector<T> radii_squared;
  for (const double squared : classes.squared_reaches(skin_))
    radii_squared.push_back(static_cast<T>(squared * scale.inverse * scale.inverse * wider));
  const FilterArguments<T> filter{places_.coordinates(),
                                  order_.count(),
                                  static_cast<T>(radius * radius * wider),
                                  types_.data(),
                                  classes.uniform ? nullptr : radii_squared.data(),
                                  classes.types};
  list_.build(order_, kernels_, shifts_, between, filter, threads_);
  forces_.resize(static_cast<std::size_t>(threads_));
  for (auto& buffer : forces_)
    buffer.require(static_cast<std::size_t>(pair_loops_.sums) * slots);
  std::int64_t wrong = -1;
  if (input.exclusions.given())
    wrong = list_.exclude(order_, input.exclusions, input.atoms, threads_);
  if (has_ghosts()) {
    list_.separate(static_cast<std::uint32_t>(target_clusters_), threads_);
    target_counts_.assign(static_cast<std::size_t>(2 * order_.clusters()), 0);
    std::copy_n(order_.count(), target_clusters_, target_counts_.begin());
    arguments_.counts = target_counts_.data();
  }
  return wrong;
}

template <class Storage, class T>
bool ClusterEngine<Storage, T>::Implementation::is_suspicious() const {
  bool suspicious = list_.closest_squared() <= static_cast<T>(3 * tolerance() * tolerance());
  for (const Report& report : reports_)
    suspicious |= report.poison != 0;
  return suspicious;
}

/// Clears the force buffer of a thread and adds the forces of its chunks.
/// \param by_forces whether the virial is computed from the forces on atoms and images.
template <class Storage, class T>
void ClusterEngine<Storage, T>::Implementation::add_forces(int thread, Tallied tally,
                                                           bool by_forces) {
  const int lanes = kernels_.lanes;
  const int block = pair_loops_.sums * lanes;
  T* const buffer = forces_[static_cast<std::size_t>(thread)].data();
  for (const std::uint32_t chunk : list_.touched(thread)) {
    const std::int64_t first = list_.first_cluster(chunk);
    const std::int64_t last = list_.end_cluster(chunk);
    std::fill(buffer + first * block, buffer + last * block, T(0));
  }
  Report& report = reports_[static_cast<std::size_t>(thread)];
  std::fill(report.tally, report.tally + 7, 0.0);
  for (auto& of_shift : report.image_forces)
    std::fill(of_shift, of_shift + 3, 0.0);
  ForceArguments<T> arguments = arguments_;
  arguments.forces = buffer;
  arguments.tally = report.tally;
  const auto force =
      pair_loops_.force[static_cast<int>(table_.type_count())][static_cast<std::size_t>(tally)];
  for (std::int64_t c = list_.first_chunk(thread); c < list_.first_chunk(thread + 1); ++c)
    force(arguments, list_.chunk(c));
  if (has_ghosts()) {
    double with_ghosts[7] = {};
    arguments.tally = with_ghosts;
    arguments.counts = target_counts_.data() + order_.clusters();
    for (std::int64_t c = list_.first_chunk(thread); c < list_.first_chunk(thread + 1); ++c)
      force(arguments, list_.chunk_to_ghosts(c));
    for (int k = 0; k < 7; ++k)
      report.tally[k] += 0.5 * with_ghosts[k];
  }
  fold_images(list_, lanes, pair_loops_.sums, thread, buffer,
              by_forces ? report.image_forces : nullptr);
  if (by_forces)
    add_virial_of_images(shifts_, arguments_.virial_unit * places_.scale().inverse,
                         report.image_forces, report.tally + 1);
}

template <class Storage, class T>
Fault ClusterEngine<Storage, T>::Implementation::execute(const ClusterInput<Storage>& input,
                                                         const ForceOutput<Storage>& output,
                                                         double* energy, double* virial) {
  const Tallied tally = tallied(energy != nullptr, virial != nullptr);
  const bool by_forces = virial != nullptr && tally == Tallied::energy;
  follow(input.box);
  const ForceSums<Storage, T> added = force_sums();
#pragma omp parallel num_threads(threads_)
  {
    // The team may be smaller than requested; the shares, and so the sums, stay the same.
    const int member = omp_get_thread_num();
    const int team = omp_get_num_threads();
    for (int t = member; t < threads_; t += team)
      reports_[static_cast<std::size_t>(t)].poison = load(input, clusters_of(t));
#pragma omp barrier
    for (int t = member; t < threads_; t += team)
      add_forces(t, tally, by_forces);
#pragma omp barrier
    for (int t = member; t < threads_; t += team) {
      Report& report = reports_[static_cast<std::size_t>(t)];
      report.suspicious =
          store(added, input, output, pair_loops_.sums, t, by_forces ? report.tally + 1 : nullptr);
    }
  }
  double sums[7] = {};
  bool suspicious = false;
  for (const Report& report : reports_) {
    for (int k = 0; k < 7; ++k)
      sums[k] += report.tally[k];
    suspicious |= report.suspicious || report.poison != 0;
  }
  if (energy != nullptr) *energy = sums[0] * table_.units().energy;
  if (virial != nullptr)
    for (int c = 0; c < 6; ++c)
      virial[c] = sums[1 + c] * table_.units().energy;
  return suspicious ? locate_fault(input) : Fault{};
}

template <class Storage, class T>
double ClusterEngine<Storage, T>::Implementation::furthest() const {
  double square = 0;
  for (const Report& report : reports_)
    square = std::max(square, report.furthest_sq);
  return std::sqrt(square);
}

template <class Storage, class T>
double ClusterEngine<Storage, T>::Implementation::load(const ClusterInput<Storage>& input,
                                                       const md::FusedStepsArgs<Storage>& args) {
  follow(input.box);
  moving_.begin(input, order_, args);
  made_ = 0;
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
  for (int t = 0; t < threads_; ++t) {
    Report& report = reports_[static_cast<std::size_t>(t)];
    report.furthest_sq = moving_.load(order_, clusters_of(t), parameters_.atoms_ahead);
    if (load(input, clusters_of(t)) != 0)
      report.furthest_sq = std::numeric_limits<double>::infinity();
  }
  return moved_ = furthest();
}

template <class Storage, class T>
StepsDone ClusterEngine<Storage, T>::Implementation::step(std::int64_t most, double allowed,
                                                          double longest_step) {
  if (!moving_.adds_forces()) return step_alone(most, allowed, longest_step);
  StepsDone all;
  all.furthest = moved_;
  while (all.steps < most && all.furthest <= allowed && !all.blown_up) {
    moving_.add_forces();
    const StepsDone one = step_alone(1, allowed, longest_step);
    all = {all.steps + 1, one.furthest, one.blown_up};
  }
  return all;
}

template <class Storage, class T>
StepsDone ClusterEngine<Storage, T>::Implementation::step_alone(std::int64_t most, double allowed,
                                                                double longest_step) {
  const ForceSums<Storage, T> added = force_sums();
  StepsDone moves;
#pragma omp parallel num_threads(threads_)
  {
    const int member = omp_get_thread_num();
    const int team = omp_get_num_threads();
    // Every thread computes the same results and leaves the loop after the same step, so that no
    // further synchronization is needed.
    StepsDone mine;
    mine.furthest = moved_;
    const bool at_list = moving_.at_list();
    for (bool more = most > 0; more;) {
      typename MovingClusters<Storage, T>::Noise noise{made_ + mine.steps, {}};
      for (int t = member; t < threads_; t += team) {
        add_forces(t, Tallied::none, false);
        if (moving_.balances_noise())
          reports_[static_cast<std::size_t>(t)].noise =
              moving_.sum_noise(clusters_of(t), noise.step);
      }
#pragma omp barrier
      if (moving_.balances_noise())
        for (const Report& report : reports_)
          noise.of_all.join(report.noise);
      for (int t = member; t < threads_; t += team)
        reports_[static_cast<std::size_t>(t)].furthest_sq =
            moving_.step(added, places_, t, at_list && mine.steps == 0, noise);
#pragma omp barrier
      const double now = furthest();
      mine.blown_up = !(now - mine.furthest < longest_step);
      mine.furthest = now;
      ++mine.steps;
      more = mine.steps < most && now <= allowed && !mine.blown_up;
    }
    if (member == 0) moves = mine;
  }
  moved_ = moves.furthest;
  made_ += moves.steps;
  if (moves.steps > 0) moving_.leave_list();
  return moves;
}

template <class Storage, class T>
bool ClusterEngine<Storage, T>::Implementation::rebuild(const md::Box& box,
                                                        const md::Box& reduced) {
  moving_.set_box(reduced);
  const ClusterInput<Storage>& input = moving_.input();
  moving_.fold(box, threads_);
  order_.build(moving_.positions(), moving_.groups(groups_, threads_), input.box, clustering(),
               threads_);
  target_clusters_ = order_.clusters();
  moving_.reorder(order_, threads_);
  moved_ = 0;
  if (order_.may_have_far_atoms() || !can_step()) return false;
  const std::int64_t wrong = make_list(input, [&](ClusterRange range) {
    moving_.place(order_, list_.images(), places_, range);
    places_.load_values(in_units(input), order_, list_.images(), range);
    return 0.0;
  });
  return wrong < 0 && !is_suspicious();
}

template <class Storage, class T>
ClusterEngine<Storage, T>::ClusterEngine(const md::PairPotential& potential,
                                         const md::PairKernel& row, const Parameters& parameters)
    : implementation_(std::make_unique<Implementation>(potential, row, parameters)) {}
template <class Storage, class T>
ClusterEngine<Storage, T>::~ClusterEngine() = default;
template <class Storage, class T>
ClusterEngine<Storage, T>::ClusterEngine(ClusterEngine&&) noexcept = default;
template <class Storage, class T>
ClusterEngine<Storage, T>& ClusterEngine<Storage, T>::operator=(ClusterEngine&&) noexcept = default;

template <class Storage, class T>
Fault ClusterEngine<Storage, T>::prepare(const ClusterInput<Storage>& input,
                                         View<const double, 3> coefficients, double skin) {
  return implementation_->prepare(input, coefficients, skin);
}

template <class Storage, class T>
Fault ClusterEngine<Storage, T>::execute(const ClusterInput<Storage>& input,
                                         const ForceOutput<Storage>& forces, double* energy,
                                         double* virial) {
  return implementation_->execute(input, forces, energy, virial);
}

template <class Storage, class T>
bool ClusterEngine<Storage, T>::can_step() const {
  return implementation_->can_step();
}

template <class Storage, class T>
double ClusterEngine<Storage, T>::load(const ClusterInput<Storage>& input,
                                       const md::FusedStepsArgs<Storage>& args) {
  return implementation_->load(input, args);
}

template <class Storage, class T>
StepsDone ClusterEngine<Storage, T>::step(std::int64_t most, double allowed, double longest_step) {
  return implementation_->step(most, allowed, longest_step);
}

template <class Storage, class T>
bool ClusterEngine<Storage, T>::rebuild(const md::Box& box, const md::Box& reduced) {
  return implementation_->rebuild(box, reduced);
}

template <class Storage, class T>
void ClusterEngine<Storage, T>::store_atoms(const md::FusedStepsArgs<Storage>& args,
                                            bool when_listed) const {
  implementation_->store_atoms(args, when_listed);
}

template <class Storage, class T>
std::int64_t ClusterEngine<Storage, T>::furthest_atom() const {
  return implementation_->furthest_atom();
}

template <class Storage, class T>
const char* ClusterEngine<Storage, T>::instruction_set() const {
  return implementation_->kernels_.instruction_set;
}

template <class Storage, class T>
int ClusterEngine<Storage, T>::lanes() const {
  return implementation_->kernels_.lanes;
}

template <class Storage, class T>
std::int64_t ClusterEngine<Storage, T>::entries() const {
  return implementation_->list_.entries();
}

template <class Storage, class T>
std::int64_t ClusterEngine<Storage, T>::clusters() const {
  return implementation_->order_.clusters();
}

template <class Storage, class T>
void ClusterEngine<Storage, T>::report_images(md::SkinBudget& skin_budget) const {
  const Shifts& shifts = implementation_->shifts_;
  skin_budget.set_images(implementation_->order_.images(),
                         {shifts.most(0), shifts.most(1), shifts.most(2)});
}

template class ClusterEngine<double, double>;
template class ClusterEngine<double, float>;
template class ClusterEngine<float, float>;

}  // namespace tessera::openmp::cluster
