#ifndef TESSERA_TESTS_SUPPORT_RELATIVE_HPP
#define TESSERA_TESTS_SUPPORT_RELATIVE_HPP

#include <doctest/doctest.h>

namespace tessera::test {

/// A number to compare with, within epsilon of its own size; doctest::Approx adds 1 to the size, so
/// that numbers far below 1 are all equal. Only for numbers that are not 0.
[[nodiscard]] inline doctest::Approx relative(double value) {
  return doctest::Approx(value).scale(0);
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_RELATIVE_HPP
