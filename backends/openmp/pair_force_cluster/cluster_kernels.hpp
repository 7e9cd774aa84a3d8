#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_KERNELS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_KERNELS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// The vector code of openmp.cluster as plain functions: one table of them for each instruction set
/// and precision, picked at run time. No vector type appears here.
///
/// A cluster is `lanes` atoms that lie close together. Its block of coordinates is x[lanes],
/// y[lanes], z[lanes], its block of forces likewise. Images of clusters have blocks of their own,
/// behind those of the clusters, and pair loops do not distinguish them.

namespace tessera::openmp::cluster {

/// How a coordinate is held inside clusters. For double arithmetic: the wrapped position. For float
/// arithmetic: a 32-bit fixed-point number in units of `quantum`, from which differences are exact
/// before they become floats; numbers wrap around, and list and padding keep every difference that
/// matters below half the range.
template <class T>
using Coordinate = std::conditional_t<std::is_same_v<T, float>, std::int32_t, double>;

/// Type of an atom, as wide as a coordinate so that both fill the same number of lanes.
template <class T>
using TypeIndex = std::conditional_t<std::is_same_v<T, float>, std::int32_t, std::int64_t>;

/// Most numbers that a form keeps for a pair of types.
inline constexpr int max_numbers = 24;

/// The numbers of each pair of types, each as a table of types x stride: the square of the cutoff
/// in the unit of the coordinates, then what the form packs.
template <class T>
struct PairTable {
  const T* numbers[max_numbers] = {};
  const T* samples = nullptr;  ///< of forms that read any
  int types = 1;
  int stride = 1;  ///< elements from one row to the next, padded to the lanes
};

/// Code of a shift: of a brick of the box's lengths to the one (sx, sy, sz) of them away, each from
/// -1 to 1. The code of the opposite shift is 2 * no_shift less it.
[[nodiscard]] constexpr int shift_code(int sx, int sy, int sz) {
  return (sx + 1) * 9 + (sy + 1) * 3 + sz + 1;
}
inline constexpr int no_shift = shift_code(0, 0, 0);
inline constexpr int shift_count = 27;
inline constexpr int max_lanes = 16;
/// Most groups of atoms that get columns of their own.
inline constexpr int max_groups = 4;

/// One chunk of the pair list: for each of its clusters `lanes` rows, one for each atom; a row is a
/// run of clusters and images in `entries`, rows are consecutive, row_end gives each one's end.
///
/// Entries of which a lane is excluded for the row's atom lie apart: `masked`, with the lanes that
/// count; own_bits are the lanes of the atom's own cluster that count. Null without exclusions.
struct MaskedEntry {
  std::uint32_t cluster;
  std::uint32_t bits;
};
struct ListChunk {
  std::size_t first_cluster = 0;
  std::size_t clusters = 0;
  const std::uint32_t* row_end = nullptr;
  const std::uint32_t* entries = nullptr;
  const std::uint32_t* masked_end = nullptr;
  const MaskedEntry* masked = nullptr;
  const std::uint32_t* own_bits = nullptr;
};

/// Bits for the two forms of a sum; the first reads no charge and the second does.
inline constexpr unsigned first_index = 1, kSecond = 2, kBoth = 3;

template <class T>
struct ForceArguments {
  const Coordinate<T>* coordinates;
  const TypeIndex<T>* types;   ///< lanes per cluster; unused with one type
  const T* charges;            ///< likewise; unused by forms that read none
  const std::uint8_t* counts;  ///< atoms of each cluster that are not padding
  T* forces;                   ///< added to
  PairTable<T> table;
  const std::uint8_t* acting;  ///< of a sum: which of its forms act on atoms of a type
  T unit_squared;              ///< square of the form's unit of length in that of the coordinates
  T inverse_unit_squared;      ///< 1 / unit_squared
  double virial_unit;          ///< energy of a force times a separation, both as they come
  double* tally;  ///< energy, virial xx yy zz xy xz yz: added to, null where not asked for
};

/// Quantities that pair loops sum in addition to forces.
enum class Tallied {
  none,
  energy,  ///< alone: a virial follows from the forces on atoms and on images
  all,     ///< energy, and the virial pair by pair
};

/// Input of the search for neighbors, the same for all clusters.
template <class T>
struct FilterArguments {
  const Coordinate<T>* coordinates;
  const std::uint8_t* counts;
  T radius_squared;  ///< of the list, in the unit of the coordinates
  /// Where pairs of types are listed by their own radii: lanes per cluster, and types x types of
  /// the squared radius; else null.
  const TypeIndex<T>* type;
  const T* radii_squared;
  int types;
};

/// Half-open range of clusters.
struct ClusterRange {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Clusters, or their images, that may be neighbors.
struct SearchRange {
  ClusterRange clusters;
  std::uint32_t offset;   ///< from a cluster to what is met: 0, or to one of its images
  float radius_squared;   ///< with a margin for the rounding of the boxes
  float low[3], high[3];  ///< the searcher's bounding box, as those of the clusters see it
};

/// A cluster, and where to look for its neighbors.
struct SearchArguments {
  std::uint32_t cluster;
  /// Bounding boxes of all clusters; max_lanes elements past the last are readable.
  const float* lower[3];
  const float* upper[3];
  const SearchRange* ranges;
  std::size_t range_count;
};

/// Output of filter. `candidates` and `active` have room for all clusters of the ranges, `entries`
/// for as many in each lane, and each for max_lanes more.
template <class T>
struct SearchResult {
  std::uint32_t* candidates;  ///< clusters and images whose boxes come within the radius
  std::size_t candidate_count;
  std::uint32_t* active;   ///< scratch
  std::uint32_t* entries;  ///< the rows one after the other
  std::uint32_t* row_end;  ///< per row, counted from `base`
  std::uint32_t base;
  T closest_squared;  ///< lowered to the least squared distance met, also inside the cluster
  T* radii_squared;   ///< scratch: max_lanes for each type
};

/// Which kernel serves a number of types.
enum class TypeCount { one, few, several, many };

/// `few` fit a vector, `several` are looked up in up to this many, `many` are gathered.
inline constexpr int several_vectors = 8;

/// The pair loops of a form: a row (cluster_kernel.cpp.in).
template <class T>
struct ForceKernels {
  int lanes;
  int numbers;        ///< of a pair of types
  int typed_numbers;  ///< the first of them, that depend on the types; `few` takes the others for
                      ///< those of all pairs
  /// Adds the forces of a chunk.
  using Force = void (*)(const ForceArguments<T>&, const ListChunk&);
  std::array<Force, 3> force[4];  ///< [TypeCount][Tallied]
};

/// Type of a row: it returns the best loops for the machine with at most `lanes` lanes (4, 8, 16).
template <class T>
using ForceKernelFunction = const ForceKernels<T>&(int lanes);

template <class T>
struct Kernels {
  const char* instruction_set;
  int lanes;
  /// Keeps, for each atom of a cluster, what of the ranges has an atom inside the radius. Returns
  /// the number of entries.
  std::size_t (*filter)(const FilterArguments<T>&, const SearchArguments&, SearchResult<T>&);
};

/// The best table for the machine with at most `lanes` lanes (4, 8, 16).
template <class T>
const Kernels<T>& kernels(int lanes);

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_KERNELS_HPP
