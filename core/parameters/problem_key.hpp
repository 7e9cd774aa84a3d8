#ifndef TESSERA_CORE_PARAMETERS_PROBLEM_KEY_HPP
#define TESSERA_CORE_PARAMETERS_PROBLEM_KEY_HPP

#include <cstdint>
#include <map>
#include <string>

/// \file
/// Key of a tuning record: the properties of a problem on which the best implementation and its
/// parameters depend, as plain data. Every operation has `ProblemKey problem_key(const Problem&)`
/// next to its problem, found by argument-dependent lookup.

namespace tessera {

struct ProblemKey {
  std::int64_t size = 0;  ///< number of items: atoms, particles, rows
  /// Properties that have to be equal: potential ("form"), requested outputs, order of the data.
  std::map<std::string, std::string> kinds = {};
  /// Properties that have to be similar: neighbors per atom, particles per node. 0: unknown.
  std::map<std::string, double> magnitudes = {};

  friend bool operator==(const ProblemKey&, const ProblemKey&) = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_PARAMETERS_PROBLEM_KEY_HPP
