#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tessera/backends/openmp/execution/threads.hpp>
#include <tessera/backends/openmp/pair_force_cluster/cluster_engine.hpp>
#include <tessera/backends/openmp/pair_force_cluster/cluster_kernels.hpp>
#include <tessera/backends/openmp/pair_force_cluster/cluster_list.hpp>
#include <tessera/backends/openmp/pair_force_cluster/coordinates.hpp>
#include <tessera/backends/openmp/pair_force_cluster/findings.hpp>
#include <tessera/backends/openmp/pair_force_cluster/force_store.hpp>
#include <tessera/backends/openmp/pair_force_cluster/lane_count.hpp>
#include <tessera/backends/openmp/pair_force_cluster/scaled_table.hpp>
#include <tessera/backends/openmp/pair_force_cluster/shifts.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/md/neighbor/cutoff_classes.hpp>
#include <tessera/md/pair_force/largest_charge.hpp>
#include <tessera/md/pair_form/pair_table.hpp>

namespace tessera::openmp::cluster {
namespace {

/// The range of a fixed-point coordinate in list radii: at least the first, the second where its
/// quantum would be too coarse. Clusters extend over 4 radii at most, so that atoms of two in reach
/// are less than 9.5 apart and wrap around in neither; padding lies half the range away. Boxes of
/// clusters are rounded by a millionth of the extent, so that those of wide systems need the first.
constexpr double kRange = 32;
constexpr double kLeastRange = 21;
constexpr double kWide = 4e5;

/// A coarser quantum than this part of the shortest length costs digits of the forces.
constexpr double kFine = 1e-6;

/// What rounding leaves of the forces counts in the virial by how far atoms are from the middle,
/// instead of from each other; atoms are many where that may be further than this part of the list
/// radius times the square root of their number.
constexpr double kNearMiddle = 0.25;

}  // namespace

template <class Storage, class T>
class ClusterEngine<Storage, T>::Implementation {
 public:
  Implementation(const md::PairForm& form, const md::FormRow& row, const Policy& policy)
      : kernels_(cluster::kernels<T>(policy.lanes)),
        list_(policy.chunk_clusters),
        policy_(policy),
        form_(form),
        pair_loops_(row.as<ForceRow<T>*>()(policy.lanes)) {}

  Finding prepare(const ClusterInput<Storage>& input, View<const double, 3> coefficients,
                  double skin);
  Finding execute(const ClusterInput<Storage>& input, const ForceOutput<Storage>& forces,
                  double* energy, double* virial);

  const Kernels<T>& kernels_;
  ClusterOrder order_;
  ClusterList<T> list_;
  Shifts shifts_;

 private:
  /// What each thread reports, on cache lines of its own.
  struct alignas(64) Report {
    double tally[7];
    double image_forces[kShifts][3];
    double poison;    ///< 0, or NaN once a coordinate is not finite
    bool suspicious;  ///< a force is not finite or beyond belief
  };

  [[nodiscard]] AtomGroups group_atoms(const ClusterInput<Storage>& input,
                                       const md::CutoffClasses& classes, double skin);
  void set_moves();
  double load(const ClusterInput<Storage>& input, std::int64_t first, std::int64_t last);
  template <int Lanes, bool Tilted>
  double load(const ClusterInput<Storage>& input, std::int64_t first, std::int64_t last);
  [[nodiscard]] Tallied tallied(bool energy, bool virial) const {
    if (virial && !near_middle_) return Tallied::all;
    return energy || virial ? Tallied::energy : Tallied::none;
  }
  /// Wrapping and rounding can part atoms that the caller put at one place by so much.
  [[nodiscard]] Coordinate<T> tolerance() const {
    return std::is_same_v<T, float> ? Coordinate<T>(2)
                                    : static_cast<Coordinate<T>>(1e-9 * list_radius_);
  }
  [[nodiscard]] Finding find_fault(const ClusterInput<Storage>& input) const {
    return investigate(input,
                       ListedAtoms<T>{order_, list_, coordinates_.data(), classes_, tolerance()});
  }
  [[nodiscard]] std::int64_t first_cluster(int thread) const {
    return std::min(order_.clusters(), list_.first_cluster(list_.first_chunk(thread)));
  }

  Policy policy_;
  md::PairForm form_;
  const ForceKernels<T>& pair_loops_;
  ScaledTable<Storage, T> table_;
  md::CutoffClasses classes_;
  int threads_ = 1;
  double list_radius_ = 0;
  double range_ = kRange;
  bool near_middle_ = false;
  double middle_[3] = {};
  Scale<T> scale_;
  Coordinate<T> moves_[kShifts][3] = {};  ///< shifts in the unit of coordinates
  ForceArguments<T> arguments_{};
  ScratchArray<std::int32_t> grouped_atoms_;
  ScratchArray<Coordinate<T>> coordinates_;
  ScratchArray<TypeIndex<T>> types_;
  ScratchArray<T> charges_;
  std::vector<ScratchArray<T>>
      forces_;  ///< one per thread; only chunks it touches are ever written
  std::vector<Report> reports_;
};

/// The atoms of each class of types, in their order. Those that see furthest come first: an early
/// cluster has a row for each atom, and the later ones that it meets are entries.
template <class Storage, class T>
AtomGroups ClusterEngine<Storage, T>::Implementation::group_atoms(
    const ClusterInput<Storage>& input, const md::CutoffClasses& classes, double skin) {
  static_assert(md::CutoffClasses::most <= kMaxGroups);
  AtomGroups groups;
  groups.count = classes.count;
  for (int group = 0; group < classes.count; ++group) {
    const double width = classes.width(classes.count - 1 - group, skin);
    groups.radius[group] = width > 0 ? width : list_radius_;
  }
  groups.begin[groups.count] = input.atoms;
  if (classes.count == 1) return groups;
  const auto group_of = [&](std::int64_t i) {
    const auto type = static_cast<std::size_t>(input.type[i * input.type_stride]);
    return classes.count - 1 - classes.of_type[type];
  };
  std::int64_t next[kMaxGroups + 1] = {};
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
void ClusterEngine<Storage, T>::Implementation::set_moves() {
  for (int code = 0; code < kShifts; ++code)
    for (int d = 0; d < 3; ++d)
      moves_[code][d] = scale_.distance(shifts_.vector(code)[d]);
}

/// Places and charges of clusters and their images. Returns 0, or NaN where a coordinate is not
/// finite.
template <class Storage, class T>
double ClusterEngine<Storage, T>::Implementation::load(const ClusterInput<Storage>& input,
                                                       std::int64_t first, std::int64_t last) {
  return with_lanes(order_.lanes(), [&](auto lanes) {
    return input.box.tilted() ? load<lanes(), true>(input, first, last)
                              : load<lanes(), false>(input, first, last);
  });
}

template <class Storage, class T>
template <int Lanes, bool Tilted>
double ClusterEngine<Storage, T>::Implementation::load(const ClusterInput<Storage>& input,
                                                       std::int64_t first, std::int64_t last) {
  const std::int32_t* atoms = order_.atom();
  const Folded<Storage> folded(input, order_);
  const Scale<T> scale = scale_;
  const int clusters_ahead = policy_.atoms_ahead / Lanes;
  const Coordinate<T> away = scale.distance(list_radius_ * range_ / 2);
  const double per_charge = 1 / table_.units().charge;
  double bad[Lanes] = {};  // of each lane: one sum would have them wait for each other
  for (std::int64_t c = first; c < last; ++c) {
    // Atoms lie in the caller's order: their lines are asked for ahead.
    const std::int64_t ahead = c + clusters_ahead;
    for (int lane = 0; lane < Lanes && ahead < last; ++lane) {
      const std::int64_t atom = atoms[ahead * Lanes + lane];
      input.positions.prefetch(atom);
      if (input.charge != nullptr) __builtin_prefetch(input.charge + atom * input.charge_stride);
    }
    double x[3][Lanes];
    const bool shifted = order_.shifted()[c] != 0;
    for (int lane = 0; lane < Lanes; ++lane)
      for (int d = 0; d < 3; ++d)
        x[d][lane] = folded.template at<Tilted>(c * Lanes + lane, d, shifted);
    Coordinate<T>* __restrict block = coordinates_.data() + c * 3 * Lanes;
    for (int d = 0; d < 3; ++d)
      for (int lane = 0; lane < Lanes; ++lane)
        block[d * Lanes + lane] = scale.coordinate(x[d][lane], d, bad[lane]);
    for (int lane = order_.count()[c]; lane < Lanes; ++lane)
      block[lane] = wrapping_sum(block[lane], away);
    const bool charged = input.charge != nullptr;
    T* charges = charged ? charges_.data() + c * Lanes : nullptr;
    for (int lane = 0; charged && lane < Lanes; ++lane)
      charges[lane] = static_cast<T>(
          static_cast<double>(input.charge[atoms[c * Lanes + lane] * input.charge_stride]) *
          per_charge);
    list_.images().of_cluster(c, [&](std::int64_t image) {
      const Coordinate<T>* move = moves_[list_.images().code(image)];
      Coordinate<T>* __restrict moved = coordinates_.data() + image * 3 * Lanes;
      for (int d = 0; d < 3; ++d)
        for (int lane = 0; lane < Lanes; ++lane)
          moved[d * Lanes + lane] = wrapping_sum(block[d * Lanes + lane], move[d]);
      if (charged) std::copy_n(charges, Lanes, charges_.data() + image * Lanes);
    });
  }
  return std::accumulate(bad, bad + Lanes, 0.0);
}

template <class Storage, class T>
Finding ClusterEngine<Storage, T>::Implementation::prepare(const ClusterInput<Storage>& input,
                                                           View<const double, 3> coefficients,
                                                           double skin) {
  if (input.atoms > std::numeric_limits<std::int32_t>::max()) {
    throw ArgumentError("openmp.cluster holds at most 2147483647 atoms, not " +
                        std::to_string(input.atoms));
  }
  threads_ = openmp::threads();
  if (policy_.threads > 0) threads_ = std::min(threads_, policy_.threads);
  list_radius_ = md::largest_cutoff(form_, coefficients) + skin;
  classes_ = md::cutoff_classes(form_, coefficients);
  const md::CutoffClasses& classes = classes_;
  order_.build(input.positions, group_atoms(input, classes, skin), input.box,
               {kernels_.lanes, policy_.column_width, policy_.atoms_ahead}, threads_);
  if (const Finding far = find_far(input, order_); far.kind != Finding::Kind::none) return far;
  if constexpr (std::is_same_v<T, float>) {
    // A power of two where it can be, so that coordinates that are short in binary stay exact.
    scale_.quantum = std::exp2(std::ceil(std::log2(list_radius_ * kRange)) - 32);
    range_ = kRange;
    const double shortest = md::shortest_length(form_, coefficients);
    // What is given as floats is coarser yet, and exact in powers of two.
    const bool given_in_double = std::is_same_v<Storage, double>;
    const bool wide =
        std::max({order_.extent(0), order_.extent(1), order_.extent(2)}) > kWide * list_radius_;
    if (given_in_double && !wide && shortest > 0 && scale_.quantum > kFine * shortest) {
      scale_.quantum = std::ldexp(list_radius_ * kLeastRange, -32);
      range_ = kLeastRange;
    }
    scale_.inverse = 1 / scale_.quantum;
    for (int d = 0; d < 3; ++d) {
      scale_.origin[d] = order_.origin(d);
      constexpr double most_quanta = 0x1p50;
      if (order_.extent(d) > most_quanta * scale_.quantum)
        throw ArgumentError("md/pair_force", "positions",
                            "the atoms spread over " + rounded_number(order_.extent(d)) +
                                " along " + "xyz"[d] + ", expected at most " +
                                rounded_number(most_quanta * scale_.quantum) +
                                ": too far for coordinates of 32 bits; take openmp.portable, or "
                                "double");
    }
  }
  double extent = 0;
  for (int d = 0; d < 3; ++d) {
    middle_[d] = order_.origin(d) + order_.extent(d) / 2;
    extent = std::max(extent, order_.extent(d));
  }
  near_middle_ = extent <= kNearMiddle * list_radius_ * std::sqrt(static_cast<double>(input.atoms));
  double largest_charge = 0;
  if (std::is_same_v<T, float> && input.charge != nullptr) {
    const md::ChargeMagnitude<Storage> magnitude{
        {input.charge, {input.atoms}, {input.charge_stride}}};
    for (std::int64_t i = 0; i < input.atoms; ++i)
      magnitude(i, largest_charge);
  }
  table_.set(form_, coefficients, largest_charge, scale_.quantum, kernels_.lanes,
             pair_loops_.typed_numbers);
  table_.give(arguments_);
  shifts_ = Shifts(input.box);
  set_moves();

  double between[kMaxGroups][kMaxGroups] = {};
  for (int a = 0; a < classes.count; ++a)
    for (int b = 0; b < classes.count; ++b)
      between[a][b] = classes.reach(classes.count - 1 - a, classes.count - 1 - b, skin);
  list_.begin(order_, shifts_, between, threads_);

  const std::int64_t clusters = order_.clusters();
  const int lanes = kernels_.lanes;
  const auto slots = static_cast<std::size_t>(list_.images().end() * lanes);
  coordinates_.require(3 * slots);
  types_.require(slots);
  charges_.require(form_.reads_charge() ? slots : 0);
  reports_.resize(static_cast<std::size_t>(threads_));
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::int64_t part = 0; part < threads_; ++part) {
    const std::int64_t first = clusters * part / threads_;
    const std::int64_t last = clusters * (part + 1) / threads_;
    reports_[static_cast<std::size_t>(part)].poison = load(input, first, last);
    if (table_.types() == 1) continue;
    for (std::int64_t slot = first * lanes; slot < last * lanes; ++slot)
      types_[static_cast<std::size_t>(slot)] = input.type[order_.atom()[slot] * input.type_stride];
    for (std::int64_t c = first; c < last; ++c)
      list_.images().of_cluster(c, [&](std::int64_t image) {
        std::copy_n(types_.data() + c * lanes, lanes, types_.data() + image * lanes);
      });
  }
  arguments_.coordinates = coordinates_.data();
  arguments_.types = types_.data();
  arguments_.charges = charges_.data();
  arguments_.counts = order_.count();

  const double radius = list_radius_ * scale_.inverse;
  // The float of the squared radius may fall short of it by half a unit.
  constexpr double wider = 1 + 1e-6;
  std::vector<T> radii_squared;
  for (const double squared : classes.squared_reaches(skin))
    radii_squared.push_back(static_cast<T>(squared * scale_.inverse * scale_.inverse * wider));
  const FilterArguments<T> filter{coordinates_.data(),
                                  order_.count(),
                                  static_cast<T>(radius * radius * wider),
                                  types_.data(),
                                  classes.uniform ? nullptr : radii_squared.data(),
                                  classes.types};
  list_.build(order_, kernels_, shifts_, between, filter, threads_);
  if (input.exclusions.given()) {
    const std::int64_t wrong = list_.exclude(order_, input.exclusions, input.atoms, threads_);
    if (wrong >= 0) return {Finding::Kind::excluded, wrong, -1};
  }
  forces_.resize(static_cast<std::size_t>(threads_));
  for (auto& buffer : forces_)
    buffer.require(3 * slots);

  bool suspicious = list_.closest_squared() <= static_cast<T>(3 * tolerance() * tolerance());
  for (const Report& report : reports_)
    suspicious |= report.poison != 0;
  return suspicious ? find_fault(input) : Finding{};
}

template <class Storage, class T>
Finding ClusterEngine<Storage, T>::Implementation::execute(const ClusterInput<Storage>& input,
                                                           const ForceOutput<Storage>& forces,
                                                           double* energy, double* virial) {
  const Tallied tally = tallied(energy != nullptr, virial != nullptr);
  const bool by_forces = virial != nullptr && tally == Tallied::energy;
  shifts_.follow(input.box);
  set_moves();
  const auto force =
      pair_loops_.force[static_cast<int>(table_.type_count())][static_cast<std::size_t>(tally)];
  const int lanes = kernels_.lanes;
  const ForceSums<Storage, T> added{order_,
                                    list_,
                                    coordinates_.data(),
                                    forces_,
                                    table_.separation_unit(),
                                    table_.force_unit(),
                                    arguments_.virial_unit * scale_.inverse,
                                    {middle_[0], middle_[1], middle_[2]},
                                    policy_.atoms_ahead};
#pragma omp parallel num_threads(threads_)
  {
    // The team may be smaller than asked for; the shares, and so the sums, stay the same.
    const int member = omp_get_thread_num();
    const int team = omp_get_num_threads();
    for (int t = member; t < threads_; t += team) {
      reports_[static_cast<std::size_t>(t)].poison =
          load(input, first_cluster(t), first_cluster(t + 1));
      T* buffer = forces_[static_cast<std::size_t>(t)].data();
      for (const std::uint32_t chunk : list_.touched(t)) {
        const std::int64_t first = list_.first_cluster(chunk);
        const std::int64_t last = list_.end_cluster(chunk);
        std::fill(buffer + first * 3 * lanes, buffer + last * 3 * lanes, T(0));
      }
    }
#pragma omp barrier
    for (int t = member; t < threads_; t += team) {
      Report& report = reports_[static_cast<std::size_t>(t)];
      std::fill(report.tally, report.tally + 7, 0.0);
      for (auto& of_shift : report.image_forces)
        std::fill(of_shift, of_shift + 3, 0.0);
      ForceArguments<T> arguments = arguments_;
      arguments.forces = forces_[static_cast<std::size_t>(t)].data();
      arguments.tally = report.tally;
      for (std::int64_t c = list_.first_chunk(t); c < list_.first_chunk(t + 1); ++c) {
        force(arguments, list_.chunk(c));
      }
      fold_images(list_, lanes, t, arguments.forces, by_forces ? report.image_forces : nullptr);
      if (by_forces)
        add_virial_of_images(shifts_, added.virial_unit, report.image_forces, report.tally + 1);
    }
#pragma omp barrier
    for (int t = member; t < threads_; t += team) {
      Report& report = reports_[static_cast<std::size_t>(t)];
      report.suspicious = store(added, input, forces, t, by_forces ? report.tally + 1 : nullptr);
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
  return suspicious ? find_fault(input) : Finding{};
}

template <class Storage, class T>
ClusterEngine<Storage, T>::ClusterEngine(const md::PairForm& form, const md::FormRow& row,
                                         const Policy& policy)
    : implementation_(std::make_unique<Implementation>(form, row, policy)) {}
template <class Storage, class T>
ClusterEngine<Storage, T>::~ClusterEngine() = default;
template <class Storage, class T>
ClusterEngine<Storage, T>::ClusterEngine(ClusterEngine&&) noexcept = default;
template <class Storage, class T>
ClusterEngine<Storage, T>& ClusterEngine<Storage, T>::operator=(ClusterEngine&&) noexcept = default;

template <class Storage, class T>
Finding ClusterEngine<Storage, T>::prepare(const ClusterInput<Storage>& input,
                                           View<const double, 3> coefficients, double skin) {
  return implementation_->prepare(input, coefficients, skin);
}

template <class Storage, class T>
Finding ClusterEngine<Storage, T>::execute(const ClusterInput<Storage>& input,
                                           const ForceOutput<Storage>& forces, double* energy,
                                           double* virial) {
  return implementation_->execute(input, forces, energy, virial);
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
const md::ImageRange& ClusterEngine<Storage, T>::images() const {
  return implementation_->order_.images();
}

template <class Storage, class T>
int ClusterEngine<Storage, T>::image_reach(int d) const {
  return implementation_->shifts_.most(d);
}

template class ClusterEngine<double, double>;
template class ClusterEngine<double, float>;
template class ClusterEngine<float, float>;

}  // namespace tessera::openmp::cluster
