#include "backends/openmp/pair_force_cluster/faults.hpp"

#include "backends/openmp/pair_force_cluster/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tessera::openmp::cluster {

template <class Storage>
Fault find_far(const ClusterInput<Storage>& input, const ClusterOrder& order) {
  if (!order.may_have_far_atoms()) return {};
  for (std::int64_t i = 0; i < input.atoms; ++i)
    for (int d = 0; d < 3; ++d) {
      const double x = input.positions(i, d);
      if (std::isfinite(x) && order.is_far(x, d)) return {Fault::Kind::far, i, d};
    }
  return {};
}

template <class Storage, class T>
Fault investigate(const ClusterInput<Storage>& input, const ListedAtoms<T>& atoms) {
  for (std::int64_t i = 0; i < input.atoms; ++i) {
    for (int d = 0; d < 3; ++d) {
      if (!std::isfinite(input.positions(i, d))) return {Fault::Kind::not_finite, i, -1};
    }
  }
  const ClusterOrder& order = atoms.order;
  const md::CutoffClasses& classes = atoms.classes;
  const int lanes = order.lanes();
  const auto close = [&](Coordinate<T> a, Coordinate<T> b) {
    const Coordinate<T> difference = wrapping_difference(a, b);
    return difference <= atoms.tolerance && difference >= -atoms.tolerance;
  };
  const auto type_of = [&](std::int64_t i) {
    return classes.types == 1 ? 0 : static_cast<std::int64_t>(input.type[i * input.type_stride]);
  };
  const auto interact = [&](std::int64_t i, std::int64_t j) {
    return std::min(i, j) < input.targets() &&
           classes.cutoffs[static_cast<std::size_t>(type_of(i) * classes.types + type_of(j))] > 0;
  };
  Fault fault;
  const auto slot = [&](std::size_t cluster, int lane) {
    return cluster * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(lane);
  };
  const auto check_pair = [&](std::size_t a, int row, std::uint32_t entry, std::uint32_t bits) {
    const Coordinate<T>* own = atoms.coordinates + a * 3 * static_cast<std::size_t>(lanes) + row;
    const Coordinate<T>* other = atoms.coordinates + entry * 3 * static_cast<std::size_t>(lanes);
    const std::uint32_t b = atoms.list.owner(entry);
    for (int lane = a == entry ? row + 1 : 0; lane < order.count()[b]; ++lane) {
      bool same = (bits >> lane & 1) != 0;
      for (int d = 0; d < 3; ++d)
        same = same && close(own[d * lanes], other[d * lanes + lane]);
      if (!same) continue;
      const std::int64_t i = order.atom()[slot(a, row)];
      const std::int64_t j = order.atom()[slot(b, lane)];
      if (!interact(i, j)) continue;
      const Fault found{Fault::Kind::coincident, std::min(i, j), std::max(i, j)};
      const bool earlier = fault.kind == Fault::Kind::none || found.first < fault.first ||
                           (found.first == fault.first && found.second < fault.second);
      if (earlier) fault = found;
    }
  };
  const auto check_chunk = [&](const ListChunk& chunk) {
    constexpr std::uint32_t all = ~std::uint32_t{0};
    std::size_t entry = 0;
    std::size_t masked = 0;
    for (std::size_t h = 0; h < chunk.clusters; ++h) {
      const std::size_t cluster = chunk.first_cluster + h;
      for (int row = 0; row < lanes; ++row) {
        const std::size_t at = h * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(row);
        if (row < order.count()[cluster]) {
          check_pair(cluster, row, static_cast<std::uint32_t>(cluster),
                     chunk.own_bits != nullptr ? chunk.own_bits[at] : all);
        }
        for (; entry < chunk.row_end[at]; ++entry)
          check_pair(cluster, row, chunk.entries[entry], all);
        for (; chunk.masked_end != nullptr && masked < chunk.masked_end[at]; ++masked)
          check_pair(cluster, row, chunk.masked[masked].cluster, chunk.masked[masked].bits);
      }
    }
  };
  for (std::int64_t c = 0; c < atoms.list.chunks(); ++c) {
    check_chunk(atoms.list.chunk(c));
    if (input.ghosts > 0) check_chunk(atoms.list.chunk_to_ghosts(c));
  }
  return fault;
}

template Fault find_far(const ClusterInput<double>&, const ClusterOrder&);
template Fault find_far(const ClusterInput<float>&, const ClusterOrder&);
template Fault investigate(const ClusterInput<double>&, const ListedAtoms<double>&);
template Fault investigate(const ClusterInput<double>&, const ListedAtoms<float>&);
template Fault investigate(const ClusterInput<float>&, const ListedAtoms<float>&);

}  // namespace tessera::openmp::cluster
