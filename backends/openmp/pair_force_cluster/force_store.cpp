#include "backends/openmp/pair_force_cluster/force_store.hpp"

#include "backends/openmp/pair_force_cluster/coordinates.hpp"
#include "backends/openmp/pair_force_cluster/lane_count.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace tessera::openmp::cluster {
namespace {

/// Force from which on execute searches for atoms at one position.
template <class T>
constexpr T suspicious_force = std::is_same_v<T, float> ? T(1e30) : T(1e100);

/// Axes of the position and of the force in each component of the virial: xx yy zz xy xz yz.
constexpr int virial_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/// Adds x_a F_b of each atom of a cluster to the virial of its lane.
template <int Lanes, class Storage, class T>
void add_virial(const ForceSums<Storage, T>& sums, const ClusterInput<Storage>& input,
                std::int64_t cluster, const T* forces, double (&virial)[6][Lanes]) {
  double x[3][Lanes];
  if constexpr (std::is_same_v<T, double>) {
    const double* const block = sums.coordinates + cluster * 3 * Lanes;
    for (int d = 0; d < 3; ++d)
      for (int lane = 0; lane < Lanes; ++lane)
        x[d][lane] = block[d * Lanes + lane] - sums.middle[d];
  } else {
    const Folded<Storage> folded(input, sums.order);
    const bool shifted = sums.order.shifted()[cluster] != 0;
    const bool tilted = input.box.tilted();
    for (int lane = 0; lane < Lanes; ++lane)
      for (int d = 0; d < 3; ++d) {
        const std::int64_t slot = cluster * Lanes + lane;
        x[d][lane] = (tilted ? folded.template at<true>(slot, d, shifted)
                             : folded.template at<false>(slot, d, shifted)) -
                     sums.middle[d];
      }
  }
  for (int k = 0; k < 6; ++k) {
    const double* const position = x[virial_axes[k][0]];
    const T* const force = forces + virial_axes[k][1] * Lanes;
    for (int lane = 0; lane < Lanes; ++lane)
      virial[k][lane] += position[lane] * static_cast<double>(force[lane]);
  }
}

template <int Lanes, int Sums, class T>
void fold(const ClusterList<T>& list, int thread, T* forces, double (*by_shift)[3]) {
  constexpr int block = Sums * Lanes;
  const ClusterImages& images = list.images();
  for (const std::uint32_t chunk : list.touched(thread)) {
    if (chunk < list.chunks()) continue;
    for (std::int64_t k = list.first_cluster(chunk); k < list.end_cluster(chunk); ++k) {
      const T* const of_image = forces + k * block;
      T* const of_owner = forces + std::int64_t{images.owner(k)} * block;
      for (int i = 0; i < block; ++i)
        of_owner[i] += of_image[i];
      if (by_shift == nullptr) continue;
      for (int d = 0; d < 3; ++d)
        by_shift[images.code(k)][d] +=
            std::accumulate(of_image + d * Lanes, of_image + (d + 1) * Lanes, 0.0);
    }
  }
}

template <int Lanes, int Sums, class Storage, class T>
bool store_clusters(const ForceSums<Storage, T>& sums, const ClusterInput<Storage>& input,
                    const ForceOutput<Storage>& output, int thread, double* virial) {
  const ClusterOrder& order = sums.order;
  const ClusterList<T>& list = sums.list;
  const std::int32_t* atoms = order.atom();
  bool suspicious = false;
  // Copies, because the compiler must assume that stores of forces change members of `sums`.
  const Storage separation_unit = sums.separation_unit;
  const Storage force_unit = sums.force_unit;
  const Storage torque_unit = sums.torque_unit;
  const SumOutput<Storage> forces = output.forces;
  const SumOutput<Storage> torques = output.torques;
  const bool add = output.add;
  const std::int64_t target_clusters = sums.target_clusters;
  double of_lanes[6][Lanes] = {};
  const int clusters_ahead = sums.atoms_ahead / Lanes;
  for (std::int64_t chunk = list.first_chunk(thread); chunk < list.first_chunk(thread + 1);
       ++chunk) {
    const std::int64_t last = list.end_cluster(chunk);
    for (std::int64_t c = list.first_cluster(chunk); c < last; ++c) {
      const std::int64_t ahead = c + clusters_ahead;
      for (int lane = 0; lane < Lanes && ahead < order.clusters(); ++lane) {
        const Storage* f = forces.data + atoms[ahead * Lanes + lane] * forces.atom_stride;
        __builtin_prefetch(f, 1);
        __builtin_prefetch(f + 2 * forces.component_stride, 1);
        if (std::is_same_v<T, float> && virial != nullptr)
          input.positions.prefetch(atoms[ahead * Lanes + lane]);
      }
      T sum[Sums * Lanes];
      add_threads(list, sums.buffers, chunk, c, sum);
      if (virial != nullptr) add_virial<Lanes>(sums, input, c, sum, of_lanes);
      const int count = c < target_clusters ? order.count()[c] : 0;
      for (int lane = 0; lane < count; ++lane) {
        Storage* f = forces.data + atoms[c * Lanes + lane] * forces.atom_stride;
        T size = 0;
        for (int d = 0; d < 3; ++d) {
          const T value = sum[d * Lanes + lane];
          size += std::abs(value);
          Storage& target = f[d * forces.component_stride];
          const Storage force = as_force(value, separation_unit, force_unit);
          target = add ? target + force : force;
        }
        suspicious |= !(size < suspicious_force<T>);
        for (int s = 3; s < Sums; ++s) {
          Storage& target = torques.data[atoms[c * Lanes + lane] * torques.atom_stride +
                                         (s - 3) * torques.component_stride];
          const Storage torque = static_cast<Storage>(sum[s * Lanes + lane]) * torque_unit;
          target = add ? target + torque : torque;
        }
      }
    }
  }
  for (int k = 0; virial != nullptr && k < 6; ++k)
    virial[k] += sums.virial_unit * std::accumulate(of_lanes[k], of_lanes[k] + Lanes, 0.0);
  return suspicious;
}

/// Calls visit<Lanes, Sums>() with constants.
template <class Visit>
decltype(auto) with_block(int lanes, int count, const Visit& visit) {
  return with_lanes(lanes, [&](auto constant) {
    return count > 3 ? visit.template operator()<constant(), 6>()
                     : visit.template operator()<constant(), 3>();
  });
}

}  // namespace

template <class T>
void fold_images(const ClusterList<T>& list, int lanes, int count, int thread, T* forces,
                 double (*by_shift)[3]) {
  with_block(lanes, count,
             [&]<int Lanes, int Sums>() { fold<Lanes, Sums>(list, thread, forces, by_shift); });
}

template <class Storage, class T>
bool store(const ForceSums<Storage, T>& sums, const ClusterInput<Storage>& input,
           const ForceOutput<Storage>& output, int count, int thread, double* virial) {
  return with_block(sums.order.lanes(), count, [&]<int Lanes, int Sums>() {
    return store_clusters<Lanes, Sums>(sums, input, output, thread, virial);
  });
}

void add_virial_of_images(const Shifts& shifts, double virial_unit, const double (*forces)[3],
                          double* virial) {
  for (int code = 0; code < shift_count; ++code)
    for (int k = 0; k < 6; ++k)
      virial[k] +=
          virial_unit * shifts.vector(code)[virial_axes[k][0]] * forces[code][virial_axes[k][1]];
}

template void fold_images(const ClusterList<float>&, int, int, int, float*, double (*)[3]);
template void fold_images(const ClusterList<double>&, int, int, int, double*, double (*)[3]);
template bool store(const ForceSums<double, double>&, const ClusterInput<double>&,
                    const ForceOutput<double>&, int, int, double*);
template bool store(const ForceSums<double, float>&, const ClusterInput<double>&,
                    const ForceOutput<double>&, int, int, double*);
template bool store(const ForceSums<float, float>&, const ClusterInput<float>&,
                    const ForceOutput<float>&, int, int, double*);

}  // namespace tessera::openmp::cluster
