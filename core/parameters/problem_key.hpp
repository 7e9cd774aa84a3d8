#ifndef TESSERA_CORE_PARAMETERS_PROBLEM_KEY_HPP
#define TESSERA_CORE_PARAMETERS_PROBLEM_KEY_HPP

#include <cstdint>
#include <map>
#include <string>

/// \file
/// What the best implementation of a problem and its parameters depend on, in plain data: the key
/// of a tuning record. Every operation has `ProblemKey problem_key(const Problem&)` beside its
/// problem, found by argument-dependent lookup.

namespace tessera {

struct ProblemKey {
  std::int64_t size = 0;  ///< items: atoms, particles, rows
  /// What has to be the same: form, asked-for outputs, order of the data.
  std::map<std::string, std::string> kinds = {};
  /// What has to be about the same: neighbors of an atom, particles a node. 0: unknown.
  std::map<std::string, double> magnitudes = {};

  friend bool operator==(const ProblemKey&, const ProblemKey&) = default;
};

/// The key of any problem; empty where its operation has none, and then nothing is remembered of
/// it.
template <class Problem>
[[nodiscard]] ProblemKey key_of(const Problem& problem) {
  if constexpr (requires { problem_key(problem); })
    return problem_key(problem);
  else
    return {};
}

}  // namespace tessera

#endif  // TESSERA_CORE_PARAMETERS_PROBLEM_KEY_HPP
