#ifndef TESSERA_CORE_CASE_RANGE_HPP
#define TESSERA_CORE_CASE_RANGE_HPP

#include <limits>
#include <string>

/// \file
/// The numbers that a field accepts, and their description.

namespace tessera::cases {

struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool above = false;  ///< whether `lowest` itself is excluded

  [[nodiscard]] constexpr bool contains(double x) const {
    return (above ? x > lowest : x >= lowest) && x <= highest;
  }
};

inline constexpr Range not_negative{0};
inline constexpr Range positive{0, std::numeric_limits<double>::infinity(), true};
[[nodiscard]] constexpr Range at_least(double lowest) {
  return {lowest};
}
[[nodiscard]] constexpr Range between(double lowest, double highest) {
  return {lowest, highest};
}

/// Text that follows a noun in a message: " greater than zero", " of zero or more", " from 0 up",
/// ...
[[nodiscard]] std::string range_of_reals(const Range& range);
[[nodiscard]] std::string range_of_integers(const Range& range);
/// Text that follows a noun in a table: " > 0", " >= 1", " from 0 to 1", or nothing.
[[nodiscard]] std::string range_in_table(const Range& range);

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_RANGE_HPP
