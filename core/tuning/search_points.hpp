#ifndef TESSERA_CORE_TUNING_SEARCH_POINTS_HPP
#define TESSERA_CORE_TUNING_SEARCH_POINTS_HPP

#include "core/tuning/candidates.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// \file
/// Candidates as points in a space, so that a search can measure their similarity. The
/// implementation is one direction, and each parameter name is another; implementations share
/// parameter names.

namespace tessera {

/// A direction of the space.
struct SearchDirection {
  std::string name;
  bool ordered = false;  ///< numbers, compared by rank; otherwise names and flags
  std::size_t values = 0;
};

class SearchPoints {
 public:
  explicit SearchPoints(const std::vector<Candidate>& candidates);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const std::vector<SearchDirection>& directions() const { return directions_; }

  /// Distance of two candidates along a direction, from 0 to 1. For numbers it is the difference of
  /// their relative ranks. It is 1 for different names, and where only one of the two has the
  /// parameter.
  [[nodiscard]] double distance(std::size_t a, std::size_t b, std::size_t direction) const {
    const double x = at(a, direction);
    const double y = at(b, direction);
    if (x == y) return 0;
    if (!directions_[direction].ordered || x < 0 || y < 0) return 1;
    return x > y ? x - y : y - x;
  }

 private:
  static constexpr double lacking = -1;
  [[nodiscard]] double at(std::size_t candidate, std::size_t direction) const {
    return coordinates_[candidate * directions_.size() + direction];
  }

  std::size_t count_ = 0;
  std::vector<SearchDirection> directions_;
  std::vector<double> coordinates_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_SEARCH_POINTS_HPP
