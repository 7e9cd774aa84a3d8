#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tessera/backends/openmp/pair_force_cluster/coordinates.hpp>
#include <tessera/backends/openmp/pair_force_cluster/force_store.hpp>

namespace tessera::openmp::cluster {
namespace {

/// A force beyond this makes execute look for atoms at one place.
template <class T>
constexpr T kSuspicious = std::is_same_v<T, float> ? T(1e30) : T(1e100);

/// Of positions and of forces: xx yy zz xy xz yz.
constexpr int virial_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/// Sums of the lanes of clusters.
using VirialOfLanes = double[6][kMaxLanes];

/// Adds sum x_a F_b over the atoms of a cluster.
template <class Storage, class T>
void add_virial(const ForceSums<Storage, T>& sums, const ClusterInput<Storage>& input,
                std::int64_t cluster, const T* forces, VirialOfLanes& virial) {
  const int lanes = sums.order.lanes();
  double x[3][kMaxLanes];
  if constexpr (std::is_same_v<T, double>) {
    const double* const block = sums.coordinates + cluster * 3 * lanes;
    for (int d = 0; d < 3; ++d)
      for (int lane = 0; lane < lanes; ++lane)
        x[d][lane] = block[d * lanes + lane] - sums.middle[d];
  } else {
    const Folded<Storage> folded(input, sums.order);
    const bool shifted = sums.order.shifted()[cluster] != 0;
    const bool tilted = input.box.tilted();
    for (int lane = 0; lane < lanes; ++lane)
      for (int d = 0; d < 3; ++d) {
        const std::int64_t slot = cluster * lanes + lane;
        x[d][lane] = (tilted ? folded.template at<true>(slot, d, shifted)
                             : folded.template at<false>(slot, d, shifted)) -
                     sums.middle[d];
      }
  }
  for (int k = 0; k < 6; ++k) {
    const double* const position = x[virial_axes[k][0]];
    const T* const force = forces + virial_axes[k][1] * lanes;
    for (int lane = 0; lane < lanes; ++lane)
      virial[k][lane] += position[lane] * static_cast<double>(force[lane]);
  }
}

}  // namespace

template <class Storage, class T>
bool store(const ForceSums<Storage, T>& sums, const ClusterInput<Storage>& input,
           const ForceOutput<Storage>& forces, int thread, double* virial) {
  constexpr int kMaxBlock = 3 * kMaxLanes;
  const ClusterOrder& order = sums.order;
  const ClusterList<T>& list = sums.list;
  const int lanes = order.lanes();
  const int block = 3 * lanes;
  const int threads = static_cast<int>(sums.buffers.size());
  const std::int32_t* atoms = order.atom();
  bool suspicious = false;
  // Copies: the forces might be what `sums` holds, as far as a compiler sees.
  const Storage separation_unit = sums.separation_unit;
  const Storage force_unit = sums.force_unit;
  const bool add = forces.add;
  VirialOfLanes of_lanes = {};
  const int clusters_ahead = sums.atoms_ahead / lanes;
  for (std::int64_t chunk = list.first_chunk(thread); chunk < list.first_chunk(thread + 1);
       ++chunk) {
    const std::int64_t first = list.first_cluster(chunk);
    const std::int64_t last = std::min(order.clusters(), list.first_cluster(chunk + 1));
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t ahead = c + clusters_ahead;
      for (int lane = 0; lane < lanes && ahead < order.clusters(); ++lane) {
        const Storage* f = forces.data + atoms[ahead * lanes + lane] * forces.atom_stride;
        __builtin_prefetch(f, 1);
        __builtin_prefetch(f + 2 * forces.component_stride, 1);
        if (std::is_same_v<T, float> && virial != nullptr)
          input.positions.prefetch(atoms[ahead * lanes + lane]);
      }
      T sum[kMaxBlock];
      // The owner always touches its chunks; the others add in the order of threads.
      bool started = false;
      for (int t = 0; t < threads; ++t) {
        if (!list.touches(t, chunk)) continue;
        const T* part = sums.buffers[static_cast<std::size_t>(t)].data() + c * block;
        if (!started) {
          std::copy(part, part + block, sum);
          started = true;
        } else {
          for (int k = 0; k < block; ++k)
            sum[k] += part[k];
        }
      }
      if (virial != nullptr) add_virial(sums, input, c, sum, of_lanes);
      const int count = order.count()[c];
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
  for (int k = 0; virial != nullptr && k < 6; ++k)
    virial[k] += sums.virial_unit * std::accumulate(of_lanes[k], of_lanes[k] + lanes, 0.0);
  return suspicious;
}

void add_virial_of_images(const Shifts& shifts, double virial_unit, const double (*forces)[3],
                          double* virial) {
  for (int code = 0; code < kShifts; ++code)
    for (int k = 0; k < 6; ++k)
      virial[k] +=
          virial_unit * shifts.vector(code)[virial_axes[k][0]] * forces[code][virial_axes[k][1]];
}

template bool store(const ForceSums<double, double>&, const ClusterInput<double>&,
                    const ForceOutput<double>&, int, double*);
template bool store(const ForceSums<double, float>&, const ClusterInput<double>&,
                    const ForceOutput<double>&, int, double*);
template bool store(const ForceSums<float, float>&, const ClusterInput<float>&,
                    const ForceOutput<float>&, int, double*);

}  // namespace tessera::openmp::cluster
