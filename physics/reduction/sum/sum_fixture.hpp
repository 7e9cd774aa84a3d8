#pragma once

#include <memory>
#include <tessera/core/operations/fixture.hpp>

namespace tessera::reduction {

/// Standard inputs of reduction/sum. Error: largest difference of a sum over the sum of magnitudes
/// of its terms.
[[nodiscard]] std::unique_ptr<Fixture> make_sum_fixture();

}  // namespace tessera::reduction
