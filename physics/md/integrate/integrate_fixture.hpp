#pragma once

#include <memory>
#include <tessera/core/operations/fixture.hpp>

namespace tessera::md {

/// Standard inputs of md/integrate. Error: relative rms of positions or velocities, the larger.
[[nodiscard]] std::unique_ptr<Fixture> make_integrate_fixture();

}  // namespace tessera::md
