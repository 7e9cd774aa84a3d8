#ifndef TESSERA_CORE_OPERATIONS_ALL_KNOBS_HPP
#define TESSERA_CORE_OPERATIONS_ALL_KNOBS_HPP

#include "core/operations/implementation.hpp"

namespace tessera {

/// Every knob of an implementation with the value that it has on a device when these are set: what
/// makes a choice repeatable by programs with other defaults.
[[nodiscard]] inline KnobValues all_knobs(const ImplementationBase& implementation,
                                          const KnobValues& set, const DeviceProperties& device) {
  KnobValues all;
  for (const KnobInfo& knob : implementation.knobs_on(device))
    all[knob.name] = knob.default_value;
  for (const auto& [name, value] : set)
    all[name] = value;
  return all;
}

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_ALL_KNOBS_HPP
