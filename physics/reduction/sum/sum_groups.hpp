#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_GROUPS_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_GROUPS_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Sets of sums that one pass over the rows computes. Kernels keep their sums in registers, so that
/// the sets are fixed: the sum of the weights, of each of a few columns and, if requested, of each
/// product of two of these columns. sum_groups() covers the terms of a caller by passes.

namespace tessera::reduction {

/// Largest number of columns of a pass; kernels are compiled for none, one, three and six.
inline constexpr int most_columns = 6;

/// Number of products of two columns, squares included.
[[nodiscard]] TESSERA_FUNCTION constexpr int products_of(int columns) {
  return columns * (columns + 1) / 2;
}
[[nodiscard]] constexpr int slots_of(int columns, bool products) {
  return 1 + columns + (products ? products_of(columns) : 0);
}

/// Index of the sum of a term in a pass over `columns` columns. The columns of the term are -1 or
/// indices among the columns of the pass.
[[nodiscard]] TESSERA_FUNCTION constexpr int slot_of(int columns, SumTerm term) {
  const int low = term.a < term.b ? term.a : term.b;
  const int high = term.a < term.b ? term.b : term.a;
  if (high < 0) return 0;
  if (low < 0) return 1 + high;
  return 1 + columns + low * columns - low * (low - 1) / 2 + (high - low);
}

/// One pass, by a kernel for `columns` columns. Kernels capture it.
struct SumGroup {
  int columns = 1;
  bool products = false;
  /// Indices of columns of the values; unused entries repeat the first.
  std::int16_t column[most_columns] = {};
  int terms = 0;
  std::int16_t term[max_terms] = {};  ///< indices of the caller's terms
  SumTerm local[max_terms] = {};      ///< the same terms, with indices into `column`
};

/// Calls `call.operator()<columns, products>()` for the kernel of a pass.
template <class Call>
void with_kernel_of(const SumGroup& group, const Call& call) {
  if (group.columns == 0)
    call.template operator()<0, false>();
  else if (group.columns == 1)
    group.products ? call.template operator()<1, true>() : call.template operator()<1, false>();
  else if (group.columns == 3)
    group.products ? call.template operator()<3, true>() : call.template operator()<3, false>();
  else
    group.products ? call.template operator()<6, true>() : call.template operator()<6, false>();
}

/// The passes that cover the terms: a single one if the terms have at most six columns.
[[nodiscard]] std::vector<SumGroup> sum_groups(const SumTerms& terms);

/// Keeps the passes as long as the terms stay the same.
class SumGroupsOf {
 public:
  [[nodiscard]] const std::vector<SumGroup>& of(const SumTerms& terms);

 private:
  SumTerms terms_;
  bool known_ = false;
  std::vector<SumGroup> groups_;
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_GROUPS_HPP
