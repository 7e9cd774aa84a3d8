#ifndef TESSERA_PHYSICS_PIC_SPACE_CHARGE_GREEN_CACHE_HPP
#define TESSERA_PHYSICS_PIC_SPACE_CHARGE_GREEN_CACHE_HPP

#include "core/memory/array.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/pic/green_function/green_function.hpp"

#include <cstdint>
#include <optional>
#include <vector>

/// \file
/// Keeps a Green function as long as it is valid for the grid.

namespace tessera::pic {

class GreenCache {
 public:
  GreenCache(const Context& context, PoissonBoundary boundary, GreenKind kind,
             const std::int64_t (&nodes)[3], Determinism least);

  /// Computes the Green function of `grid`, unless it equals the kept one up to a factor that is a
  /// power of two.
  /// \returns whether the kept one is used.
  bool make(const Grid& grid, bool timed);

  [[nodiscard]] View<const double, 3> values() const;
  /// Factor from the kept values to the Green function of the last grid.
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double hit_rate() const {
    return asked_ == 0 ? 0 : static_cast<double>(kept_) / static_cast<double>(asked_);
  }
  void append_times(std::vector<OperationTime>& times) const;

 private:
  [[nodiscard]] bool is_kept(const Grid& grid);

  PoissonBoundary boundary_;
  std::int64_t extents_[3];
  Array<double> values_;
  std::optional<TimedPlan<GreenFunction, Double>> plan_;
  double spacing_[3] = {0, 0, 0};
  double scale_ = 1;
  std::int64_t asked_ = 0;
  std::int64_t kept_ = 0;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SPACE_CHARGE_GREEN_CACHE_HPP
