#ifndef TESSERA_TESTS_SUPPORT_CANDIDATES_HPP
#define TESSERA_TESTS_SUPPORT_CANDIDATES_HPP

#include "core/base/error.hpp"
#include "core/parameters/knobs.hpp"

#include <cstddef>
#include <vector>

/// \file
/// The candidates of a tuner for a kernel.

namespace tessera::test {

/// Every combination of the values of all tuning parameters that the policy allows, without
/// combinations that are equivalent to another.
template <class Policy>
[[nodiscard]] std::vector<Policy> candidates() {
  const std::vector<KnobInfo> knobs = describe_knobs<Policy>();
  std::vector<std::size_t> at(knobs.size(), 0);
  std::vector<Policy> found;
  for (bool more = true; more;) {
    KnobValues values;
    for (std::size_t k = 0; k < knobs.size(); ++k)
      values[knobs[k].name] = knobs[k].values[at[k]];
    try {
      const Policy policy = make_policy<Policy>(values);
      bool own = true;
      if constexpr (requires { policy.settled(); }) own = policy == policy.settled();
      if (own) found.push_back(policy);
    } catch (const InputError&) {  // refused
    }
    more = false;
    for (std::size_t k = 0; k < knobs.size() && !more; ++k) {
      at[k] = (at[k] + 1) % knobs[k].values.size();
      more = at[k] != 0;
    }
  }
  return found;
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_CANDIDATES_HPP
