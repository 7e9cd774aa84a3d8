#ifndef TESSERA_TESTS_SUPPORT_HALVES_HPP
#define TESSERA_TESTS_SUPPORT_HALVES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// Halves of a system of atoms.

namespace tessera::test {

/// The atoms in one half of a system along x, with all others as ghosts behind them.
struct Half {
  std::vector<std::size_t> rows;     ///< the atom of the whole in each row
  std::vector<std::int32_t> row_of;  ///< the row of each atom of the whole
  std::int64_t targets = 0;
};

/// \param positions atoms x 3. \param part 0: the lower half; 1: the upper one.
[[nodiscard]] inline Half half_of(const std::vector<double>& positions, int part) {
  const std::size_t atoms = positions.size() / 3;
  std::vector<double> sorted;
  for (std::size_t i = 0; i < atoms; ++i)
    sorted.push_back(positions[3 * i]);
  std::sort(sorted.begin(), sorted.end());
  Half half;
  half.row_of.resize(atoms);
  for (const bool ghosts : {false, true})
    for (std::size_t i = 0; i < atoms; ++i) {
      const bool mine = (positions[3 * i] < sorted[atoms / 2]) == (part == 0);
      if (mine == ghosts) continue;
      half.row_of[i] = static_cast<std::int32_t>(half.rows.size());
      half.rows.push_back(i);
      half.targets += ghosts ? 0 : 1;
    }
  return half;
}

/// The elements of an array of the whole, `columns` for each atom, in the rows of a half.
[[nodiscard]] inline std::vector<double> in_rows(const Half& half,
                                                 const std::vector<double>& values,
                                                 std::size_t columns) {
  std::vector<double> rows;
  for (const std::size_t i : half.rows)
    for (std::size_t c = 0; c < columns; ++c)
      rows.push_back(values[columns * i + c]);
  return rows;
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_HALVES_HPP
