#include "physics/md/io/id_index.hpp"

#include <algorithm>

namespace tessera::md {

IdIndex::IdIndex(const std::vector<std::int64_t>& ids) {
  if (ids.empty()) return;
  const auto [low, high] = std::minmax_element(ids.begin(), ids.end());
  lowest_ = *low;
  const std::uint64_t range = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
  if (range < 4 * ids.size() + 1024) {
    dense_.assign(static_cast<std::size_t>(range) + 1, -1);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      std::int64_t& place = dense_[static_cast<std::size_t>(ids[i] - lowest_)];
      if (place >= 0) {
        if (!duplicate_) duplicate_ = {place, static_cast<std::int64_t>(i)};
      } else {
        place = static_cast<std::int64_t>(i);
      }
    }
    return;
  }
  sorted_.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    sorted_.emplace_back(ids[i], static_cast<std::int64_t>(i));
  }
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = 1; i < sorted_.size(); ++i) {
    if (sorted_[i].first != sorted_[i - 1].first) continue;
    const std::pair<std::int64_t, std::int64_t> found(sorted_[i - 1].second, sorted_[i].second);
    if (!duplicate_ || found.second < duplicate_->second) duplicate_ = found;
  }
}

std::int64_t IdIndex::find(std::int64_t id) const {
  if (!dense_.empty()) {
    const std::uint64_t offset =
        static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(lowest_);
    return offset < dense_.size() ? dense_[static_cast<std::size_t>(offset)] : -1;
  }
  const auto place =
      std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(id, std::int64_t{0}));
  return place != sorted_.end() && place->first == id ? place->second : -1;
}

}  // namespace tessera::md
