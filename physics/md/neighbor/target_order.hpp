#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_TARGET_ORDER_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_TARGET_ORDER_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"

#include <cstdint>

/// \file
/// The targets of a call (PairForceArgs::owned) among sorted atoms. Lists have a row for each
/// target, in the order of the atoms; without ghosts that is a row for each atom.

namespace tessera::md {

/// The atoms that have rows; kernels capture it by value.
struct TargetAtoms {
  const std::int32_t* places = nullptr;  ///< null: all atoms have rows
  std::int64_t count = 0;

  /// The place, in the sorted order, of the atom of a row.
  [[nodiscard]] TESSERA_INLINE std::int64_t operator[](std::int64_t row) const {
    return places == nullptr ? row : places[row];
  }
};

struct MarkGhosts {
  const std::int32_t* order;
  std::int64_t owned;
  std::uint32_t* keys;
  std::int32_t* places;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    keys[k] = order[k] < owned ? 0 : 1;
    places[k] = static_cast<std::int32_t>(k);
  }
};

/// Gathers the rows of the targets, in the arrays of the caller.
struct TargetRows {
  const std::int32_t* order;
  const std::int32_t* places;
  std::int32_t* rows;

  TESSERA_FUNCTION void operator()(std::int64_t t) const { rows[t] = order[places[t]]; }
};

template <ExecutionSpace Space>
class TargetOrder {
 public:
  explicit TargetOrder(Space space)
      : space_(space), keys_(space), places_(space), rows_(space), workspace_(space) {}

  /// Finds the first `owned` rows of the caller in an order of `n` atoms, which has to stay where
  /// it is.
  void build(const std::int32_t* order, std::int64_t n, std::int64_t owned) {
    atoms_ = {nullptr, owned};
    order_ = order;
    if (owned == n) return;
    keys_.require(n);
    places_.require(n);
    rows_.require(owned + 1);
    workspace_.require(Space::template sort_bytes<std::uint32_t, std::int32_t>(n));
    space_.for_each("mark ghosts", n, MarkGhosts{order, owned, keys_.data(), places_.data()});
    // The sort is stable.
    space_.sort_by_key("targets first", n, keys_.data(), places_.data(), 1, workspace_.get());
    space_.for_each("target rows", owned, TargetRows{order, places_.data(), rows_.data()});
    atoms_.places = places_.data();
    order_ = rows_.data();
  }

  [[nodiscard]] const TargetAtoms& atoms() const { return atoms_; }
  [[nodiscard]] bool has_ghosts() const { return atoms_.places != nullptr; }
  /// The caller's row of each target, in the sorted order.
  [[nodiscard]] const std::int32_t* order() const { return order_; }

 private:
  Space space_;
  TargetAtoms atoms_;
  const std::int32_t* order_ = nullptr;
  Buffer<std::uint32_t, Space> keys_;
  Buffer<std::int32_t, Space> places_;
  Buffer<std::int32_t, Space> rows_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_TARGET_ORDER_HPP
