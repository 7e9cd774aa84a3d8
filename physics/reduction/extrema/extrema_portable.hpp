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
struct Extreme {
  T value = {};
  std::int64_t row = -1;

  /// Replaces the smallest (`which` = 0) or largest value by a better one. Among equal values the
  /// lowest row is kept, so that the order of the calls does not matter. A NaN replaces numbers.
  TESSERA_FUNCTION void offer(int which, T candidate, std::int64_t at) {
    if (row >= 0) {
      const bool nan = !(candidate <= candidate);
      const bool had_nan = !(value <= value);
      const bool better = nan ? !had_nan : which == 0 ? candidate < value : candidate > value;
      const bool equal = nan ? had_nan : candidate == value;
      if (!better && !(equal && at < row)) return;
    }
    value = candidate;
    row = at;
  }
};

template <class T>
struct Extremes {
  Extreme<T> of[extrema_width][2];
};

/// The three parts of a reduction over rows, for the columns from `first` on.
template <class T>
struct FindExtremes {
  ExtremaArgs<T> args;
  std::int64_t first;
  bool with_nan;

  TESSERA_FUNCTION void operator()(std::int64_t i, Extremes<T>& found) const {
    if (args.mask.given() && args.mask(i) == 0) return;
    for (int c = 0; c < extrema_width && first + c < args.values.extents[1]; ++c) {
      const T value = args.values(i, first + c);
      if (!with_nan && !(value <= value)) continue;
      for (int which = 0; which < 2; ++which)
        found.of[c][which].offer(which, value, i);
    }
  }
  TESSERA_FUNCTION void operator()(Extremes<T>& into, const Extremes<T>& from) const {
    for (int c = 0; c < extrema_width; ++c)
      for (int which = 0; which < 2; ++which)
        if (const Extreme<T>& one = from.of[c][which]; one.row >= 0)
          into.of[c][which].offer(which, one.value, one.row);
  }
  TESSERA_FUNCTION void operator()(const Extremes<T>& found) const {
    for (int c = 0; c < extrema_width && first + c < args.values.extents[1]; ++c)
      for (int which = 0; which < 2; ++which) {
        const Extreme<T>& one = found.of[c][which];
        args.extremes(first + c, which) = one.row >= 0 ? one.value : no_extreme<T>(which);
        if (args.rows.given()) args.rows(first + c, which) = one.row;
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
    const bool with_nan = this->problem_.not_a_number != NotANumber::pass_over;
    for (std::int64_t first = 0; first < this->problem_.columns; first += extrema_width) {
      const FindExtremes<T> find{args, first, with_nan};
      find_("extrema", this->problem_.rows, Extremes<T>{}, find, find, find);
    }
  }

 private:
  Reduction<Extremes<T>, Space> find_{this->space_, this->problem_.rows};
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_PORTABLE_HPP
