#ifndef TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_PORTABLE_HPP
#define TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_PORTABLE_HPP

#include "core/operations/portable_plan.hpp"
#include "physics/reduction/extrema/extrema.hpp"

/// \file
/// The portable body of reduction/extrema: one pass over the rows for every extrema_width columns.

namespace tessera::reduction {

/// Number of columns in one pass: few enough for their extremes to stay in registers.
inline constexpr int extrema_width = 4;

template <class T>
struct ColumnExtremes {
  T value[2] = {};
  std::int64_t row[2] = {-1, -1};

  /// Replaces the extreme `which` if the candidate is better. Among equal values the lowest row is
  /// kept, so that the order of the calls does not matter. A NaN replaces every number.
  TESSERA_FUNCTION void offer(int which, T candidate, std::int64_t at) {
    if (row[which] >= 0) {
      const T best = value[which];
      const bool nan = !(candidate <= candidate);
      const bool had_nan = !(best <= best);
      const bool better = nan ? !had_nan : which == 0 ? candidate < best : candidate > best;
      const bool equal = nan ? had_nan : candidate == best;
      if (!better && !(equal && at < row[which])) return;
    }
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
  View<const std::uint8_t, 1> mask;
  std::int64_t first;
  bool with_nan;

  TESSERA_FUNCTION void operator()(std::int64_t i, ExtremesOfColumns<T>& found) const {
    if (mask.given() && mask(i) == 0) return;
    for (int c = 0; c < extrema_width; ++c) {
      if (first + c >= values.extents[1]) break;
      const T value = values(i, first + c);
      if (!with_nan && !(value <= value)) continue;
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
  ExtremaArgs<T> args;
  std::int64_t first;

  TESSERA_FUNCTION void operator()(const ExtremesOfColumns<T>& found) const {
    for (int c = 0; c < extrema_width; ++c) {
      if (first + c >= args.values.extents[1]) break;
      const ColumnExtremes<T>& column = found.column[c];
      for (int which = 0; which < 2; ++which) {
        args.extremes(first + c, which) =
            column.row[which] >= 0 ? column.value[which] : no_extreme<T>(which);
        if (args.rows.given()) args.rows(first + c, which) = column.row[which];
      }
    }
  }
};

template <class P, ExecutionSpace Space>
class ExtremaPortable : public PortablePlan<Extrema, P, Space> {
 public:
  using PortablePlan<Extrema, P, Space>::PortablePlan;
  using T = typename P::Storage;
  static constexpr PlanTraits<Extrema> traits{.determinism = Determinism::run_to_run};

  static Refusal can_run(const ExtremaProblem&, const Context&, const NoParameters&) { return {}; }

  void execute(const ExtremaArgs<T>& args) override {
    const auto [rows, columns, not_a_number] = this->problem_;
    const bool with_nan = not_a_number != NotANumber::pass_over;
    for (std::int64_t first = 0; first < columns; first += extrema_width)
      find_("extrema", rows, ExtremesOfColumns<T>{},
            OfferRow<T>{args.values, args.mask, first, with_nan}, JoinExtremes<T>{},
            StoreExtremes<T>{args, first});
  }

 private:
  Reduction<ExtremesOfColumns<T>, Space> find_{this->space_, this->problem_.rows};
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_PORTABLE_HPP
