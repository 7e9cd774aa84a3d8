#ifndef TESSERA_CORE_OPERATIONS_OPEN_DEVICE_HPP
#define TESSERA_CORE_OPERATIONS_OPEN_DEVICE_HPP

#include "core/operations/registry.hpp"

#include <optional>

/// \file
/// A device for one implementation, for those who run every implementation in turn: tests,
/// benchmarks, `tessera verify`, `tessera bench`.

namespace tessera {

/// Opens the backend of `implementation`, or, where that is no backend of its own (the oracle), the
/// available backend of the highest priority that shares its memory. What runs inside of it is not
/// tuned, so that results and times do not depend on what was measured before.
/// \throws RefusalError with the reason when none can be used on this machine.
[[nodiscard]] Context open_for(const Registry& registry, const ImplementationBase& implementation,
                               std::optional<int> ordinal = std::nullopt);

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_OPEN_DEVICE_HPP
