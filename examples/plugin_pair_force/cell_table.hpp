#pragma once

#include <tessera/md/box.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

/// \file
/// Atoms sorted by cells that are nearly cubic and at least as wide as the cutoff, so that all
/// atoms within the cutoff of an atom lie in its cell or in one of the neighbors.

namespace example {

class CellTable {
 public:
  struct Atom {
    double position[3];  ///< the caller's value, not wrapped into the box, which would round it
    std::int32_t type;
    std::int64_t index;  ///< index in the caller's arrays
  };

  /// Allocates memory for the atoms and for at most `most_cells` cells; a box with space for more
  /// of them gets fewer and larger cells.
  void reserve(std::int64_t atoms, std::int64_t most_cells) {
    atoms_.resize(static_cast<std::size_t>(atoms));
    cell_of_.resize(static_cast<std::size_t>(atoms));
    most_cells_ = std::max<std::int64_t>(1, most_cells);
    starts_.resize(static_cast<std::size_t>(most_cells_ + 1));
    fill_.resize(static_cast<std::size_t>(most_cells_ + 1));
  }

  /// Sorts the atoms without allocations. `position(i, d)` and `type(i)` read the caller's arrays.
  template <class Position, class Type>
  void sort(const tessera::md::Box& box, double cutoff, std::int64_t atoms,
            const Position& position, const Type& type) {
    divide(box, cutoff);
    std::fill(starts_.begin(), starts_.begin() + cells() + 1, 0);
    for (std::int64_t i = 0; i < atoms; ++i) {
      std::int64_t cell = 0;
      for (int d = 0; d < 3; ++d)
        cell = cell * count_[d] + cell_along(box, d, folded(box, d, position(i, d)));
      cell_of_[static_cast<std::size_t>(i)] = cell;
      ++starts_[static_cast<std::size_t>(cell) + 1];
    }
    for (std::int64_t c = 0; c < cells(); ++c)
      starts_[static_cast<std::size_t>(c) + 1] += starts_[static_cast<std::size_t>(c)];
    std::copy(starts_.begin(), starts_.begin() + cells() + 1, fill_.begin());
    // Within a cell the atoms keep the order of their indices, which makes sums reproducible.
    for (std::int64_t i = 0; i < atoms; ++i) {
      const auto cell = static_cast<std::size_t>(cell_of_[static_cast<std::size_t>(i)]);
      Atom& atom = atoms_[static_cast<std::size_t>(fill_[cell]++)];
      for (int d = 0; d < 3; ++d)
        atom.position[d] = position(i, d);
      atom.type = type(i);
      atom.index = i;
    }
  }

  [[nodiscard]] std::int64_t cells() const { return count_[0] * count_[1] * count_[2]; }
  [[nodiscard]] const Atom* begin(std::int64_t cell) const {
    return atoms_.data() + starts_[static_cast<std::size_t>(cell)];
  }
  [[nodiscard]] const Atom* end(std::int64_t cell) const {
    return atoms_.data() + starts_[static_cast<std::size_t>(cell) + 1];
  }

  /// Stores in `found` the cell itself and the cells around it, without duplicates; returns their
  /// number.
  int neighbors(const tessera::md::Box& box, std::int64_t cell, std::int64_t (&found)[27]) const {
    const std::int64_t at[3] = {cell / (count_[1] * count_[2]), cell / count_[2] % count_[1],
                                cell % count_[2]};
    std::int64_t along[3][3];
    int size[3] = {0, 0, 0};
    for (int d = 0; d < 3; ++d)
      for (std::int64_t step = -1; step <= 1; ++step) {
        std::int64_t c = at[d] + step;
        if (box.periodic[d])
          c = (c + count_[d]) % count_[d];
        else if (c < 0 || c >= count_[d])
          continue;
        // In a periodic box with one or two cells along d, both neighbors are the same cell.
        if (std::find(along[d], along[d] + size[d], c) == along[d] + size[d])
          along[d][size[d]++] = c;
      }
    int n = 0;
    for (int x = 0; x < size[0]; ++x)
      for (int y = 0; y < size[1]; ++y)
        for (int z = 0; z < size[2]; ++z)
          found[n++] = (along[0][x] * count_[1] + along[1][y]) * count_[2] + along[2][z];
    return n;
  }

 private:
  static double folded(const tessera::md::Box& box, int d, double x) {
    if (!box.periodic[d]) return x;
    return x - box.length[d] * std::floor((x - box.lower[d]) / box.length[d]);
  }

  /// Atoms beyond a boundary that is not periodic belong to the outermost cell.
  [[nodiscard]] std::int64_t cell_along(const tessera::md::Box& box, int d, double x) const {
    const double f = (x - box.lower[d]) / box.length[d] * static_cast<double>(count_[d]);
    if (!(f > 0)) return 0;
    const auto last = static_cast<double>(count_[d] - 1);
    return static_cast<std::int64_t>(f < last ? f : last);
  }

  void divide(const tessera::md::Box& box, double cutoff) {
    for (int d = 0; d < 3; ++d)
      count_[d] =
          static_cast<std::int64_t>(std::clamp(std::floor(box.length[d] / cutoff), 1.0, 1e6));
    // In a dilute box there would be many more cells than atoms, so that cells are merged.
    while (cells() > most_cells_) {
      auto* const widest = std::max_element(count_, count_ + 3);
      *widest = *widest / 2;
    }
  }

  std::int64_t count_[3] = {1, 1, 1};
  std::int64_t most_cells_ = 1;
  std::vector<Atom> atoms_;
  std::vector<std::int64_t> cell_of_;
  std::vector<std::int64_t> starts_;
  std::vector<std::int64_t> fill_;
};

}  // namespace example
