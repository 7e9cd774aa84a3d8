#include "backends/openmp/pair_force_cluster/moving_clusters.hpp"

#include "backends/openmp/pair_force_cluster/lane_count.hpp"
#include "physics/md/integrate/kick_and_drift.hpp"
#include "physics/md/wrap/wrap_portable.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tessera::openmp::cluster {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Raises `longest` to the squared displacements of a cluster, for each lane.
template <int Lanes, class Storage>
void keep_longest(const Storage* from, const Storage* to, double (&longest)[Lanes]) {
  double square[Lanes] = {};
  for (int d = 0; d < 3; ++d) {
    TESSERA_EACH_LANE
    for (int lane = 0; lane < Lanes; ++lane) {
      const int k = d * Lanes + lane;
      const double by = static_cast<double>(to[k]) - static_cast<double>(from[k]);
      square[lane] += by * by;
    }
  }
  TESSERA_EACH_LANE
  for (int lane = 0; lane < Lanes; ++lane)
    longest[lane] = square[lane] > longest[lane] ? square[lane] : longest[lane];
}

/// Folds the positions of a cluster into the images in which the order has its atoms.
template <int Lanes, bool Tilted, class Storage>
void fold_places(const Folded<Storage>& folded, const ClusterOrder& order, std::int64_t cluster,
                 double (&x)[3][Lanes]) {
  if (order.shifted()[cluster] == 0) return;
  for (int lane = 0; lane < Lanes; ++lane)
    for (int d = 0; d < 3; ++d)
      x[d][lane] = folded.template fold<Tilted>(x[d][lane], cluster * Lanes + lane, d, true);
}

/// Prefetches the row of an atom.
template <class Row>
void prefetch(const Row& row, std::int64_t atom) {
  __builtin_prefetch(&row(atom, 0));
  __builtin_prefetch(&row(atom, 2));
}

}  // namespace

template <class Storage, class T>
bool MovingClusters<Storage, T>::can_step(const ClusterOrder& order) {
  return order.clusters() * order.lanes() <= std::numeric_limits<std::int32_t>::max();
}

template <class Storage, class T>
void MovingClusters<Storage, T>::Atoms::require(std::int64_t clusters, int lanes, bool heated) {
  const auto slots = static_cast<std::size_t>(clusters * lanes);
  positions.require(3 * slots);
  velocities.require(3 * slots);
  images.require(3 * slots);
  names.require(slots);
  count.require(static_cast<std::size_t>(clusters));
  if (heated) heat.require(slots);
}

template <class Storage, class T>
void MovingClusters<Storage, T>::begin(const ClusterInput<Storage>& input,
                                       const ClusterOrder& order, const Args& args) {
  input_ = input;
  args_ = args;
  time_step_ = static_cast<Storage>(args.time_step);
  lanes_ = order.lanes();
  clusters_ = order.clusters();
  now_.require(clusters_, lanes_, heated());
  listed_.require(clusters_, lanes_, heated());
  at_list_ = false;
  require_kinds();
  if (args.bath) {
    largest_noise_ = 0;
    for (std::int64_t type = 0; type < args.bath->noise.extent(0); ++type)
      largest_noise_ =
          std::max(largest_noise_, args.bath->half_mass(type) * args.bath->noise(type));
  }
  alike_ = args.force_to_accel.extent(0) == 1;
  half_kicks_.require(static_cast<std::size_t>(alike_ ? max_lanes : clusters_ * lanes_));
  if (alike_)
    std::fill_n(half_kicks_.data(), max_lanes,
                static_cast<Storage>(0.5 * args.time_step * args.force_to_accel(0)));
}

template <class Storage, class T>
void MovingClusters<Storage, T>::require_kinds() {
  const auto slots = static_cast<std::size_t>(clusters_ * lanes_);
  if (args_.bath) {
    ids_.require(slots);
    noise_.require(slots);
    half_mass_.require(slots);
  }
  if (adds_forces()) {
    added_.require(3 * slots);
    rows_.require(static_cast<std::size_t>(input_.atoms));
  }
}

template <class Storage, class T>
void MovingClusters<Storage, T>::set_kinds(const std::int32_t* names, const std::uint8_t* counts,
                                           ClusterRange range) {
  const std::int64_t begin = std::int64_t{range.begin} * lanes_;
  const std::int64_t end = std::int64_t{range.end} * lanes_;
  for (std::int64_t slot = begin; slot < end && !alike_; ++slot)
    half_kicks_[static_cast<std::size_t>(slot)] = static_cast<Storage>(
        0.5 * args_.time_step * args_.force_to_accel(args_.mass_class(names[slot])));
  if (adds_forces()) std::fill(added_.data() + 3 * begin, added_.data() + 3 * end, Storage(0));
  if (!args_.bath && !adds_forces()) return;
  for (std::int64_t c = range.begin; c < range.end; ++c)
    for (int lane = 0; lane < lanes_; ++lane) {
      const std::int64_t slot = c * lanes_ + lane;
      const auto s = static_cast<std::size_t>(slot);
      const bool is_atom = lane < counts[c];
      const std::int32_t atom = names[slot];
      if (adds_forces() && is_atom)
        rows_[static_cast<std::size_t>(atom)] = static_cast<std::int32_t>(c * 3 * lanes_ + lane);
      if (!args_.bath) continue;
      const std::int32_t type = args_.bath->types(atom);
      ids_[s] = args_.bath->ids(atom);
      noise_[s] = is_atom ? args_.bath->noise(type) : 0;
      half_mass_[s] = is_atom ? args_.bath->half_mass(type) : 0;
    }
}

template <class Storage, class T>
void MovingClusters<Storage, T>::add_forces() {
  const std::int64_t rows = clusters_ * 3 * lanes_;
  const Storage* const positions = (at_list_ ? listed_ : now_).positions.data();
  args_.added->execute({{rows_.data(), {input_.atoms}},
                        {positions, {rows, 3}, {1, lanes_}},
                        {added_.data(), {rows, 3}, {1, lanes_}}});
}

template <class Storage, class T>
template <int Lanes>
void MovingClusters<Storage, T>::draw(std::int64_t cluster, std::int64_t step,
                                      double (&deviates)[3][Lanes]) const {
  const std::int64_t* const ids = ids_.data() + cluster * Lanes;
  const auto number = static_cast<std::uint64_t>(args_.bath->step + step);
  const std::uint64_t seed = args_.bath->seed;
  TESSERA_EACH_LANE
  for (int lane = 0; lane < Lanes; ++lane) {
    const Normals random = normals(seed, static_cast<std::uint64_t>(ids[lane]), number);
    deviates[0][lane] = random.value[0];
    deviates[1][lane] = random.value[1];
    deviates[2][lane] = random.value[2];
  }
}

template <class Storage, class T>
md::NoiseSum MovingClusters<Storage, T>::sum_noise(ClusterRange range, std::int64_t step) const {
  md::NoiseSum sum;
  with_lanes(lanes_, [&](auto lanes) {
    double deviates[3][lanes()];
    for (std::int64_t c = range.begin; c < range.end; ++c) {
      draw<lanes()>(c, step, deviates);
      for (int lane = 0; lane < lanes(); ++lane) {
        const auto slot = static_cast<std::size_t>(c * lanes() + lane);
        sum.add(half_mass_[slot] * noise_[slot] / largest_noise_,
                {deviates[0][lane], deviates[1][lane], deviates[2][lane]});
      }
    }
  });
  return sum;
}

template <class Storage, class T>
double MovingClusters<Storage, T>::load(const ClusterOrder& order, ClusterRange range, int ahead) {
  set_kinds(order.atom(), order.count(), range);
  return with_lanes(lanes_, [&](auto lanes) { return load_lanes<lanes()>(order, range, ahead); });
}

template <class Storage, class T>
template <int Lanes>
double MovingClusters<Storage, T>::load_lanes(const ClusterOrder& order, ClusterRange range,
                                              int ahead) {
  // Copies, because the compiler must assume that stores below change members of args_.
  const auto positions = args_.positions;
  const auto velocities = args_.velocities;
  const auto images = args_.images;
  const auto built_positions = args_.built_positions;
  const std::int32_t* const atoms = order.atom();
  const bool heated = this->heated();
  double longest[Lanes] = {};
  for (std::int64_t c = range.begin; c < range.end; ++c) {
    const std::int64_t later = c + ahead / Lanes;
    for (int lane = 0; lane < Lanes && later < range.end; ++lane) {
      const std::int64_t atom = atoms[later * Lanes + lane];
      prefetch(positions, atom);
      prefetch(velocities, atom);
      prefetch(images, atom);
      prefetch(built_positions, atom);
    }
    Storage* __restrict position = now_.positions.data() + c * 3 * Lanes;
    Storage* __restrict velocity = now_.velocities.data() + c * 3 * Lanes;
    Storage* __restrict built = listed_.positions.data() + c * 3 * Lanes;
    std::int32_t* __restrict image = now_.images.data() + c * 3 * Lanes;
    for (int lane = 0; lane < Lanes; ++lane) {
      const std::int64_t atom = atoms[c * Lanes + lane];
      now_.names[static_cast<std::size_t>(c * Lanes + lane)] = static_cast<std::int32_t>(atom);
      for (int d = 0; d < 3; ++d) {
        position[d * Lanes + lane] = positions(atom, d);
        velocity[d * Lanes + lane] = velocities(atom, d);
        built[d * Lanes + lane] = built_positions(atom, d);
        image[d * Lanes + lane] = images(atom, d);
      }
      if (heated) now_.heat[static_cast<std::size_t>(c * Lanes + lane)] = args_.bath->heat(atom);
    }
    const int count = order.count()[c];
    now_.count[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(count);
    // Padding of a cluster has no forces, and must not move.
    for (int lane = count; lane < Lanes; ++lane)
      for (int d = 0; d < 3; ++d)
        velocity[d * Lanes + lane] = 0;
    keep_longest(built, position, longest);
  }
  return *std::max_element(longest, longest + Lanes);
}

template <class Storage, class T>
double MovingClusters<Storage, T>::step(const ForceSums<Storage, T>& sums,
                                        ClusterPositions<T>& places, int thread, bool first,
                                        const Noise& noise) {
  return with_lanes(lanes_, [&](auto lanes) {
    const bool tilted = input_.box.tilted();
    if (args_.bath)
      return tilted ? step_lanes<lanes(), true, true>(sums, places, thread, first, noise)
                    : step_lanes<lanes(), false, true>(sums, places, thread, first, noise);
    return tilted ? step_lanes<lanes(), true, false>(sums, places, thread, first, noise)
                  : step_lanes<lanes(), false, false>(sums, places, thread, first, noise);
  });
}

template <class Storage, class T>
template <int Lanes, bool Tilted, bool Bath>
double MovingClusters<Storage, T>::step_lanes(const ForceSums<Storage, T>& sums,
                                              ClusterPositions<T>& places, int thread, bool first,
                                              const Noise& noise) {
  const ClusterOrder& order = sums.order;
  const ClusterList<T>& list = sums.list;
  const Folded<Storage> folded(input_, order);
  const Storage time_step = time_step_;
  const Storage separation_unit = sums.separation_unit;
  const Storage force_unit = sums.force_unit;
  const Atoms& before = first ? listed_ : now_;
  const bool adds = adds_forces();
  BathStep<Storage> bath;
  if constexpr (Bath) bath = bath_step(noise);
  double bad[Lanes] = {};
  double longest[Lanes] = {};
  for (std::int64_t chunk = list.first_chunk(thread); chunk < list.first_chunk(thread + 1);
       ++chunk) {
    const std::int64_t last = list.end_cluster(chunk);
    for (std::int64_t c = list.first_cluster(chunk); c < last; ++c) {
      T sum[3 * Lanes];
      add_threads(list, sums.buffers, chunk, c, sum);
      const std::int64_t at = c * 3 * Lanes;
      const Storage* const position_before = before.positions.data() + at;
      const Storage* const velocity_before = before.velocities.data() + at;
      Storage* const position = now_.positions.data() + at;
      Storage* const velocity = now_.velocities.data() + at;
      const Storage* const half_kick = half_kicks_.data() + (alike_ ? 0 : c * Lanes);
      Storage force[3 * Lanes];
      TESSERA_EACH_LANE
      for (int k = 0; k < 3 * Lanes; ++k)
        force[k] = as_force(sum[k], separation_unit, force_unit);
      if (adds) {
        const Storage* const added = added_.data() + at;
        TESSERA_EACH_LANE
        for (int k = 0; k < 3 * Lanes; ++k)
          force[k] += added[k];
      }
      double deviates[Bath ? 3 : 1][Lanes];
      double gained[Lanes] = {};
      if constexpr (Bath) draw<Lanes>(c, noise.step, deviates);
      double x[3][Lanes];
      for (int d = 0; d < 3; ++d) {
        TESSERA_EACH_LANE
        for (int lane = 0; lane < Lanes; ++lane) {
          const int k = d * Lanes + lane;
          Storage r = position_before[k];
          Storage v = velocity_before[k];
          if constexpr (Bath) {
            const Storage change = half_kick[lane] * force[k];
            v += change;
            v += change;
            const std::int64_t slot = c * Lanes + lane;
            const double push = bath.half_mass[slot] > 0 ? bath.push[d] : 0;
            double kick = md::noise_kick(bath.noise[slot], deviates[d][lane], push);
            if (d >= bath.dimensions) kick = 0;
            gained[lane] += md::drift_through_bath(bath.keep, kick, bath.half_step, v, r);
          } else {
            md::kick_and_drift(half_kick[lane], force[k], time_step, v, r);
          }
          position[k] = r;
          velocity[k] = v;
          x[d][lane] = static_cast<double>(r);
        }
      }
      if constexpr (Bath)
        if (heated())
          for (int lane = 0; lane < Lanes; ++lane) {
            const auto slot = static_cast<std::size_t>(c * Lanes + lane);
            now_.heat[slot] = before.heat[slot] + half_mass_[slot] * gained[lane];
          }
      keep_longest(listed_.positions.data() + at, position, longest);
      fold_places<Lanes, Tilted>(folded, order, c, x);
      places.template place<Lanes>(order, list.images(), c, x, bad);
    }
  }
  if (std::accumulate(bad, bad + Lanes, 0.0) != 0) return infinite;
  return *std::max_element(longest, longest + Lanes);
}

template <class Storage, class T>
BathStep<Storage> MovingClusters<Storage, T>::bath_step(const Noise& noise) const {
  const md::LangevinArgs<Storage>& args = *args_.bath;
  BathStep<Storage> bath;
  bath.keep = static_cast<Storage>(args.keep);
  bath.half_step = static_cast<Storage>(0.5 * args_.time_step);
  bath.noise = noise_.data();
  bath.half_mass = half_mass_.data();
  bath.dimensions = args.dimensions;
  for (int d = 0; d < 3 && balances_noise(); ++d)
    bath.push[d] = -noise.of_all.mean(d, largest_noise_, args.total_half_mass);
  return bath;
}

template <class Storage, class T>
void MovingClusters<Storage, T>::fold(const md::Box& box, int threads) {
  const double tolerance = md::rounding_of_shares<Storage>(box);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t c = 0; c < clusters_; ++c) {
    const std::int64_t at = c * 3 * lanes_;
    const md::WrapArgs<Storage> args{{now_.positions.data() + at, {lanes_, 3}, {1, lanes_}},
                                     {now_.images.data() + at, {lanes_, 3}, {1, lanes_}},
                                     box};
    const int count = now_.count[static_cast<std::size_t>(c)];
    for (int lane = 0; lane < count; ++lane)
      if (box.tilted())
        md::WrapTiltedAtom<Storage>{args, tolerance}(lane);
      else
        md::WrapAtom<Storage>{args}(lane);
  }
}

template <class Storage, class T>
AtomGroups MovingClusters<Storage, T>::groups(const AtomGroups& given, int threads) {
  const auto atoms = static_cast<std::size_t>(given.begin[given.count]);
  slots_.require(atoms);
  places_.require(atoms);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const ClusterRange range = share_of(t, threads, clusters_);
    const std::uint8_t* const count = now_.count.data();
    // The slots of each group are contiguous, because an order has one group after the other.
    std::int32_t* slot_of = slots_.data() + std::accumulate(count, count + range.begin, 0);
    for (std::int64_t c = range.begin; c < range.end; ++c)
      for (int lane = 0; lane < count[c]; ++lane) {
        const auto slot = static_cast<std::int32_t>(c * lanes_ + lane);
        *slot_of++ = slot;
        places_[static_cast<std::size_t>(now_.names[static_cast<std::size_t>(slot)])] = slot;
      }
  }
  reordered_ = {now_.names.data(), places_.data(), given.atoms};
  AtomGroups groups = given;
  groups.atoms = slots_.data();
  groups.reordered = &reordered_;
  return groups;
}

template <class Storage, class T>
void MovingClusters<Storage, T>::reorder(ClusterOrder& order, int threads) {
  const std::int64_t clusters = order.clusters();
  listed_.require(clusters, lanes_, heated());
  clusters_ = clusters;
  if (!alike_) half_kicks_.require(static_cast<std::size_t>(clusters * lanes_));
  require_kinds();
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const ClusterRange range = share_of(t, threads, clusters);
    with_lanes(lanes_, [&](auto lanes) { reorder_lanes<lanes()>(order, range); });
    set_kinds(listed_.names.data(), listed_.count.data(), range);
  }
  order.rename(now_.names.data(), threads);
  now_.require(clusters, lanes_, heated());
  std::swap(now_.images, listed_.images);
  std::swap(now_.names, listed_.names);
  std::swap(now_.count, listed_.count);
  at_list_ = true;
}

template <class Storage, class T>
template <int Lanes>
void MovingClusters<Storage, T>::reorder_lanes(const ClusterOrder& order, ClusterRange range) {
  for (std::int64_t c = range.begin; c < range.end; ++c) {
    const std::int64_t at = c * 3 * Lanes;
    const int count = order.count()[c];
    listed_.count[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(count);
    for (int lane = 0; lane < Lanes; ++lane) {
      const std::int64_t from = order.atom()[c * Lanes + lane];
      const std::int64_t from_lane = from & (Lanes - 1);
      const std::int64_t from_block = 3 * (from - from_lane) + from_lane;
      listed_.names[static_cast<std::size_t>(c * Lanes + lane)] =
          now_.names[static_cast<std::size_t>(from)];
      for (int d = 0; d < 3; ++d) {
        const auto to = static_cast<std::size_t>(at + d * Lanes + lane);
        const auto of = static_cast<std::size_t>(from_block + d * Lanes);
        listed_.positions[to] = now_.positions[of];
        listed_.velocities[to] = lane < count ? now_.velocities[of] : Storage(0);
        listed_.images[to] = now_.images[of];
      }
      if (heated())
        listed_.heat[static_cast<std::size_t>(c * Lanes + lane)] =
            now_.heat[static_cast<std::size_t>(from)];
    }
  }
}

template <class Storage, class T>
void MovingClusters<Storage, T>::place(const ClusterOrder& order, const ClusterImages& images,
                                       ClusterPositions<T>& places, ClusterRange range) const {
  with_lanes(lanes_, [&](auto lanes) {
    input_.box.tilted() ? place_lanes<lanes(), true>(order, images, places, range)
                        : place_lanes<lanes(), false>(order, images, places, range);
  });
}

template <class Storage, class T>
template <int Lanes, bool Tilted>
void MovingClusters<Storage, T>::place_lanes(const ClusterOrder& order, const ClusterImages& images,
                                             ClusterPositions<T>& places,
                                             ClusterRange range) const {
  const Folded<Storage> folded(input_, order);
  double bad[Lanes] = {};
  for (std::int64_t c = range.begin; c < range.end; ++c) {
    const Storage* const position = listed_.positions.data() + c * 3 * Lanes;
    double x[3][Lanes];
    for (int d = 0; d < 3; ++d)
      for (int lane = 0; lane < Lanes; ++lane)
        x[d][lane] = static_cast<double>(position[d * Lanes + lane]);
    fold_places<Lanes, Tilted>(folded, order, c, x);
    places.template place<Lanes>(order, images, c, x, bad);
  }
}

template <class Storage, class T>
void MovingClusters<Storage, T>::store_atoms(const Args& args, bool when_listed,
                                             int threads) const {
  const Atoms& from = when_listed || at_list_ ? listed_ : now_;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t c = 0; c < clusters_; ++c)
    for (int lane = 0; lane < now_.count[static_cast<std::size_t>(c)]; ++lane) {
      const std::int64_t atom = now_.names[static_cast<std::size_t>(c * lanes_ + lane)];
      for (int d = 0; d < 3; ++d) {
        const auto k = static_cast<std::size_t>((c * 3 + d) * lanes_ + lane);
        args.positions(atom, d) = from.positions[k];
        args.velocities(atom, d) = from.velocities[k];
        args.images(atom, d) = now_.images[k];
      }
      if (heated()) args.bath->heat(atom) = from.heat[static_cast<std::size_t>(c * lanes_ + lane)];
    }
}

template <class Storage, class T>
std::int64_t MovingClusters<Storage, T>::furthest_atom() const {
  double longest = -1;
  std::int64_t furthest = -1;
  for (std::int64_t c = 0; c < clusters_; ++c)
    for (int lane = 0; lane < now_.count[static_cast<std::size_t>(c)]; ++lane) {
      double square = 0;
      for (int d = 0; d < 3; ++d) {
        const auto k = static_cast<std::size_t>((c * 3 + d) * lanes_ + lane);
        const double by =
            static_cast<double>(now_.positions[k]) - static_cast<double>(listed_.positions[k]);
        square += by * by;
      }
      if (!(square < infinite)) square = infinite;
      const std::int64_t atom = now_.names[static_cast<std::size_t>(c * lanes_ + lane)];
      if (square < longest || (square == longest && atom > furthest)) continue;
      longest = square;
      furthest = atom;
    }
  return furthest;
}

template class MovingClusters<double, double>;
template class MovingClusters<double, float>;
template class MovingClusters<float, float>;

}  // namespace tessera::openmp::cluster
