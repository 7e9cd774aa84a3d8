#ifndef TESSERA_TESTS_SUPPORT_RELATIVE_HPP
#define TESSERA_TESTS_SUPPORT_RELATIVE_HPP

#include <doctest/doctest.h>

namespace tessera::test {

/// Comparison value with a relative tolerance. doctest::Approx adds 1 to the magnitude, so that all
/// numbers far below 1 are equal. Not for 0.
[[nodiscard]] inline doctest::Approx relative(double value) {
  return doctest::Approx(value).scale(0);
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_RELATIVE_HPP
