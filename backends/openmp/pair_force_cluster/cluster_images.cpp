#include "backends/openmp/pair_force_cluster/cluster_images.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace tessera::openmp::cluster {

void ClusterImages::build(const ClusterOrder& order, const Shifts& shifts,
                          const double (&reach)[max_groups][max_groups], std::int64_t first) {
  first_ = first;
  owner_.clear();
  code_.clear();
  for (int code = 0; code < shift_count; ++code) {
    columns_[code].clear();
    if (!shifts.possible(code)) continue;
    for (int group = 0; group < order.groups(); ++group) {
      double candidates = 0;
      for (int from = 0; from <= group; ++from)
        if (interacts_with_images(from, group, code))
          candidates = std::max(candidates, reach[from][group]);
      if (candidates > 0) enter_group(order, shifts.vector(code), group, candidates, code);
    }
  }
  if (end() > std::numeric_limits<std::uint32_t>::max())
    throw ArgumentError("openmp.cluster holds at most 4294967295 clusters and images, not " +
                        std::to_string(end()));
  index(order.clusters());
}

/// Enters the images of the clusters of a group, at one shift, that are within reach of the region.
void ClusterImages::enter_group(const ClusterOrder& order, const double* shift, int group,
                                double reach, int code) {
  const Columns& columns = order.columns(group);
  int first[2], last[2];
  for (int d = 0; d < 2; ++d) {
    const Columns::Cells near =
        columns.cells_between(-reach - shift[d], order.furthest(d) + reach - shift[d], d);
    first[d] = near.first;
    last[d] = near.last;
  }
  const auto low = static_cast<float>(-reach - shift[2]);
  const auto high = static_cast<float>(order.furthest(2) + reach - shift[2]);
  columns.visit(first, last, [&](int column, int, int) {
    const ClusterRange all = order.of_column(column);
    if (all.begin == all.end || order.upper(2)[all.end - 1] < low ||
        order.lower(2)[all.begin] > high)
      return;
    const ClusterRange near = order.column_range(column, low, high);
    if (near.begin >= near.end) return;
    const auto offset = static_cast<std::uint32_t>(end() - near.begin);
    columns_[code].push_back({column, {near, offset}});
    for (std::uint32_t c = near.begin; c < near.end; ++c)
      owner_.push_back(c);
    code_.resize(owner_.size(), static_cast<std::uint8_t>(code));
  });
}

/// Makes the list of the images of each cluster.
void ClusterImages::index(std::int64_t clusters) {
  of_cluster_begin_.assign(static_cast<std::size_t>(clusters) + 2, 0);
  of_cluster_.resize(owner_.size());
  // Counts are stored two elements on, so that after filling element c is the begin of cluster c.
  for (const std::uint32_t c : owner_)
    ++of_cluster_begin_[c + 2];
  for (std::size_t c = 2; c < of_cluster_begin_.size(); ++c)
    of_cluster_begin_[c] += of_cluster_begin_[c - 1];
  auto image = static_cast<std::uint32_t>(first_);
  for (const std::uint32_t c : owner_)
    of_cluster_[of_cluster_begin_[c + 1]++] = image++;
}

ClusterImages::Range ClusterImages::of_column(int column, int code) const {
  const std::vector<Column>& columns = columns_[code];
  const auto found =
      std::lower_bound(columns.begin(), columns.end(), column,
                       [](const Column& entry, int wanted) { return entry.column < wanted; });
  if (found == columns.end() || found->column != column) return {{0, 0}, 0};
  return found->range;
}

}  // namespace tessera::openmp::cluster
