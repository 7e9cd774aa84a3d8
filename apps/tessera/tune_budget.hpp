#ifndef TESSERA_APPS_TESSERA_TUNE_BUDGET_HPP
#define TESSERA_APPS_TESSERA_TUNE_BUDGET_HPP

#include <cstdint>
#include <string>

/// \file
/// Budget of a search.

namespace tessera::command_line {

struct TuneBudget {
  double seconds = 0;            ///< 0: no limit
  std::int64_t evaluations = 0;  ///< 0: no limit
};

/// "90s", "2m", "1h", or a number of evaluations: "200". \throws InputError
[[nodiscard]] TuneBudget tune_budget(const std::string& text);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNE_BUDGET_HPP
