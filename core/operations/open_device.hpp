#ifndef TESSERA_CORE_OPERATIONS_OPEN_DEVICE_HPP
#define TESSERA_CORE_OPERATIONS_OPEN_DEVICE_HPP

#include "core/operations/registry.hpp"

#include <optional>

/// \file
/// A device for one implementation, for programs that run every implementation in turn: tests,
/// benchmarks, `tessera verify`, `tessera bench`.

namespace tessera {

/// Opens the backend of `implementation`, or, where it has no backend of its own (the oracle), the
/// available backend with the highest priority that shares its memory. Tuning is off for work in
/// this context, so that results and times do not depend on earlier measurements.
/// \throws RefusalError with the reason when no such backend is available on this machine.
[[nodiscard]] Context open_for(const Registry& registry, const ImplementationBase& implementation,
                               std::optional<int> ordinal = std::nullopt);

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_OPEN_DEVICE_HPP
