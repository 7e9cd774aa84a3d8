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
/// A cluster is `lanes` atoms that are close together. Its block of coordinates is x[lanes],
/// y[lanes], z[lanes], and so is its block of forces; where the potential writes torques, they
/// follow in the same order. Images of clusters have blocks of their own,
/// behind those of the clusters; pair loops treat them like clusters.

namespace tessera::openmp::cluster {

/// Type of a coordinate of an atom of a cluster. In double arithmetic: the wrapped position. In
/// float arithmetic: a 32-bit fixed-point number in units of Scale::quantum, whose differences are
/// exact before they become floats. These numbers wrap around; list and padding ensure that every
/// difference that is used is below half of the range.
template <class T>
using Coordinate = std::conditional_t<std::is_same_v<T, float>, std::int32_t, double>;

/// Type of an atom, as wide as a coordinate so that both fill the same number of lanes.
template <class T>
using TypeIndex = std::conditional_t<std::is_same_v<T, float>, std::int32_t, std::int64_t>;

/// Largest number of coefficients ("numbers") of a form for a pair of types.
inline constexpr int max_numbers = 64;

/// The numbers of each pair of types, each number in a table of types x stride. Number 0 is the
/// squared cutoff in the unit of coordinates; the coefficients of the form follow.
template <class T>
struct PairTable {
  const T* numbers[max_numbers] = {};
  const T* samples = nullptr;  ///< used by forms that have any
  int types = 1;
  int stride = 1;  ///< elements from one row to the next, a multiple of the lanes
};

/// Code of the shift (see Shifts) to the brick that is sx, sy and sz box lengths away, each from -1
/// to 1. The code of the opposite shift is 2 * no_shift minus this code.
[[nodiscard]] constexpr int shift_code(int sx, int sy, int sz) {
  return (sx + 1) * 9 + (sy + 1) * 3 + sz + 1;
}
inline constexpr int no_shift = shift_code(0, 0, 0);
inline constexpr int shift_count = 27;
inline constexpr int max_lanes = 16;
/// Largest number of groups of atoms (AtomGroups): the classes of targets and those of ghosts.
inline constexpr int max_groups = 8;

/// Entry of a row of which a lane is excluded for the atom of the row.
struct MaskedEntry {
  std::uint32_t cluster;  ///< cluster or image
  std::uint32_t bits;     ///< one bit per lane; 0: excluded
};
/// One chunk of the pair list. Each of its clusters has `lanes` rows, one per atom. A row is a run
/// of clusters and images in `entries`; rows are consecutive, and row_end has the end of each.
///
/// `masked` has the entries with an excluded lane, by row with the ends masked_end. own_bits has
/// for each row the lanes of the atom's own cluster that are not excluded. All three are null
/// without exclusions.
struct ListChunk {
  std::size_t first_cluster = 0;
  std::size_t clusters = 0;
  const std::uint32_t* row_end = nullptr;
  const std::uint32_t* entries = nullptr;
  const std::uint32_t* masked_end = nullptr;
  const MaskedEntry* masked = nullptr;
  const std::uint32_t* own_bits = nullptr;
};

/// Bits for the forms of a sum of two forms (acting_on()); the first reads no charges and the
/// second does.
inline constexpr unsigned first_form = 1, second_form = 2, both_forms = 3;

template <class T>
struct ForceArguments {
  const Coordinate<T>* coordinates;
  const TypeIndex<T>* types;  ///< by slot; unused with one type
  /// Values that the potential reads of the atoms: a block of components x lanes for each cluster.
  const T* values;
  const std::uint8_t* counts;  ///< number of atoms of each cluster, without padding
  T* forces;                   ///< in and out: blocks of forces and torques
  PairTable<T> table;
  const std::uint8_t* acting;  ///< sum of forms: by type, bits of the forms that act on its atoms
  T unit_squared;              ///< square of the form's unit of length, in the unit of coordinates
  T inverse_unit_squared;      ///< 1 / unit_squared
  T unit;                      ///< the form's unit of length, in the unit of coordinates
  T inverse_unit;              ///< 1 / unit
  double virial_unit;  ///< factor of force times separation in the loop that gives an energy
  double* tally;       ///< in and out: energy, virial xx yy zz xy xz yz; null: not requested
};

/// Quantities that pair loops sum in addition to forces.
enum class Tallied {
  none,
  energy,  ///< energy; the virial may follow from the forces on atoms and images (force_store.hpp)
  all,     ///< energy, and the virial summed pair by pair
};

/// Input of the search for neighbors, the same for all clusters.
template <class T>
struct FilterArguments {
  const Coordinate<T>* coordinates;
  const std::uint8_t* counts;
  T radius_squared;          ///< squared list radius, in the unit of coordinates
  const TypeIndex<T>* type;  ///< by slot; used with radii_squared
  const T* radii_squared;    ///< types x types; null where all pairs have radius_squared
  int types;
};

/// Half-open range of clusters.
struct ClusterRange {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Range of clusters, or of their images at one shift, that may be neighbors of a cluster.
struct SearchRange {
  ClusterRange clusters;
  std::uint32_t offset;   ///< from the number of a cluster to that of its image; 0: no images
  float radius_squared;   ///< with a margin for the rounding of the boxes
  float low[3], high[3];  ///< bounding box of the searching cluster, moved by minus the shift
};

/// A searching cluster, and the ranges that may contain its neighbors.
struct SearchArguments {
  std::uint32_t cluster;
  /// Bounding boxes of all clusters; max_lanes elements past the last are readable.
  const float* lower[3];
  const float* upper[3];
  const SearchRange* ranges;
  std::size_t range_count;
};

/// Output of Kernels::filter. `candidates` and `active` have room for all clusters of the ranges,
/// `entries` for as many per lane, and each of them for max_lanes more.
template <class T>
struct SearchResult {
  std::uint32_t* candidates;  ///< clusters and images whose boxes are within the radius
  std::size_t candidate_count;
  std::uint32_t* active;   ///< scratch
  std::uint32_t* entries;  ///< entries of the rows, one row after the other
  std::uint32_t* row_end;  ///< end of each row: `base` plus its index in `entries`
  std::uint32_t base;
  T closest_squared;  ///< in and out: smallest squared distance of two atoms, also in the cluster
  T* radii_squared;   ///< scratch: max_lanes for each type
};

/// Classes of numbers of types, each with a kernel: for `few` the row of a table fits into a
/// vector, for `several` into several_vectors, for `many` lanes gather from memory.
enum class TypeCount { one, few, several, many };
inline constexpr int several_vectors = 8;

/// The pair loops of a form, compiled by a row source (cluster_kernel.cpp.in).
template <class T>
struct ForceKernels {
  int lanes;
  int sums;     ///< number of sums of an atom: 3 components of the force, and 3 of the torque
  int numbers;  ///< number of numbers of a pair of types
  /// Number of the first numbers that depend on the types; kernels for `few` types require that the
  /// others are the same for all pairs.
  int typed_numbers;
  /// Adds the forces of a chunk.
  using Force = void (*)(const ForceArguments<T>&, const ListChunk&);
  std::array<Force, 3> force[4];  ///< [TypeCount][Tallied]
};

/// Type of the function of a form in openmp.cluster (see md::PairKernels). It returns the best
/// loops for the processor with at most `lanes` lanes of float (4, 8, 16).
template <class T>
using ForceKernelFunction = const ForceKernels<T>&(int lanes);

template <class T>
struct Kernels {
  const char* instruction_set;
  int lanes;
  /// Finds, for each atom of a cluster, the clusters and images of the ranges that have an atom
  /// within the radius. \returns number of entries.
  std::size_t (*filter)(const FilterArguments<T>&, const SearchArguments&, SearchResult<T>&);
};

/// The best kernels for the processor with at most `lanes` lanes of float (4, 8, 16).
template <class T>
const Kernels<T>& kernels(int lanes);

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_KERNELS_HPP
