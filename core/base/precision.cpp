#include "core/base/precision.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tessera {
namespace {

[[noreturn]] void refuse(std::string_view text, std::span<const Precision> candidates) {
  std::vector<std::string> names;
  for (const Precision candidate : candidates)
    names.emplace_back(name(candidate));
  throw SelectionError("precision", std::string(text), names);
}

}  // namespace

Precision precision_from_name(std::string_view text) {
  for (const Precision precision : AllElements::values)
    if (name(precision) == text) return precision;
  refuse(text, AllElements::values);
}

void require_precision(Precision precision, std::span<const Precision> candidates) {
  if (std::find(candidates.begin(), candidates.end(), precision) == candidates.end())
    refuse(name(precision), candidates);
}

}  // namespace tessera
