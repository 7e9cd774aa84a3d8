#pragma once

#include <memory>
#include <tessera/core/operations/fixture.hpp>

namespace tessera::md {

/// Standard inputs of md/bond_force. Error: forces, energy and virial, each against the summed
/// magnitudes of what was added up, the largest.
[[nodiscard]] std::unique_ptr<Fixture> make_bond_force_fixture();

}  // namespace tessera::md
