#ifndef TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_REFERENCE_HPP

#include "physics/pic/electric_field/electric_field.hpp"

namespace tessera::pic {

/// Oracle of pic/electric_field, in double for every storage type.
template <class Storage>
void electric_field_reference(const ElectricFieldProblem& problem,
                              const ElectricFieldArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_REFERENCE_HPP
