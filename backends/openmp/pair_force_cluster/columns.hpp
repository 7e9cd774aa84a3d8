#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_COLUMNS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_COLUMNS_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

/// \file
/// The columns into which a group of atoms is sorted: all cells of a rectangle, or, where most
/// cells are empty (sparse), only the cells with atoms.

namespace tessera::openmp::cluster {

class Columns {
 public:
  /// Takes all cells of a region as columns.
  /// \param edge approximate width of a cell.
  /// \param most_cells largest number of cells along a direction.
  void fill(const double (&extent)[2], double edge, double most_cells);

  /// Keeps only the columns with these keys, which may be in any order and repeated.
  void keep(const std::uint64_t* keys, std::size_t count);

  /// First column of the group in the numbering of all groups.
  int first = 0;

  [[nodiscard]] int count() const {
    return sparse_ ? static_cast<int>(keys_.size()) : cells_[0] * cells_[1];
  }
  [[nodiscard]] bool sparse() const { return sparse_; }
  [[nodiscard]] int cells(int d) const { return cells_[d]; }
  [[nodiscard]] double width(int d) const { return width_[d]; }

  /// The cell of a coordinate along d; cell 0 for NaN.
  [[nodiscard]] int cell(double u, int d) const {
    const double c = u / width_[d];
    return c > 0 ? (c < cells_[d] ? static_cast<int>(c) : cells_[d] - 1) : 0;
  }
  /// First and last cell along d that overlaps [low, high]; none where last < first.
  struct Cells {
    int first, last;
  };
  [[nodiscard]] Cells cells_between(double low, double high, int d) const {
    const double cells = cells_[d];
    return {static_cast<int>(std::clamp(std::floor(low / width_[d]), 0.0, cells)),
            static_cast<int>(std::clamp(std::floor(high / width_[d]), -1.0, cells - 1))};
  }
  [[nodiscard]] static std::uint64_t key(int x, int y) {
    return static_cast<std::uint64_t>(x) << 32 | static_cast<std::uint64_t>(y);
  }
  /// The number of the column of a cell, which must exist.
  [[nodiscard]] int number(int x, int y) const {
    return first + (sparse_ ? static_cast<int>(at_least(key(x, y))) : x * cells_[1] + y);
  }
  /// The cell of a column.
  void place(int column, int (&at)[2]) const {
    if (sparse_) {
      const std::uint64_t k = keys_[static_cast<std::size_t>(column - first)];
      at[0] = static_cast<int>(k >> 32);
      at[1] = static_cast<int>(k & 0xffffffff);
    } else {
      at[0] = (column - first) / cells_[1];
      at[1] = (column - first) % cells_[1];
    }
  }

  /// Calls visit(column, x, y) for the columns of a rectangle of cells, bounds included, in
  /// ascending order.
  template <class Visit>
  void visit(const int (&low)[2], const int (&high)[2], const Visit& visit) const {
    if (!sparse_) {
      for (int x = low[0]; x <= high[0]; ++x)
        for (int y = low[1]; y <= high[1]; ++y)
          visit(number(x, y), x, y);
      return;
    }
    if (high[0] < low[0] || high[1] < low[1]) return;
    // Goes from one existing column to the next, because a rectangle may have far more cells.
    const std::uint64_t last = key(high[0], high[1]);
    for (std::size_t k = at_least(key(low[0], low[1])); k < keys_.size() && keys_[k] <= last;) {
      const int x = static_cast<int>(keys_[k] >> 32);
      const int y = static_cast<int>(keys_[k] & 0xffffffff);
      if (y < low[1]) {
        k = at_least(key(x, low[1]));
      } else if (y > high[1]) {
        k = at_least(key(x + 1, low[1]));
      } else {
        visit(first + static_cast<int>(k), x, y);
        ++k;
      }
    }
  }

 private:
  [[nodiscard]] std::size_t at_least(std::uint64_t key) const {
    return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) -
                                    keys_.begin());
  }

  int cells_[2] = {1, 1};
  double width_[2] = {1, 1};
  bool sparse_ = false;
  std::vector<std::uint64_t> keys_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_COLUMNS_HPP
