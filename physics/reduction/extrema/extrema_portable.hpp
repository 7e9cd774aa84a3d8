#pragma once

#include <tessera/core/operations/portable_plan.hpp>
#include <tessera/reduction/extrema/extrema.hpp>

/// \file
/// The portable body of reduction/extrema: a pass over the rows for each few columns.

namespace tessera::reduction {

/// Columns in one pass: few enough to stay in registers.
inline constexpr int extrema_width = 4;

template <class T>
struct ColumnExtremes {
  T value[2] = {};
  std::int64_t row[2] = {-1, -1};

  /// The lowest row wins among equals, so that the order of the offers does not matter.
  TESSERA_FUNCTION void offer(int which, T candidate, std::int64_t at) {
    const bool better = which == 0 ? candidate < value[0] : candidate > value[1];
    const bool earlier = candidate == value[which] && at < row[which];
    if (row[which] >= 0 && !better && !earlier) return;
    value[which] = candidate;
    row[which] = at;
  }
};

template <class T>
struct ExtremesOfColumns {
  ColumnExtremes<T> column[extrema_width];
};

template <class T>
struct OfferRow {
  View<const T, 2> values;
  std::int64_t first;

  TESSERA_FUNCTION void operator()(std::int64_t i, ExtremesOfColumns<T>& found) const {
    for (int c = 0; c < extrema_width; ++c) {
      if (first + c >= values.extents[1]) break;
      const T value = values(i, first + c);
      if (!(value <= value)) continue;  // NaN
      for (int which = 0; which < 2; ++which)
        found.column[c].offer(which, value, i);
    }
  }
};

template <class T>
struct JoinExtremes {
  TESSERA_FUNCTION void operator()(ExtremesOfColumns<T>& into,
                                   const ExtremesOfColumns<T>& from) const {
    for (int c = 0; c < extrema_width; ++c)
      for (int which = 0; which < 2; ++which)
        if (from.column[c].row[which] >= 0)
          into.column[c].offer(which, from.column[c].value[which], from.column[c].row[which]);
  }
};

template <class T>
struct StoreExtremes {
  const ExtremesOfColumns<T>* found;
  ExtremaArgs<T> args;
  std::int64_t first;

  TESSERA_FUNCTION void operator()(std::int64_t c) const {
    const ColumnExtremes<T>& column = found->column[c];
    for (int which = 0; which < 2; ++which) {
      args.extremes(first + c, which) =
          column.row[which] >= 0 ? column.value[which] : no_extreme<T>(which);
      if (args.rows.given()) args.rows(first + c, which) = column.row[which];
    }
  }
};

template <class P, ExecutionSpace Space>
class ExtremaPortable : public PortablePlan<Extrema, P, Space> {
 public:
  using PortablePlan<Extrema, P, Space>::PortablePlan;
  using T = typename P::Storage;
  static constexpr Determinism determinism = Determinism::run_to_run;

  void execute(const ExtremaArgs<T>& args) override {
    const auto [rows, columns] = this->problem_;
    for (std::int64_t first = 0; first < columns; first += extrema_width) {
      const auto* const found = find_("extrema", rows, ExtremesOfColumns<T>{},
                                      OfferRow<T>{args.values, first}, JoinExtremes<T>{});
      const std::int64_t width = columns - first < extrema_width ? columns - first : extrema_width;
      this->space_.for_each("extrema store", width, StoreExtremes<T>{found, args, first});
    }
  }

 private:
  Reduction<ExtremesOfColumns<T>, Space> find_{this->space_, this->problem_.rows};
};

}  // namespace tessera::reduction
