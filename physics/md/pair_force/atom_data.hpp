#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_ATOM_DATA_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_ATOM_DATA_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <cstdint>

/// \file
/// The values of atoms that potentials read (potentials::AtomData), as columns of the arrays of a
/// call. Kernels pack them for a potential without knowing which ones it reads.

namespace tessera::md {

/// One column of an array, divided by its unit.
template <class Storage>
struct AtomColumn {
  const Storage* data = nullptr;  ///< null: 0 for all atoms
  std::int64_t stride = 1;
  int length = 0;  ///< the unit is one of charge times this power of the unit of length
  double inverse_unit = 1;

  [[nodiscard]] TESSERA_FUNCTION double operator()(std::int64_t atom) const {
    return data == nullptr ? 0 : static_cast<double>(data[atom * stride]) * inverse_unit;
  }
};

/// The columns of the values in a set, in the order of potentials::atom_values().
template <class Storage>
struct AtomColumns {
  static constexpr int most = 8;

  AtomColumn<Storage> column[most];
  int count = 0;   ///< potentials::atom_components() of the set
  int stride = 0;  ///< potentials::atom_stride() of the set

  [[nodiscard]] AtomColumns in_units(const PairUnits& units) const {
    AtomColumns scaled = *this;
    for (AtomColumn<Storage>& one : scaled.column)
      one.inverse_unit = 1 / (one.length == 0 ? units.charge : units.charge * units.length);
    return scaled;
  }
};

/// The columns in the units of the caller.
template <class Storage>
[[nodiscard]] AtomColumns<Storage> atom_columns(unsigned reads,
                                                const PairForceArgs<Storage>& args) {
  AtomColumns<Storage> columns;
  columns.stride = potentials::atom_stride(reads);
  if ((reads & AtomData::charge) != 0)
    columns.column[columns.count++] = {args.charges.data, args.charges.strides[0], 0};
  if ((reads & AtomData::dipole) != 0)
    for (std::int64_t d = 0; d < 3; ++d)
      columns.column[columns.count++] = {
          args.dipoles.given() ? args.dipoles.data + d * args.dipoles.strides[1] : nullptr,
          args.dipoles.strides[0], 1};
  return columns;
}

/// Packs the values of atoms in a given order, `stride` elements for each atom.
template <class Storage, class Real>
struct PackAtomData {
  AtomColumns<Storage> columns;
  const std::int32_t* order;
  Real* packed;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    // Bounds that the compiler knows, because it would index the columns in local memory otherwise.
    for (int c = 0; c < AtomColumns<Storage>::most; ++c)
      if (c < columns.count)
        packed[k * columns.stride + c] = static_cast<Real>(columns.column[c](order[k]));
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_ATOM_DATA_HPP
