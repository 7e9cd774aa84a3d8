#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_GROUPS_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_GROUPS_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Which sums a pass over the rows makes. Kernels have their sums in registers, hence a fixed set:
/// the weights, each of a few columns and, where asked for, each product of two of these. Terms
/// become passes that cover them.

namespace tessera::reduction {

/// Columns of a pass; kernels are compiled for none, one, three and six.
inline constexpr int most_columns = 6;

/// Of any two of these, or of one with itself.
[[nodiscard]] TESSERA_FUNCTION constexpr int products_of(int columns) {
  return columns * (columns + 1) / 2;
}
[[nodiscard]] constexpr int slots_of(int columns, bool products) {
  return 1 + columns + (products ? products_of(columns) : 0);
}

/// Where a pass over so many columns has the sum of a term, whose columns are -1 or counted among
/// those of the pass.
[[nodiscard]] TESSERA_FUNCTION constexpr int slot_of(int columns, SumTerm term) {
  const int low = term.a < term.b ? term.a : term.b;
  const int high = term.a < term.b ? term.b : term.a;
  if (high < 0) return 0;
  if (low < 0) return 1 + high;
  return 1 + columns + low * columns - low * (low - 1) / 2 + (high - low);
}

/// One pass, for a kernel of `columns` columns: kernels capture it.
struct SumGroup {
  int columns = 1;
  bool products = false;
  std::int16_t column[most_columns] = {};  ///< of the values; the first again where there are fewer
  int terms = 0;
  std::int16_t term[max_terms] = {};  ///< of the caller
  SumTerm local[max_terms] = {};      ///< the same with columns of the pass
};

/// `call.operator()<columns, products>()` of the kernel that a pass is for.
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

/// The passes that cover the terms: one where they name at most six columns.
[[nodiscard]] std::vector<SumGroup> sum_groups(const SumTerms& terms);

/// The same, kept for as long as the terms stay the same.
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
