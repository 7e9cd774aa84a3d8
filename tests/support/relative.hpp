#ifndef TESSERA_TESTS_SUPPORT_RELATIVE_HPP
#define TESSERA_TESTS_SUPPORT_RELATIVE_HPP

#include <doctest/doctest.h>

namespace tessera::test {

/// Comparison value with a purely relative tolerance, not for 0. The default tolerance of
/// doctest::Approx is relative to 1 plus the magnitude, so that all numbers far below 1 are equal.
[[nodiscard]] inline doctest::Approx relative(double value) {
  return doctest::Approx(value).scale(0);
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_RELATIVE_HPP
