#include "core/base/normal.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

/// \file
/// The series of Gaussian noise against the functions of the standard library, and the moments of
/// the noise.

namespace tessera::test {
namespace {

/// Words at the limits of the series and of the intervals of their arguments, and others between.
[[nodiscard]] std::vector<std::uint32_t> words() {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t middle :
       {0u, 0x20000000u, 0x40000000u, 0x5a827999u, 0x80000000u, 0xb504f333u, 0xe0000000u})
    for (std::uint32_t k = 0; k < 200; ++k)
      all.push_back(middle + k - 100);
  for (std::uint64_t word = 0; word < (1ull << 32); word += 1000003)
    all.push_back(static_cast<std::uint32_t>(word));
  return all;
}

TEST_CASE("series of Gaussian noise have the digits of double precision") {
  double log_error = 0;
  double direction_error = 0;
  for (const std::uint32_t word : words()) {
    const long double u = (word + 0.5L) / 4294967296.0L;
    const long double logarithm = -2 * std::log(u);
    log_error = std::max(
        log_error, static_cast<double>(
                       std::abs((normal_series::minus_twice_log(word) - logarithm) / logarithm)));
    const long double angle = 2 * std::numbers::pi_v<long double> * u;
    const normal_series::Direction at = normal_series::direction(word);
    direction_error =
        std::max({direction_error, static_cast<double>(std::abs(at.cosine - std::cos(angle))),
                  static_cast<double>(std::abs(at.sine - std::sin(angle)))});
  }
  CHECK(log_error < 4e-16);
  CHECK(direction_error < 3e-16);
}

TEST_CASE("Gaussian noise has the moments of a normal distribution") {
  constexpr std::int64_t count = 200000;
  double mean = 0, square = 0, fourth = 0, mixed = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const Normals n = normals(7, static_cast<std::uint64_t>(i), 3);
    for (const double value : n.value) {
      mean += value;
      square += value * value;
      fourth += value * value * value * value;
    }
    mixed += n.value[0] * n.value[1] + n.value[1] * n.value[2];
  }
  const double all = 4.0 * static_cast<double>(count);
  CHECK(std::abs(mean / all) < 5 / std::sqrt(all));
  CHECK(std::abs(square / all - 1) < 5 * std::sqrt(2 / all));
  CHECK(std::abs(fourth / all - 3) < 5 * std::sqrt(96 / all));
  CHECK(std::abs(mixed / (2 * static_cast<double>(count))) <
        5 / std::sqrt(2 * static_cast<double>(count)));
}

}  // namespace
}  // namespace tessera::test
