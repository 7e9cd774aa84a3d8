#pragma once

#include <memory>
#include <tessera/core/operations/fixture.hpp>

namespace tessera::md {

/// Standard inputs of md/wrap. Error: largest difference of an unwrapped coordinate over the box
/// length; infinite when an atom is left outside.
[[nodiscard]] std::unique_ptr<Fixture> make_wrap_fixture();

}  // namespace tessera::md
