#ifndef TESSERA_TESTS_CALLS_WRONG_VALUES_HPP
#define TESSERA_TESTS_CALLS_WRONG_VALUES_HPP

#include "physics/md/box.hpp"

#include <cmath>
#include <limits>

/// \file
/// Invalid boxes.

namespace tessera::test {

/// Calls `wrong(what, change)` for each change that makes a box invalid.
template <class Wrong>
void each_wrong_box(const Wrong& wrong) {
  for (int d = 0; d < 3; ++d) {
    wrong("length NaN", [d](md::Box& box) { box.length[d] = NAN; });
    wrong("length infinite", [d](md::Box& box) { box.length[d] = INFINITY; });
    wrong("length 0", [d](md::Box& box) { box.length[d] = 0; });
    wrong("length negative", [d](md::Box& box) { box.length[d] = -5; });
    wrong("lower NaN", [d](md::Box& box) { box.lower[d] = NAN; });
    wrong("tilt NaN", [d](md::Box& box) { box.tilt[d] = NAN; });
    wrong("tilt of 1e9 lengths", [d](md::Box& box) { box.tilt[d] = 1e9 * box.length[d]; });
  }
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_CALLS_WRONG_VALUES_HPP
