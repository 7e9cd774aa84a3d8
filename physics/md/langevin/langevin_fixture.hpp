#pragma once

#include <memory>
#include <tessera/core/operations/fixture.hpp>

namespace tessera::md {

/// Standard inputs of md/langevin. Error: relative rms of positions, velocities or heat, the
/// largest.
[[nodiscard]] std::unique_ptr<Fixture> make_langevin_fixture();

}  // namespace tessera::md
