#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_ORDER_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_ORDER_HPP

#include "backends/gpu/pair_force_cluster/clusters.hpp"
#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/box.hpp"
#include "physics/md/neighbor/atom_bounds.hpp"
#include "physics/md/neighbor/cell_grid.hpp"
#include "physics/md/neighbor/exclusion_filter.hpp"
#include "physics/md/neighbor/image_range.hpp"
#include "physics/md/reduced_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

/// \file
/// Bodies of loops that derive the order of clusters from positions. Atoms are sorted along the
/// first lattice vector and cut into slabs of equal numbers of atoms. The atoms of a slab are
/// sorted along the second vector and cut into columns, those of a column are sorted along the
/// third. 64 atoms in this order are a super-cluster. It is halved across its longest edge,
/// repeatedly, down to clusters and halves of clusters. Because the cuts are by numbers of atoms,
/// clusters are compact for any distribution of atoms, and neither time nor memory depends on the
/// volume.

namespace tessera::gpu::pair_force_cluster {

/// Calls visit(k, other) with the places, in the order of clusters, of every listed pair of an
/// item of the list.
template <class Visit>
TESSERA_INLINE void for_each_pair(const PairList& list, std::int64_t item, const Visit& visit) {
  for (std::int32_t e = 0; e < list.items[item].count; ++e) {
    const Entry entry = list.entries[item * list.item_capacity + e];
    const std::uint8_t* const bytes =
        list.bits + (item * list.item_capacity + entry.slot()) * lanes_of_tile;
    for (int c = 0; c < super_clusters; ++c) {
      if ((entry.mask() >> c & 1u) == 0) continue;
      for (int lane = 0; lane < lanes_of_tile; ++lane)
        if ((bytes[lane] >> c & 1) != 0)
          visit(
              std::int64_t{list.items[item].super} * super_atoms + c * cluster_atoms + own_of(lane),
              std::int64_t{entry.half} * half_atoms + other_of(lane));
    }
  }
}

/// Conversion of positions to 32-bit fractions of the lattice vectors, and lengths of fractions.
struct Fractions {
  double lower[3] = {};
  double inverse_length[3] = {};
  double tilt[3] = {};  ///< xy, xz, yz
  bool periodic[3] = {};
  double step[3] = {};    ///< length of 2^-32 of a vector, measured perpendicular to the faces
  double extent[3] = {};  ///< width of the box where it is periodic, else extent of the atoms

  Fractions() = default;
  /// \param box box with reduced tilts.
  /// \param radius cutoff and skin.
  Fractions(const md::Box& box, const md::AtomBounds& atom_bounds, double radius) {
    for (int d = 0; d < 3; ++d) {
      periodic[d] = box.periodic[d];
      const double spread = atom_bounds.high[d] - atom_bounds.low[d];
      // A direction that is not periodic gets a length of which differences of positions are at
      // most 2/5, and around which distances are longer than the radius, so that nothing wraps.
      const double length = periodic[d] ? box.length[d] : 2.5 * std::fmax(spread, radius);
      lower[d] = periodic[d] ? box.lower[d] : atom_bounds.low[d];
      inverse_length[d] = 1 / length;
      tilt[d] = box.tilt[d];
      const double between_faces = periodic[d] ? md::width_between_faces(box, d) : length;
      step[d] = between_faces / 4294967296.0;
      extent[d] = periodic[d] ? between_faces : spread;
    }
  }

  /// Converts a position to fractions.
  /// \param images out: number of lattice vectors from the box to the image with the position.
  /// \returns false, with fractions of 0, where the position is not finite or out of range.
  TESSERA_INLINE bool take(const Vec3<double>& r, std::uint32_t (&place)[3],
                           Vec3<double>& images) const {
    const double c = (r.z - lower[2]) * inverse_length[2];
    const double b = (r.y - lower[1] - tilt[2] * c) * inverse_length[1];
    const double a = (r.x - lower[0] - tilt[0] * b - tilt[1] * c) * inverse_length[0];
    if (take(a, 0, place[0], images.x) && take(b, 1, place[1], images.y) &&
        take(c, 2, place[2], images.z))
      return true;
    for (int d = 0; d < 3; ++d)
      place[d] = 0;
    return false;
  }

 private:
  TESSERA_INLINE bool take(double share, int d, std::uint32_t& place, double& image) const {
    image = periodic[d] ? floor(share) : 0;
    const double part = share - image;
    // Rounding may give a part of 1. The condition is written so that it rejects NaN.
    if (!(part >= 0 && part <= 1)) return false;
    const double steps = part * 4294967296.0;
    place = steps < 4294967295.0 ? static_cast<std::uint32_t>(steps) : 4294967295u;
    return true;
  }
};

/// Numbers of atoms of a slab and of a column.
struct Arrangement {
  std::int64_t slab = super_atoms;    ///< a multiple of `column`
  std::int64_t column = super_atoms;  ///< a multiple of super_atoms

  /// The arrangement whose super-clusters are most nearly cubes.
  /// \param extent lengths of the region with the atoms.
  static Arrangement of(std::int64_t atoms, const double (&extent)[3]) {
    const std::int64_t supers = std::max<std::int64_t>(supers_for(atoms), 1);
    bool is_thin[3] = {};
    double parts[3] = {1, 1, 1};
    // A direction in which the region is thinner than a super-cluster is not cut; the others are
    // then cut into more parts.
    for (bool again = true; again;) {
      again = false;
      double product = 1;
      int cut = 0;
      for (int d = 0; d < 3; ++d)
        if (!is_thin[d]) {
          product *= extent[d] > 0 ? extent[d] : 0;
          ++cut;
        }
      if (cut == 0) break;
      const double edge = std::pow(product / static_cast<double>(supers), 1.0 / cut);
      for (int d = 0; d < 3; ++d) {
        if (is_thin[d]) continue;
        parts[d] = edge > 0 ? extent[d] / edge : 1;
        if (!(extent[d] > 0) || parts[d] < 1) {
          parts[d] = 1;
          is_thin[d] = again = true;
        }
      }
    }
    const auto whole = [&](int d) {
      return std::clamp<std::int64_t>(
          static_cast<std::int64_t>(std::fmin(std::round(parts[d]), 1e9)), 1, supers);
    };
    const std::int64_t slabs = whole(0);
    const std::int64_t columns = whole(1);
    const std::int64_t in_slab = (supers + slabs - 1) / slabs;
    const std::int64_t in_column = (in_slab + columns - 1) / columns;
    Arrangement arrangement;
    arrangement.column = in_column * super_atoms;
    arrangement.slab = (in_slab + in_column - 1) / in_column * arrangement.column;
    return arrangement;
  }
};

template <class Storage>
[[nodiscard]] TESSERA_INLINE Vec3<double> place_of(const View<const Storage, 2>& positions,
                                                   std::int64_t i) {
  return {static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
          static_cast<double>(positions(i, 2))};
}

/// Writes atoms in the order of the caller's arrays, with keys that sort them along the first
/// lattice vector.
template <class Storage>
struct GatherPositions {
  View<const Storage, 2> positions;
  Fractions fractions;
  Candidate* given;
  std::uint64_t* keys;
  std::int32_t* order;

  /// \param images in and out: range of the images of the box in which atoms are.
  TESSERA_FUNCTION void operator()(std::int64_t i, md::ImageRange& images) const {
    Candidate& atom = given[i];
    Vec3<double> image{0, 0, 0};
    const auto row = static_cast<std::int32_t>(i);
    const bool is_one = fractions.take(place_of(positions, i), atom.place, image);
    atom.atom = is_one ? row : ~row;
    if (is_one) images.add(image);
    keys[i] = atom.place[0];
    order[i] = row;
  }
};

/// Writes keys that sort atoms within slabs, or columns, of `group` atoms along direction `along`.
struct PositionKeys {
  const Candidate* given;
  const std::int32_t* order;
  std::int64_t group;
  int along;
  std::uint64_t* keys;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    keys[k] = static_cast<std::uint64_t>(k / group) << 32 | given[order[k]].place[along];
  }
};

/// Copies atoms into the sorted order, and fills up the last super-cluster with no_atom.
struct SortCandidates {
  const Candidate* given;
  const std::int32_t* order;
  std::int64_t atoms;
  Candidate* sorted;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    if (k < atoms)
      sorted[k] = given[order[k]];
    else
      sorted[k] = {{0, 0, 0}, Candidate::no_atom};
  }
};

/// Sorts each group of `group` atoms along the longest edge of its bounding box. Atoms that are
/// nowhere sort last, padding after them.
struct HalveGroups {
  const Candidate* from;
  Candidate* to;
  std::int32_t group;
  float edge[3];

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t first = k / group * group;
    ClusterBox box;
    for (std::int32_t a = 0; a < group; ++a)
      box.add(from[first + a]);
    int along = 0;
    float longest = -1;
    for (int d = 0; d < 3; ++d) {
      const float length =
          box.is_empty() ? 0 : static_cast<float>(box.high[d] - box.low[d]) * edge[d];
      if (length > longest) {
        longest = length;
        along = d;
      }
    }
    const Candidate me = from[k];
    const std::uint64_t mine = key(me, along);
    std::int32_t rank = 0;
    for (std::int32_t a = 0; a < group; ++a) {
      const std::uint64_t its = key(from[first + a], along);
      rank += its < mine || (its == mine && first + a < k) ? 1 : 0;
    }
    to[first + rank] = me;
  }

 private:
  [[nodiscard]] static TESSERA_INLINE std::uint64_t key(const Candidate& atom, int along) {
    if (atom.is_somewhere()) return atom.place[along];
    return std::uint64_t{atom.atom == Candidate::no_atom ? 2u : 1u} << 32;
  }
};

struct BoxClusters {
  const Candidate* atoms;
  ClusterBox* clusters;

  TESSERA_FUNCTION void operator()(std::int64_t c) const {
    ClusterBox box;
    for (int a = 0; a < cluster_atoms; ++a)
      box.add(atoms[c * cluster_atoms + a]);
    clusters[c] = box;
  }
};

/// Joins each group of `group` boxes into one box; the last group may have fewer.
struct JoinBoxes {
  const ClusterBox* parts;
  std::int64_t part_count;
  std::int32_t group;
  ClusterBox* boxes;

  TESSERA_FUNCTION void operator()(std::int64_t b) const {
    ClusterBox box;
    for (std::int64_t p = b * group; p < (b + 1) * group && p < part_count; ++p)
      box.join(parts[p]);
    boxes[b] = box;
  }
};

/// Writes, for each place in the order of clusters, the row in the caller's arrays and the type,
/// and for each row its place.
struct WriteOrder {
  const Candidate* atoms;
  View<const std::int32_t, 1> given_types;
  std::int32_t* order;
  std::int32_t* rank;
  std::int32_t* types;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    const std::int32_t row = atoms[k].row();
    order[k] = row;
    rank[row] = static_cast<std::int32_t>(k);
    types[k] = given_types(row);
  }
};

/// Finds the range of places of the excluded partners behind each atom. `wrong` becomes 1 plus the
/// largest row of an atom whose exclusions contain itself or a row that does not exist; it stays 0
/// where there is none.
struct FindExcluded {
  md::Exclusions exclusions;
  const std::int32_t* order;
  const std::int32_t* rank;
  std::int64_t atoms;
  ExcludedRange* ranges;

  TESSERA_FUNCTION void operator()(std::int64_t k, std::int64_t& wrong) const {
    const std::int64_t i = order[k];
    ExcludedRange range;
    for (std::int32_t e = exclusions.offsets(i); e < exclusions.offsets(i + 1); ++e) {
      const std::int64_t partner = exclusions.partners(e);
      if (partner < 0 || partner >= atoms || partner == i) {
        if (i + 1 > wrong) wrong = i + 1;
        continue;
      }
      const std::int32_t other = rank[partner];
      if (other < k) continue;
      if (other < range.first) range.first = other;
      if (other > range.last) range.last = other;
    }
    ranges[k] = range;
  }
};

/// Finds a listed pair of atoms at the same position. `coincident` becomes 1 plus the places of
/// both atoms in the order of clusters, in 32 bits each; it stays 0 where there is no such pair.
template <class Storage>
struct FindCoincident {
  View<const Storage, 2> positions;
  const std::int32_t* order;
  md::CellGrid folding;
  md::MinimumImage image;
  PairList list;

  TESSERA_FUNCTION void operator()(std::int64_t item, std::int64_t& coincident) const {
    for_each_pair(list, item, [&](std::int64_t k, std::int64_t other) {
      const Vec3<double> mine = place_of(positions, order[k]);
      const Vec3<double> theirs = place_of(positions, order[other]);
      // Rounding in the folding may remove a difference of two positions, or create one.
      const bool met = coincide(mine, theirs) || coincide(folding.fold(mine), folding.fold(theirs));
      const std::int64_t pair = (k + 1) << 32 | (other + 1);
      if (met && pair > coincident) coincident = pair;
    });
  }

 private:
  [[nodiscard]] TESSERA_INLINE bool coincide(const Vec3<double>& a, const Vec3<double>& b) const {
    const Vec3<double> r = image(a - b);
    return r.x == 0 && r.y == 0 && r.z == 0;
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_ORDER_HPP
