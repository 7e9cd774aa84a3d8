#include "core/case/range.hpp"

#include "core/case/value.hpp"

#include <cmath>

namespace tessera::cases {
namespace {

/// Text of a bound, "0" or "2.5"; unlike the text of a value it does not end in ".0".
std::string bound(double x) {
  const std::string text = text_of(x);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

}  // namespace

std::string range_of_reals(const Range& range) {
  if (std::isfinite(range.highest)) {
    return (range.above ? " above " : " from ") + bound(range.lowest) + " to " +
           bound(range.highest);
  }
  if (!std::isfinite(range.lowest)) return "";
  if (range.lowest == 0) return range.above ? " greater than zero" : " of zero or more";
  return range.above ? " greater than " + bound(range.lowest)
                     : " from " + bound(range.lowest) + " up";
}

std::string range_of_integers(const Range& range) {
  if (std::isfinite(range.highest) || range.above) return range_of_reals(range);
  return std::isfinite(range.lowest) ? " from " + bound(range.lowest) + " up" : "";
}

std::string range_in_table(const Range& range) {
  if (std::isfinite(range.highest)) return range_of_reals(range);
  if (!std::isfinite(range.lowest)) return "";
  return (range.above ? " > " : " >= ") + bound(range.lowest);
}

}  // namespace tessera::cases
