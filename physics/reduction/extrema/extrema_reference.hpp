#ifndef TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_REFERENCE_HPP
#define TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_REFERENCE_HPP

#include "physics/reduction/extrema/extrema.hpp"

namespace tessera::reduction {

/// The oracle of reduction/extrema: one loop over the rows for each column and each end.
template <class Storage>
void extrema_reference(const ExtremaProblem& problem, const ExtremaArgs<Storage>& args) {
  for (std::int64_t c = 0; c < problem.columns; ++c)
    for (int which = 0; which < 2; ++which) {
      Storage best = no_extreme<Storage>(which);
      std::int64_t row = -1;
      for (std::int64_t i = 0; i < problem.rows; ++i) {
        if (args.mask.given() && args.mask(i) == 0) continue;
        const Storage value = args.values(i, c);
        const bool nan = !(value <= value);
        if (nan && problem.not_a_number == NotANumber::pass_over) continue;
        if (!nan && row >= 0 && !(which == 0 ? value < best : value > best)) continue;
        best = value;
        row = i;
        if (nan) break;
      }
      args.extremes(c, which) = best;
      if (args.rows.given()) args.rows(c, which) = row;
    }
}

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_EXTREMA_EXTREMA_REFERENCE_HPP
