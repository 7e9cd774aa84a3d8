#include "physics/pic/space_charge/green_cache.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::pic {

GreenCache::GreenCache(const Context& context, PoissonBoundary boundary, GreenKind kind,
                       const std::int64_t (&nodes)[3], Determinism least)
    : boundary_(boundary), extents_{nodes[0] + 1, nodes[1] + 1, 1} {
  if (boundary == PoissonBoundary::pipe) return;
  extents_[2] = green_extent_z(boundary, nodes[2]);
  values_ = Array<double>(context, extents_[0] * extents_[1] * extents_[2]);
  plan_.emplace(GreenFunctionProblem{{nodes[0], nodes[1], nodes[2]}, boundary, kind}, context,
                least);
}

bool GreenCache::is_kept(const Grid& grid) {
  if (!(spacing_[0] > 0)) return false;
  const double factor = grid.spacing[0] / spacing_[0];
  int exponent = 0;
  if (std::frexp(factor, &exponent) != 0.5) return false;
  for (int a = 0; a < 3; ++a)
    if (grid.spacing[a] != factor * spacing_[a]) return false;
  // The functions of waves along a period depend only on ratios of lengths.
  scale_ = boundary_ == PoissonBoundary::open ? 1 / factor : 1;
  return true;
}

bool GreenCache::make(const Grid& grid, bool timed) {
  ++asked_;
  if (is_kept(grid)) {
    ++kept_;
    return true;
  }
  scale_ = 1;
  plan_->execute({grid, {values_.data(), {extents_[0], extents_[1], extents_[2]}}}, timed);
  std::copy_n(grid.spacing, 3, spacing_);
  return false;
}

View<const double, 3> GreenCache::values() const {
  return {values_.data(), {extents_[0], extents_[1], extents_[2]}};
}

void GreenCache::append_times(std::vector<OperationTime>& times) const {
  if (plan_) times.push_back(plan_->execution());
}

}  // namespace tessera::pic
