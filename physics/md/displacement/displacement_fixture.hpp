#pragma once

#include <memory>
#include <tessera/core/operations/fixture.hpp>

namespace tessera::md {

/// Standard inputs of md/displacement. Error: relative difference of the distance; infinite when
/// another atom is named.
[[nodiscard]] std::unique_ptr<Fixture> make_displacement_fixture();

}  // namespace tessera::md
