// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_COLUMN_IN_PARTS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_COLUMN_IN_PARTS
#undef TESSERA_SUM_COLUMN_IN_PARTS
#else
#define TESSERA_SUM_COLUMN_IN_PARTS
#endif

#include "backends/openmp/sum_simd/add_block.hpp"
#include "backends/openmp/sum_simd/single_columns.hpp"

/// \file
/// The sum of one column without weights, by its thirds as if they were three columns: a core
/// reaches a higher memory bandwidth with three streams. Include after
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

template <class Storage>
void add_column_in_parts(const Block<Storage>& block, double* totals) {
  using Sums = SingleColumns<Layout::columns, 3, false, Weighting::none>;
  Block<Storage> thirds = block;
  thirds.rows = block.rows / Sums::column_count;
  for (int k = 0; k < Sums::column_count; ++k)
    thirds.column[k] = block.column[0] + k * thirds.rows;
  double sums[1 + Sums::column_count] = {};
  BlockOfRows<Sums, Storage>::add(thirds, sums);
  double total = sums[1] + sums[2] + sums[3];
  for (std::int64_t row = Sums::column_count * thirds.rows; row < block.rows; ++row)
    total += static_cast<double>(block.column[0][row]);
  totals[0] += static_cast<double>(block.rows);
  totals[1] += total;
}

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
