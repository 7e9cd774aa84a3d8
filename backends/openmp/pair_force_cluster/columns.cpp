#include "backends/openmp/pair_force_cluster/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::openmp::cluster {

void Columns::fill(const double (&extent)[2], double edge, double most_cells) {
  sparse_ = false;
  keys_.clear();
  for (int d = 0; d < 2; ++d) {
    const double cells = std::floor(extent[d] / edge + 0.5);
    cells_[d] = static_cast<int>(std::clamp(cells, 1.0, most_cells));
    width_[d] = std::max(extent[d] / cells_[d], std::numeric_limits<double>::min());
  }
}

void Columns::keep(const std::uint64_t* keys, std::size_t count) {
  // A hash table of the keys found so far, at most half full, so that only different keys are
  // sorted and not one per atom.
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::vector<std::uint64_t> table(1024, none);
  const auto add = [&](std::uint64_t key) {
    std::size_t at = (key * 0x9E3779B97F4A7C15u >> 20) & (table.size() - 1);
    while (table[at] != none && table[at] != key)
      at = (at + 1) & (table.size() - 1);
    if (table[at] == key) return false;
    table[at] = key;
    return true;
  };
  sparse_ = true;
  keys_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    if (!add(keys[i])) continue;
    keys_.push_back(keys[i]);
    if (2 * keys_.size() < table.size()) continue;
    table.assign(2 * table.size(), none);
    for (const std::uint64_t key : keys_)
      add(key);
  }
  std::sort(keys_.begin(), keys_.end());
}

}  // namespace tessera::openmp::cluster
