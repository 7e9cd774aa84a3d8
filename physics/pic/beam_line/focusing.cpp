#include "physics/pic/beam_line/focusing.hpp"

#include <cmath>

namespace tessera::pic {
namespace {

double sine_of(double strength, double length) {
  const double root = std::sqrt(std::abs(strength));
  if (root * length == 0) return length;
  return (strength > 0 ? std::sin(root * length) : std::sinh(root * length)) / root;
}

/// L^3 (1/3! - u/5! + u^2/7! ...), u = K L^2 small.
double sine_missing_series(double u, double length) {
  double term = length * length * length / 6;
  double sum = 0;
  for (int n = 5; sum + term != sum; n += 2) {
    sum += term;
    term *= -u / ((n - 1) * n);
  }
  return sum;
}

}  // namespace

Focusing focusing(double strength, double length) {
  const double u = strength * length * length;
  const double root = std::sqrt(std::abs(strength));
  const double sine = sine_of(strength, length);
  // 1 - cos(a) = 2 sin(a/2)^2 avoids cancellation.
  const double half = sine_of(strength, length / 2);
  return {strength > 0 ? std::cos(root * length) : std::cosh(root * length), sine, 2 * half * half,
          std::abs(u) < 1 ? sine_missing_series(u, length) : (length - sine) / strength};
}

}  // namespace tessera::pic
