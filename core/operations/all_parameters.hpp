#ifndef TESSERA_CORE_OPERATIONS_ALL_PARAMETERS_HPP
#define TESSERA_CORE_OPERATIONS_ALL_PARAMETERS_HPP

#include "core/operations/implementation.hpp"

#include <vector>

namespace tessera {

/// The values of all tuning parameters of an implementation on a device: those in `set`, and the
/// defaults of the others, so that a program with other defaults can repeat the choice.
[[nodiscard]] inline ParameterValues all_parameters(const ImplementationBase& implementation,
                                                    const ParameterValues& set,
                                                    const DeviceProperties& device) {
  const std::vector<ParameterInfo> parameters = implementation.parameters_on(device);
  ParameterValues all;
  for (const ParameterInfo& parameter : parameters)
    all[parameter.name] = parameter.default_value;
  for (const auto& [name, value] : with_current_names(parameters, set))
    all[name] = value;
  return all;
}

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_ALL_PARAMETERS_HPP
