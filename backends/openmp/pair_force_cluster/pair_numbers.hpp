// Included once for each instruction set, hence without an include guard: see cluster_lanes.hpp.
#if defined(TESSERA_PAIR_NUMBERS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_PAIR_NUMBERS
#undef TESSERA_PAIR_NUMBERS
#else
#define TESSERA_PAIR_NUMBERS
#endif

#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"

#include <hwy/highway.h>

#include <cstddef>

/// \file
/// Lookup of the numbers of a form for the type of an atom and the types of a cluster, one class
/// for each TypeCount.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::cluster::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Number of numbers of a pair of types: the cutoff and the coefficients of the form.
template <class Potential>
constexpr int number_count = 1 + Potential::traits.width;
/// Number of the first numbers that depend on the types of a pair.
template <class Potential>
constexpr int typed_number_count = 1 + Potential::traits.typed_width();
template <class D>
using TypeTag = hn::Rebind<TypeIndex<hn::TFromD<D>>, D>;

/// The numbers of the only pair of types, which stay in registers.
template <class D, class Potential>
struct OneType {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  V value[number_count<Potential>];

  HWY_INLINE explicit OneType(const PairTable<T>& table) {
    for (int k = 0; k < number_count<Potential>; ++k)
      value[k] = hn::Set(D(), table.numbers[k][0]);
  }
  HWY_INLINE void select_row(TypeIndex<T>) {}
  HWY_INLINE void select_lanes(const TypeIndex<T>*) {}
  HWY_INLINE V pick(int k) const { return value[k]; }
};

/// The row of each table for the type of the present atom, in one register; lanes pick their
/// numbers by a permutation. Numbers that do not depend on types are the same in all lanes.
template <class D, class Potential>
struct FewTypes {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  const PairTable<T>& table;
  V row[number_count<Potential>];
  decltype(hn::SetTableIndices(D(), static_cast<const TypeIndex<T>*>(nullptr))) lanes;

  HWY_INLINE explicit FewTypes(const PairTable<T>& pair_table)
      : table(pair_table), lanes(hn::IndicesFromVec(D(), hn::Zero(TypeTag<D>()))) {
    for (int k = 0; k < number_count<Potential>; ++k)
      row[k] =
          k < typed_number_count<Potential> ? hn::Zero(D()) : hn::Set(D(), table.numbers[k][0]);
  }
  HWY_INLINE void select_row(TypeIndex<T> type) {
    const std::size_t at = static_cast<std::size_t>(type) * static_cast<std::size_t>(table.stride);
    for (int k = 0; k < typed_number_count<Potential>; ++k)
      row[k] = hn::Load(D(), table.numbers[k] + at);
  }
  HWY_INLINE void select_lanes(const TypeIndex<T>* types) {
    lanes = hn::IndicesFromVec(D(), hn::Load(TypeTag<D>(), types));
  }
  HWY_INLINE V pick(int k) const {
    return k < typed_number_count<Potential> ? hn::TableLookupLanes(row[k], lanes) : row[k];
  }
};

/// The row of each table for the type of the present atom, in memory, and the types of the lanes of
/// the present cluster.
template <class D>
struct RowInMemory {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  const PairTable<T>& table;
  std::size_t row = 0;
  hn::Vec<TypeTag<D>> types;

  HWY_INLINE explicit RowInMemory(const PairTable<T>& pair_table)
      : table(pair_table), types(hn::Zero(TypeTag<D>())) {}

  HWY_INLINE void select_row(TypeIndex<T> type) {
    row = static_cast<std::size_t>(type) * static_cast<std::size_t>(table.stride);
  }
  HWY_INLINE void select_lanes(const TypeIndex<T>* cluster_types) {
    types = hn::Load(TypeTag<D>(), cluster_types);
  }
  HWY_INLINE const T* numbers(int k) const { return table.numbers[k] + row; }
};

/// Rows of up to several_vectors vectors. Lanes permute each of them and keep the result of the
/// vector that has their type.
template <class D, class Potential>
struct SeveralTypes : RowInMemory<D> {
  using typename RowInMemory<D>::T;
  using typename RowInMemory<D>::V;

  HWY_INLINE explicit SeveralTypes(const PairTable<T>& pair_table) : RowInMemory<D>(pair_table) {}

  HWY_INLINE V pick(int k) const {
    constexpr auto lane_count = static_cast<TypeIndex<T>>(hn::MaxLanes(D()));
    const D d;
    const TypeTag<D> dt;
    const auto part = hn::And(this->types, hn::Set(dt, -lane_count));
    const auto lanes = hn::IndicesFromVec(d, hn::And(this->types, hn::Set(dt, lane_count - 1)));
    V value = hn::Zero(d);
    for (TypeIndex<T> first = 0; first < this->table.stride; first += lane_count) {
      const auto mine = hn::RebindMask(d, hn::Eq(part, hn::Set(dt, first)));
      const T* const from = this->numbers(k) + static_cast<std::size_t>(first);
      value = hn::IfThenElse(mine, hn::TableLookupLanes(hn::Load(d, from), lanes), value);
    }
    return value;
  }
};

/// Rows of any length, from which lanes gather.
template <class D, class Potential>
struct ManyTypes : RowInMemory<D> {
  using typename RowInMemory<D>::T;
  using typename RowInMemory<D>::V;

  HWY_INLINE explicit ManyTypes(const PairTable<T>& pair_table) : RowInMemory<D>(pair_table) {}

  HWY_INLINE V pick(int k) const { return hn::GatherIndex(D(), this->numbers(k), this->types); }
};

}  // namespace tessera::openmp::cluster::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
