#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_EXCLUSION_FILTER_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_EXCLUSION_FILTER_HPP

#include "core/base/device_code.hpp"
#include "core/base/error.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/neighbor/cell_grid.hpp"
#include "physics/md/neighbor/cell_order.hpp"
#include "physics/md/neighbor/target_order.hpp"
#include "physics/md/pair_force/pair_force.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

/// \file
/// Removes excluded pairs from full neighbor lists in cell order, then checks the remaining pairs
/// for two atoms at the same position.

namespace tessera::md {

/// Computes the rank of each atom in cell order.
struct InvertOrder {
  const std::int32_t* order;
  std::int32_t* rank;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    rank[order[k]] = static_cast<std::int32_t>(k);
  }
};

/// Finds wrong exclusions: `wrong` becomes the largest atom + 1 whose exclusions name itself or an
/// atom that does not exist.
struct CheckExclusions {
  Exclusions exclusions;
  const std::int32_t* order;
  std::int64_t atoms;
  TargetAtoms targets;

  TESSERA_FUNCTION void operator()(std::int64_t row, std::int64_t& wrong) const {
    const std::int64_t i = order[targets[row]];
    for (std::int32_t e = exclusions.offsets(i); e < exclusions.offsets(i + 1); ++e) {
      const std::int64_t partner = exclusions.partners(e);
      const bool valid = partner >= 0 && partner < atoms && partner != i;
      if (!valid && i + 1 > wrong) wrong = i + 1;
    }
  }
};

/// Removes excluded pairs from the rows of a matrix with `row(k)` and `counts`. Rows are padded
/// with their own atom to a multiple of the lanes. Rows that have outgrown their memory stay as
/// they are, as the caller cannot use them.
template <class Matrix>
struct DropExcluded {
  Exclusions exclusions;  ///< valid
  const std::int32_t* order;
  const std::int32_t* rank;
  TargetAtoms targets;
  Matrix matrix;
  int lanes;
  std::int32_t capacity;  ///< slots of a row

  TESSERA_FUNCTION void operator()(std::int64_t row) const {
    const std::int64_t k = targets[row];
    const std::int64_t i = order[k];
    const auto entries = matrix.row(row);
    std::int32_t count = matrix.counts[row];
    if (count > capacity) return;
    const std::int32_t before = count;
    for (std::int32_t e = exclusions.offsets(i); e < exclusions.offsets(i + 1); ++e) {
      const std::int32_t slot = find(entries, count, rank[exclusions.partners(e)]);
      if (slot < count) entries[slot] = entries[--count];
    }
    if (count == before) return;
    matrix.counts[row] = count;
    for (std::int32_t slot = count; slot < before || slot % lanes != 0; ++slot)
      entries[slot] = static_cast<std::int32_t>(k);
  }

 private:
  /// First of `count` slots with this entry; `count` where none has it.
  template <class Row>
  [[nodiscard]] static TESSERA_INLINE std::int32_t find(const Row& entries, std::int32_t count,
                                                        std::int32_t entry) {
    // Slots are read some at a time, so that a GPU does not wait for each of them.
    constexpr std::int32_t together = 8;
    std::int32_t slot = 0;
    for (; slot + together <= count; slot += together) {
      std::int32_t other[together];
      for (std::int32_t t = 0; t < together; ++t)
        other[t] = entries[slot + t];
      for (std::int32_t t = 0; t < together; ++t)
        if (other[t] == entry) return slot + t;
    }
    while (slot < count && entries[slot] != entry)
      ++slot;
    return slot;
  }
};

/// Finds a listed pair of atoms at the same position, encoded as for CellOrder::refuse.
template <class Storage, class Matrix>
struct FindCoincident {
  View<const Storage, 2> positions;
  const std::int32_t* order;
  CellGrid grid;
  MinimumImage image;
  TargetAtoms targets;
  Matrix matrix;

  TESSERA_FUNCTION void operator()(std::int64_t row, std::int64_t& coincident) const {
    const std::int64_t k = targets[row];
    const Vec3<double> mine = position(k);
    const auto entries = matrix.row(row);
    for (std::int32_t slot = 0; slot < matrix.counts[row]; ++slot) {
      const std::int64_t other = entries[slot];
      const Vec3<double> theirs = position(other);
      // Searches compare either the given or the folded positions; rounding may make one coincide
      // and not the other.
      const bool met = coincide(mine, theirs) || coincide(grid.fold(mine), grid.fold(theirs));
      const std::int64_t pair = (k + 1) << 32 | (other + 1);
      if (met && pair > coincident) coincident = pair;
    }
  }

 private:
  [[nodiscard]] TESSERA_INLINE Vec3<double> position(std::int64_t k) const {
    const std::int64_t i = order[k];
    return {static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
            static_cast<double>(positions(i, 2))};
  }
  [[nodiscard]] TESSERA_INLINE bool coincide(const Vec3<double>& a, const Vec3<double>& b) const {
    const Vec3<double> r = image(a - b);
    return r.x == 0 && r.y == 0 && r.z == 0;
  }
};

struct LargerIndex {
  TESSERA_FUNCTION void operator()(std::int64_t& into, const std::int64_t& from) const {
    if (from > into) into = from;
  }
};

[[noreturn]] inline void throw_wrong_exclusion(std::int64_t atom) {
  throw ParticleError({atom}, "the exclusions of atom " + std::to_string(atom) +
                                  " name itself or an atom that does not exist");
}

template <ExecutionSpace Space>
class ExclusionFilter {
 public:
  explicit ExclusionFilter(Space space)
      : space_(space), rank_(space), result_(space, 1), workspace_(space) {}

  /// Last step of a search: removes the pairs that `args` exclude, and rejects the atoms of a
  /// remaining pair at the same position.
  /// \param box of the search
  /// \param targets the atoms of the rows of the matrix
  /// \param matrix the lists, in the order of `cells`
  /// \param coincident a pair at the same position that the search recorded, as for
  ///         CellOrder::refuse
  /// \throws ParticleError naming an atom whose exclusions are invalid; CoincidentAtoms.
  template <class Storage, class Matrix>
  void apply(const PairForceArgs<Storage>& args, const Box& box, const CellOrder<Space>& cells,
             const TargetAtoms& targets, const Matrix& matrix, int lanes, std::int64_t coincident) {
    const std::int64_t n = args.positions.extent(0);
    if (args.exclusions.given() && targets.count > 0) {
      accept(args.exclusions, n, cells.order(), targets);
      drop(args.exclusions, n, cells.order(), targets, matrix, lanes,
           std::numeric_limits<std::int32_t>::max());
    }
    // The recorded pair may be excluded or of two ghosts, and another coincident pair may be
    // neither: searches the remaining lists.
    if (coincident != 0 && (args.exclusions.given() || args.targets() < n))
      coincident =
          largest("find coincident", targets.count,
                  FindCoincident<Storage, Matrix>{args.positions, cells.order(), cells.grid(),
                                                  MinimumImage(box), targets, matrix});
    cells.refuse(coincident);
  }

  /// \throws ParticleError naming an atom whose exclusions are invalid.
  void accept(const Exclusions& exclusions, std::int64_t atoms, const std::int32_t* order,
              const TargetAtoms& targets) {
    const std::int64_t wrong = largest("check exclusions", targets.count,
                                       CheckExclusions{exclusions, order, atoms, targets});
    if (wrong > 0) throw_wrong_exclusion(wrong - 1);
  }

  /// Removes the pairs of accepted exclusions from new lists of all atoms, without waiting for the
  /// device. Lists that are longer than `capacity` stay as they are.
  template <class Matrix>
  void drop_again(const Exclusions& exclusions, std::int64_t atoms, const std::int32_t* order,
                  const Matrix& matrix, int lanes, std::int32_t capacity) {
    if (exclusions.given())
      drop(exclusions, atoms, order, {nullptr, atoms}, matrix, lanes, capacity);
  }

  /// The place of each atom in `order`, in memory that the next call overwrites.
  [[nodiscard]] const std::int32_t* ranks(std::int64_t atoms, const std::int32_t* order) {
    rank_.require(atoms);
    space_.for_each("invert order", atoms, InvertOrder{order, rank_.data()});
    return rank_.data();
  }

 private:
  template <class Matrix>
  void drop(const Exclusions& exclusions, std::int64_t atoms, const std::int32_t* order,
            const TargetAtoms& targets, const Matrix& matrix, int lanes, std::int32_t capacity) {
    space_.for_each("drop excluded", targets.count,
                    DropExcluded<Matrix>{exclusions, order, ranks(atoms, order), targets, matrix,
                                         lanes, capacity});
  }

  /// The largest result of the body, at least 0.
  template <class Body>
  [[nodiscard]] std::int64_t largest(const char* label, std::int64_t atoms, const Body& body) {
    workspace_.require(Space::template reduce_bytes<std::int64_t>(atoms));
    space_.reduce(label, atoms, std::int64_t{0}, body, LargerIndex{}, result_.data(),
                  workspace_.get());
    return result_.read();
  }

  Space space_;
  Buffer<std::int32_t, Space> rank_;
  Buffer<std::int64_t, Space> result_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_EXCLUSION_FILTER_HPP
