#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <tessera/backends/openmp/execution/threads.hpp>
#include <tessera/backends/openmp/pair_force_cluster/cluster_engine.hpp>
#include <tessera/backends/openmp/pair_force_cluster/cluster_kernels.hpp>
#include <tessera/backends/openmp/pair_force_cluster/cluster_list.hpp>
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

/// Adding this to a number below 2^51 leaves its nearest integer in the low bits of the mantissa.
constexpr double kRounder = 6755399441055744.0;

std::int32_t low_bits(double rounded) {
  std::uint64_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
}

/// From lengths to coordinates and back.
template <class T>
struct Scale {
  double quantum = 1;  ///< length of one unit
  double inverse = 1;
  double origin[3] = {0, 0, 0};

  /// Coordinate of a position; `poison` becomes NaN when the position is no finite number.
  [[nodiscard]] Coordinate<T> coordinate(double x, int d, double& poison) const {
    if constexpr (std::is_same_v<T, float>) {
      const double t = (x - origin[d]) * inverse;
      poison += t * 0;
      return low_bits(t + kRounder);
    } else {
      poison += x * 0;
      return x;
    }
  }
  [[nodiscard]] Coordinate<T> distance(double x) const {
    if constexpr (std::is_same_v<T, float>) {
      return low_bits(x * inverse + kRounder);
    } else {
      return x;
    }
  }
};

/// Positions as the order has them: in one brick of the box.
template <class Storage>
class Folded {
 public:
  Folded(const ClusterInput<Storage>& input, const ClusterOrder& order)
      : input_(input), atoms_(order.atom()), images_(order.image()) {
    for (int d = 0; d < 3; ++d)
      period_[d] = input.box.periodic[d] ? input.box.length[d] : 0;
  }

  template <bool Tilted>
  [[nodiscard]] double at(std::int64_t slot, int d, bool shifted) const {
    double x = input_.positions(atoms_[slot], d);
    if (shifted) {
      const std::int32_t* n = images_ + 3 * slot;
      x -= n[d] * period_[d];
      if (Tilted && d == 0) x -= n[1] * input_.box.tilt[0] + n[2] * input_.box.tilt[1];
      if (Tilted && d == 1) x -= n[2] * input_.box.tilt[2];
    }
    return x;
  }

 private:
  const ClusterInput<Storage>& input_;
  const std::int32_t* atoms_;
  const std::int32_t* images_;
  double period_[3];
};

/// The virial of all forces is sum x_a F_b over atoms, and the same over images of the forces on
/// them: nothing for a pair. What rounding leaves of the forces counts by how far atoms are from
/// the middle, instead of from each other; atoms are many where that may be further than this part
/// of the list radius times the square root of their number.
constexpr double kNearMiddle = 0.25;

/// A force beyond this makes execute look for atoms at one place.
template <class T>
constexpr T kSuspicious = std::is_same_v<T, float> ? T(1e30) : T(1e100);

/// Of positions and of forces: xx yy zz xy xz yz.
constexpr int virial_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/// Sums of the lanes of clusters.
using VirialOfLanes = double[6][kMaxLanes];

/// Sum and difference that wrap around in fixed point.
std::int32_t plus(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
double plus(double a, double b) {
  return a + b;
}
std::int32_t minus(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
double minus(double a, double b) {
  return a - b;
}

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

  void set_table(View<const double, 3> coefficients, double largest_charge);
  [[nodiscard]] AtomGroups group_atoms(const ClusterInput<Storage>& input,
                                       const md::CutoffClasses& classes, double skin);
  void set_shifts();
  template <bool Tilted>
  void load(const ClusterInput<Storage>& input, std::int64_t first, std::int64_t last,
            double& poison);
  void load(const ClusterInput<Storage>& input, std::int64_t first, std::int64_t last,
            double& poison);
  /// \param virial where not null, gets what follows from the forces.
  void store(const ClusterInput<Storage>& input, const ForceOutput<Storage>& forces, int thread,
             double* virial);
  void prefetch(const ClusterInput<Storage>& input, std::int64_t slot) const {
    const Storage* x = input.positions.data + order_.atom()[slot] * input.positions.atom_stride;
    __builtin_prefetch(x);
    __builtin_prefetch(x + 2 * input.positions.component_stride);
  }
  /// Adds sum x_a F_b over the atoms of a cluster.
  void add_virial(const ClusterInput<Storage>& input, std::int64_t cluster, const T* forces,
                  VirialOfLanes& virial) const;
  /// Adds the same over the images of clusters.
  void add_virial_of_images(const double (*forces)[3], double* virial) const;
  [[nodiscard]] Tallied tallied(bool energy, bool virial) const {
    if (virial && !near_middle_) return Tallied::all;
    return energy || virial ? Tallied::energy : Tallied::none;
  }
  /// Wrapping and rounding can part atoms that the caller put at one place by so much.
  [[nodiscard]] Coordinate<T> tolerance() const {
    return std::is_same_v<T, float> ? Coordinate<T>(2)
                                    : static_cast<Coordinate<T>>(1e-9 * list_radius_);
  }
  [[nodiscard]] Finding find_far(const ClusterInput<Storage>& input) const;
  [[nodiscard]] Finding investigate(const ClusterInput<Storage>& input) const;
  [[nodiscard]] std::int64_t first_cluster(int thread) const {
    return std::min(order_.clusters(), list_.first_cluster(list_.first_chunk(thread)));
  }

  Policy policy_;
  md::PairForm form_;
  const ForceKernels<T>& pair_loops_;
  md::PairUnits units_;
  md::CutoffClasses classes_;
  Storage separation_unit_ = 1;
  Storage force_unit_ = 1;
  int threads_ = 1;
  double list_radius_ = 0;
  double range_ = kRange;
  bool near_middle_ = false;
  double middle_[3] = {};
  Scale<T> scale_;
  std::vector<T> table_values_;
  ForceArguments<T> arguments_{};
  TypeCount type_count_ = TypeCount::one;
  ScratchArray<std::int32_t> grouped_atoms_;
  ScratchArray<Coordinate<T>> coordinates_;
  ScratchArray<TypeIndex<T>> types_;
  ScratchArray<T> charges_;
  std::vector<ScratchArray<T>>
      forces_;  ///< one per thread; only chunks it touches are ever written
  std::vector<Report> reports_;
};

template <class Storage, class T>
void ClusterEngine<Storage, T>::Implementation::set_table(View<const double, 3> coefficients,
                                                          double largest_charge) {
  const double q = scale_.quantum;
  constexpr Precision precision = std::is_same_v<T, double>        ? Precision::double_precision
                                  : std::is_same_v<Storage, float> ? Precision::single
                                                                   : Precision::mixed;
  const md::PackedPairs packed = md::packed_pairs(precision, form_, coefficients, largest_charge);
  units_ = packed.units;
  // F = (E / length^2) q times a separation in quanta. A product of both may be too small for a
  // float.
  separation_unit_ = static_cast<Storage>(q / units_.length);
  force_unit_ = static_cast<Storage>(units_.force());
  if constexpr (std::is_same_v<Storage, double>) force_unit_ *= separation_unit_;
  arguments_.unit_squared = static_cast<T>(units_.length * units_.length / (q * q));
  arguments_.inverse_unit_squared = static_cast<T>(q * q / (units_.length * units_.length));
  arguments_.virial_unit = q * q / (units_.length * units_.length);

  const int types = static_cast<int>(coefficients.extent(0));
  const int lanes = kernels_.lanes;
  PairTable<T>& table = arguments_.table;
  table.types = types;
  table.stride = (types + lanes - 1) / lanes * lanes;
  type_count_ = types == 1                                             ? TypeCount::one
                : types <= lanes                                       ? TypeCount::few
                : lanes > 1 && table.stride <= kSeveralVectors * lanes ? TypeCount::several
                                                                       : TypeCount::many;
  const std::size_t size = static_cast<std::size_t>(types) * static_cast<std::size_t>(table.stride);
  // Vectors load rows of tables: each table starts on a 64-byte boundary.
  constexpr std::size_t kLine = 64 / sizeof(T);
  const std::size_t padded = (size + kLine - 1) / kLine * kLine;
  const auto numbers = static_cast<std::size_t>(form_.table_width());
  table_values_.assign(numbers * padded + kLine, T(0));
  auto address = reinterpret_cast<std::uintptr_t>(table_values_.data());
  T* base = table_values_.data() + (64 - address % 64) % 64 / sizeof(T);
  const double* row = packed.table.data();
  for (int i = 0; i < types; ++i)
    for (int j = 0; j < types; ++j, row += numbers)
      for (std::size_t k = 0; k < numbers; ++k) {
        // Cutoffs are compared in the unit of the coordinates.
        const double unit = k == 0 ? units_.length * units_.length / (q * q) : 1;
        base[k * padded + static_cast<std::size_t>(i * table.stride + j)] =
            static_cast<T>(row[k] * unit);
      }
  for (std::size_t k = 0; k < numbers; ++k)
    table.numbers[k] = base + k * padded;
}

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
void ClusterEngine<Storage, T>::Implementation::set_shifts() {
  for (int code = 0; code < kShifts; ++code)
    for (int d = 0; d < 3; ++d)
      arguments_.shifts[code][d] = scale_.distance(shifts_.vector(code)[d]);
}

template <class Storage, class T>
void ClusterEngine<Storage, T>::Implementation::load(const ClusterInput<Storage>& input,
                                                     std::int64_t first, std::int64_t last,
                                                     double& poison) {
  if (input.box.tilted())
    load<true>(input, first, last, poison);
  else
    load<false>(input, first, last, poison);
}

template <class Storage, class T>
template <bool Tilted>
void ClusterEngine<Storage, T>::Implementation::load(const ClusterInput<Storage>& input,
                                                     std::int64_t first, std::int64_t last,
                                                     double& poison) {
  const int lanes = order_.lanes();
  const std::int32_t* atoms = order_.atom();
  const Folded<Storage> folded(input, order_);
  const int clusters_ahead = policy_.atoms_ahead / lanes;
  const Coordinate<T> away = scale_.distance(list_radius_ * range_ / 2);
  const double per_charge = 1 / units_.charge;
  double bad = 0;
  for (std::int64_t c = first; c < last; ++c) {
    // Atoms lie in the caller's order: their lines are asked for ahead.
    const std::int64_t ahead = c + clusters_ahead;
    for (int lane = 0; lane < lanes && ahead < last; ++lane)
      prefetch(input, ahead * lanes + lane);
    Coordinate<T>* block = coordinates_.data() + c * 3 * lanes;
    const int count = order_.count()[c];
    const bool shifted = order_.shifted()[c] != 0;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t slot = c * lanes + lane;
      for (int d = 0; d < 3; ++d)
        block[d * lanes + lane] =
            scale_.coordinate(folded.template at<Tilted>(slot, d, shifted), d, bad);
      if (lane >= count) block[lane] = plus(block[lane], away);
      if (input.charge != nullptr)
        charges_[static_cast<std::size_t>(slot)] = static_cast<T>(
            static_cast<double>(input.charge[atoms[slot] * input.charge_stride]) * per_charge);
    }
  }
  poison = bad;
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
  if (const Finding far = find_far(input); far.kind != Finding::Kind::none) return far;
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
  set_table(coefficients, largest_charge);
  shifts_ = Shifts(input.box);
  set_shifts();

  const std::int64_t clusters = order_.clusters();
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  const std::size_t slots = static_cast<std::size_t>(clusters) * lanes;
  coordinates_.require(3 * slots);
  types_.require(slots);
  charges_.require(form_.reads_charge() ? slots : 0);
  reports_.resize(static_cast<std::size_t>(threads_));
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::int64_t part = 0; part < threads_; ++part) {
    const std::int64_t first = clusters * part / threads_;
    const std::int64_t last = clusters * (part + 1) / threads_;
    load(input, first, last, reports_[static_cast<std::size_t>(part)].poison);
    if (arguments_.table.types == 1) continue;
    for (std::int64_t slot = first * kernels_.lanes; slot < last * kernels_.lanes; ++slot) {
      types_[static_cast<std::size_t>(slot)] = input.type[order_.atom()[slot] * input.type_stride];
    }
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
  const FilterArguments<T> filter{
      coordinates_.data(), order_.count(),
      arguments_.shifts,   static_cast<T>(radius * radius * wider),
      types_.data(),       classes.uniform ? nullptr : radii_squared.data(),
      classes.types};
  double between[kMaxGroups][kMaxGroups] = {};
  for (int a = 0; a < classes.count; ++a)
    for (int b = 0; b < classes.count; ++b)
      between[a][b] = classes.reach(classes.count - 1 - a, classes.count - 1 - b, skin);
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
  return suspicious ? investigate(input) : Finding{};
}

template <class Storage, class T>
void ClusterEngine<Storage, T>::Implementation::add_virial(const ClusterInput<Storage>& input,
                                                           std::int64_t cluster, const T* forces,
                                                           VirialOfLanes& virial) const {
  const int lanes = order_.lanes();
  double x[3][kMaxLanes];
  if constexpr (std::is_same_v<T, double>) {
    const double* const block = coordinates_.data() + cluster * 3 * lanes;
    for (int d = 0; d < 3; ++d)
      for (int lane = 0; lane < lanes; ++lane)
        x[d][lane] = block[d * lanes + lane] - middle_[d];
  } else {
    const Folded<Storage> folded(input, order_);
    const bool shifted = order_.shifted()[cluster] != 0;
    const bool tilted = input.box.tilted();
    for (int lane = 0; lane < lanes; ++lane)
      for (int d = 0; d < 3; ++d) {
        const std::int64_t slot = cluster * lanes + lane;
        x[d][lane] = (tilted ? folded.template at<true>(slot, d, shifted)
                             : folded.template at<false>(slot, d, shifted)) -
                     middle_[d];
      }
  }
  for (int k = 0; k < 6; ++k) {
    const double* const position = x[virial_axes[k][0]];
    const T* const force = forces + virial_axes[k][1] * lanes;
    for (int lane = 0; lane < lanes; ++lane)
      virial[k][lane] += position[lane] * static_cast<double>(force[lane]);
  }
}

template <class Storage, class T>
void ClusterEngine<Storage, T>::Implementation::add_virial_of_images(const double (*forces)[3],
                                                                     double* virial) const {
  const double unit = arguments_.virial_unit * scale_.inverse;
  for (int code = 0; code < kShifts; ++code)
    for (int k = 0; k < 6; ++k)
      virial[k] += unit * shifts_.vector(code)[virial_axes[k][0]] * forces[code][virial_axes[k][1]];
}

template <class Storage, class T>
void ClusterEngine<Storage, T>::Implementation::store(const ClusterInput<Storage>& input,
                                                      const ForceOutput<Storage>& forces,
                                                      int thread, double* virial) {
  constexpr int kMaxBlock = 3 * kMaxLanes;
  const int lanes = order_.lanes();
  const int block = 3 * lanes;
  const std::int32_t* atoms = order_.atom();
  bool suspicious = false;
  // Copies: forces might be what the members are, as far as a compiler sees.
  const Storage separation_unit = separation_unit_;
  const Storage force_unit = force_unit_;
  const bool add = forces.add;
  VirialOfLanes of_lanes = {};
  const int clusters_ahead = policy_.atoms_ahead / lanes;
  for (std::int64_t chunk = list_.first_chunk(thread); chunk < list_.first_chunk(thread + 1);
       ++chunk) {
    const std::int64_t first = list_.first_cluster(chunk);
    const std::int64_t last = std::min(order_.clusters(), list_.first_cluster(chunk + 1));
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t ahead = c + clusters_ahead;
      for (int lane = 0; lane < lanes && ahead < order_.clusters(); ++lane) {
        const Storage* f = forces.data + atoms[ahead * lanes + lane] * forces.atom_stride;
        __builtin_prefetch(f, 1);
        __builtin_prefetch(f + 2 * forces.component_stride, 1);
        if (std::is_same_v<T, float> && virial != nullptr) prefetch(input, ahead * lanes + lane);
      }
      T sum[kMaxBlock];
      // The owner always touches its chunks; the others add in the order of threads.
      bool started = false;
      for (int t = 0; t < threads_; ++t) {
        if (!list_.touches(t, chunk)) continue;
        const T* part = forces_[static_cast<std::size_t>(t)].data() + c * block;
        if (!started) {
          std::copy(part, part + block, sum);
          started = true;
        } else {
          for (int k = 0; k < block; ++k)
            sum[k] += part[k];
        }
      }
      if (virial != nullptr) add_virial(input, c, sum, of_lanes);
      const int count = order_.count()[c];
      for (int lane = 0; lane < count; ++lane) {
        Storage* f = forces.data + atoms[c * lanes + lane] * forces.atom_stride;
        T size = 0;
        for (int d = 0; d < 3; ++d) {
          const T value = sum[d * lanes + lane];
          size += std::abs(value);
          Storage& target = f[d * forces.component_stride];
          Storage force = static_cast<Storage>(value);
          if constexpr (std::is_same_v<Storage, float>) force *= separation_unit;
          force *= force_unit;
          target = add ? target + force : force;
        }
        suspicious |= !(size < kSuspicious<T>);
      }
    }
  }
  const double unit = arguments_.virial_unit * scale_.inverse;
  for (int k = 0; virial != nullptr && k < 6; ++k)
    virial[k] += unit * std::accumulate(of_lanes[k], of_lanes[k] + lanes, 0.0);
  reports_[static_cast<std::size_t>(thread)].suspicious = suspicious;
}

template <class Storage, class T>
Finding ClusterEngine<Storage, T>::Implementation::execute(const ClusterInput<Storage>& input,
                                                           const ForceOutput<Storage>& forces,
                                                           double* energy, double* virial) {
  const Tallied tally = tallied(energy != nullptr, virial != nullptr);
  const bool by_forces = virial != nullptr && tally == Tallied::energy;
  shifts_.follow(input.box);
  set_shifts();
  const auto force =
      pair_loops_.force[static_cast<int>(type_count_)][static_cast<std::size_t>(tally)];
  const int lanes = kernels_.lanes;
#pragma omp parallel num_threads(threads_)
  {
    // The team may be smaller than asked for; the shares, and so the sums, stay the same.
    const int member = omp_get_thread_num();
    const int team = omp_get_num_threads();
    for (int t = member; t < threads_; t += team) {
      load(input, first_cluster(t), first_cluster(t + 1),
           reports_[static_cast<std::size_t>(t)].poison);
      T* buffer = forces_[static_cast<std::size_t>(t)].data();
      for (const std::uint32_t chunk : list_.touched(t)) {
        const std::int64_t first = list_.first_cluster(chunk);
        const std::int64_t last = std::min(order_.clusters(), list_.first_cluster(chunk + 1));
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
      arguments.image_forces = report.image_forces;
      for (std::int64_t c = list_.first_chunk(t); c < list_.first_chunk(t + 1); ++c) {
        force(arguments, list_.chunk(c));
      }
      if (by_forces) add_virial_of_images(report.image_forces, report.tally + 1);
    }
#pragma omp barrier
    for (int t = member; t < threads_; t += team)
      store(input, forces, t,
            by_forces ? reports_[static_cast<std::size_t>(t)].tally + 1 : nullptr);
  }
  double sums[7] = {};
  bool suspicious = false;
  for (const Report& report : reports_) {
    for (int k = 0; k < 7; ++k)
      sums[k] += report.tally[k];
    suspicious |= report.suspicious || report.poison != 0;
  }
  if (energy != nullptr) *energy = sums[0] * units_.energy;
  if (virial != nullptr)
    for (int c = 0; c < 6; ++c)
      virial[c] = sums[1 + c] * units_.energy;
  return suspicious ? investigate(input) : Finding{};
}

/// The first atom that is far enough away to spoil what the order holds of others, where it is a
/// place at all.
template <class Storage, class T>
Finding ClusterEngine<Storage, T>::Implementation::find_far(
    const ClusterInput<Storage>& input) const {
  if (!order_.may_have_far_atoms()) return {};
  for (std::int64_t i = 0; i < input.atoms; ++i)
    for (int d = 0; d < 3; ++d) {
      const double x = input.positions(i, d);
      if (std::isfinite(x) && order_.is_far(x, d)) return {Finding::Kind::far, i, d};
    }
  return {};
}

/// Something is not finite, or atoms are too near: finds the first atom, or the first pair at one
/// place that is not excluded, to blame.
template <class Storage, class T>
Finding ClusterEngine<Storage, T>::Implementation::investigate(
    const ClusterInput<Storage>& input) const {
  for (std::int64_t i = 0; i < input.atoms; ++i) {
    for (int d = 0; d < 3; ++d) {
      if (!std::isfinite(input.positions(i, d))) return {Finding::Kind::not_finite, i, -1};
    }
  }
  const int lanes = order_.lanes();
  const auto close = [&](Coordinate<T> a, Coordinate<T> b) {
    const Coordinate<T> difference = minus(a, b);
    return difference <= tolerance() && difference >= -tolerance();
  };
  const auto type_of = [&](std::int64_t i) {
    return classes_.types == 1 ? 0 : static_cast<std::int64_t>(input.type[i * input.type_stride]);
  };
  const auto interact = [&](std::int64_t i, std::int64_t j) {
    return classes_.cutoffs[static_cast<std::size_t>(type_of(i) * classes_.types + type_of(j))] > 0;
  };
  Finding finding;
  const auto slot = [&](std::uint32_t cluster, int lane) {
    return static_cast<std::size_t>(cluster) * static_cast<std::size_t>(lanes) +
           static_cast<std::size_t>(lane);
  };
  const auto meet = [&](std::uint32_t a, int row, int code, std::uint32_t b, std::uint32_t bits) {
    const Coordinate<T>* shift = arguments_.shifts[code];
    const Coordinate<T>* own = coordinates_.data() + a * 3 * static_cast<std::size_t>(lanes) + row;
    const Coordinate<T>* other = coordinates_.data() + b * 3 * static_cast<std::size_t>(lanes);
    for (int lane = a == b && code == kNoShift ? row + 1 : 0; lane < order_.count()[b]; ++lane) {
      bool same = (bits >> lane & 1) != 0;
      for (int d = 0; d < 3; ++d) {
        same = same && close(plus(own[d * lanes], shift[d]), other[d * lanes + lane]);
      }
      if (!same) continue;
      const std::int64_t i = order_.atom()[slot(a, row)];
      const std::int64_t j = order_.atom()[slot(b, lane)];
      if (!interact(i, j)) continue;
      const Finding found{Finding::Kind::coincident, std::min(i, j), std::max(i, j)};
      const bool earlier = finding.kind == Finding::Kind::none || found.first < finding.first ||
                           (found.first == finding.first && found.second < finding.second);
      if (earlier) finding = found;
    }
  };
  for (std::int64_t c = 0; c < list_.chunks(); ++c) {
    const ListChunk chunk = list_.chunk(c);
    constexpr std::uint32_t all = ~std::uint32_t{0};
    std::size_t entry = 0;
    std::size_t masked = 0;
    for (std::size_t h = 0; h < chunk.header_count; ++h) {
      const ListHeader& header = chunk.headers[h];
      for (int row = 0; row < lanes; ++row) {
        const std::size_t at = h * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(row);
        if (header.shift == kNoShift && row < order_.count()[header.cluster]) {
          meet(header.cluster, row, kNoShift, header.cluster,
               chunk.own_bits != nullptr ? chunk.own_bits[at] : all);
        }
        for (; entry < chunk.row_end[at]; ++entry) {
          meet(header.cluster, row, header.shift, chunk.entries[entry], all);
        }
        for (; chunk.masked_end != nullptr && masked < chunk.masked_end[at]; ++masked) {
          meet(header.cluster, row, header.shift, chunk.masked[masked].cluster,
               chunk.masked[masked].bits);
        }
      }
    }
  }
  return finding;
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
