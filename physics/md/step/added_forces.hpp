#ifndef TESSERA_PHYSICS_MD_STEP_ADDED_FORCES_HPP
#define TESSERA_PHYSICS_MD_STEP_ADDED_FORCES_HPP

#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// Forces of listed terms in fused steps, whose atoms are in the order of the pair kernel.

namespace tessera::md {

/// Positions and forces in another order than that of the terms. All views are in the memory of the
/// context.
template <class Storage>
struct OrderedAtoms {
  View<const std::int32_t, 1> rows;  ///< atoms: the row of each atom in the arrays below
  View<const Storage, 2> positions;  ///< rows x 3; any periodic image
  View<Storage, 2> forces;           ///< rows x 3; rows of no atom are not written
  /// rows: the atom of each row, if every row has one; not given: not known.
  View<const std::int32_t, 1> order = {};
};

template <class Storage>
class AddedForces {
 public:
  AddedForces() = default;
  AddedForces(const AddedForces&) = delete;
  AddedForces& operator=(const AddedForces&) = delete;

  /// Overwrites the forces on all atoms.
  virtual void execute(const OrderedAtoms<Storage>& atoms) = 0;

 protected:
  ~AddedForces() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_STEP_ADDED_FORCES_HPP
