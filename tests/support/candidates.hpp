#ifndef TESSERA_TESTS_SUPPORT_CANDIDATES_HPP
#define TESSERA_TESTS_SUPPORT_CANDIDATES_HPP

#include "core/base/error.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <cstddef>
#include <vector>

/// \file
/// The candidates of a search for the tuning parameters of a kernel.

namespace tessera::test {

/// Every combination of the values of all tuning parameters that the policy allows, without
/// combinations that are equivalent to another.
template <class Parameters>
[[nodiscard]] std::vector<Parameters> candidates() {
  const std::vector<ParameterInfo> described = describe_parameters<Parameters>();
  std::vector<std::size_t> at(described.size(), 0);
  std::vector<Parameters> found;
  for (bool more = true; more;) {
    ParameterValues values;
    for (std::size_t k = 0; k < described.size(); ++k)
      values[described[k].name] = described[k].values[at[k]];
    try {
      const Parameters parameters = make_parameters<Parameters>(values);
      bool own = true;
      if constexpr (requires { parameters.canonical(); })
        own = parameters == parameters.canonical();
      if (own) found.push_back(parameters);
    } catch (const InputError&) {  // refused
    }
    more = false;
    for (std::size_t k = 0; k < described.size() && !more; ++k) {
      at[k] = (at[k] + 1) % described[k].values.size();
      more = at[k] != 0;
    }
  }
  return found;
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_CANDIDATES_HPP
