#ifndef TESSERA_TESTS_CONFORMANCE_MOVING_ATOMS_HPP
#define TESSERA_TESTS_CONFORMANCE_MOVING_ATOMS_HPP

#include "core/memory/array.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Moving atoms of two types, for the properties of integrators.

namespace tessera::test {

/// Atoms whose numbers are all exact in float.
template <class P>
struct MovingAtoms {
  using Storage = typename P::Storage;

  explicit MovingAtoms(std::int64_t count) {
    for (std::int64_t i = 0; i < 3 * count; ++i) {
      positions.push_back(static_cast<Storage>(i) / 8);
      velocities.push_back(static_cast<Storage>(i % 7) - 3);
      forces.push_back(static_cast<Storage>(i % 5) * 4 - 8);
    }
    for (std::int64_t i = 0; i < count; ++i)
      types.push_back(static_cast<std::int32_t>(i % 2));
  }

  std::vector<Storage> positions, velocities, forces;
  std::vector<std::int32_t> types;
  std::vector<double> force_to_accel = {1.0, 0.5};
};

/// MovingAtoms on a device.
template <class P>
struct MovingAtomArrays {
  using Storage = typename P::Storage;

  MovingAtomArrays(const Context& context, const MovingAtoms<P>& atoms)
      : positions(context, atoms.positions),
        velocities(context, atoms.velocities),
        forces(context, atoms.forces),
        types(context, atoms.types),
        force_to_accel(context, atoms.force_to_accel) {}

  void fetch(MovingAtoms<P>& atoms) const {
    atoms.positions = positions.to_host();
    atoms.velocities = velocities.to_host();
  }

  Array<Storage> positions, velocities, forces;
  Array<std::int32_t> types;
  Array<double> force_to_accel;
};

}  // namespace tessera::test

#endif  // TESSERA_TESTS_CONFORMANCE_MOVING_ATOMS_HPP
