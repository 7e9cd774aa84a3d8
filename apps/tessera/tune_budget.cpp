#include "apps/tessera/tune_budget.hpp"

#include "core/base/error.hpp"

#include <charconv>
#include <cmath>

namespace tessera::command_line {

TuneBudget tune_budget(const std::string& text) {
  const auto refuse = [&] {
    throw InputError({{}, 0, "budget", text},
                     "expected a time, as in 60s, 5m or 1h, or a number of evaluations, as in 200");
  };
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string unit(rest, end);
  if (error != std::errc() || !(number > 0) || !(number <= 1e9)) refuse();
  if (unit == "s") return {number, 0};
  if (unit == "m" || unit == "min") return {60 * number, 0};
  if (unit == "h") return {3600 * number, 0};
  if ((!unit.empty() && unit != "evaluations" && unit != " evaluations") ||
      number != std::floor(number))
    refuse();
  return {0, static_cast<std::int64_t>(number)};
}

}  // namespace tessera::command_line
