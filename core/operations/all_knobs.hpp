#ifndef TESSERA_CORE_OPERATIONS_ALL_KNOBS_HPP
#define TESSERA_CORE_OPERATIONS_ALL_KNOBS_HPP

#include "core/operations/implementation.hpp"

namespace tessera {

/// The values of all tuning parameters of an implementation on a device: those in `set`, and the
/// defaults of the others. Programs with other defaults can repeat a choice from them.
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
