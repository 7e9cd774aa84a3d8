#include "physics/pic/generate/triangular_root.hpp"

#include "core/base/error.hpp"

#include <cmath>
#include <string>

namespace tessera::pic {
namespace {

[[noreturn]] void refuse(const char* what, std::size_t a, std::size_t b,
                         const std::string& expected) {
  throw ArgumentError(
      "bunch", what,
      "row " + std::to_string(a) + ", column " + std::to_string(b) + ": expected " + expected);
}

}  // namespace

Matrix6 triangular_root(const Matrix6& covariance, const char* what) {
  // A remainder of a variance below this share of it is a rounding error.
  constexpr double rounding = 1e-14;
  Matrix6 root{};
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const double value = covariance[a][b];
      if (!std::isfinite(value) || !std::isfinite(covariance[b][a]))
        refuse(what, a, b, "a finite number");
      const double size = std::sqrt(std::abs(covariance[a][a] * covariance[b][b]));
      if (std::abs(value - covariance[b][a]) > rounding * size) refuse(what, a, b, "symmetry");
      double rest = value;
      for (std::size_t k = 0; k < b; ++k)
        rest -= root[a][k] * root[b][k];
      if (a == b) {
        if (rest < -rounding * std::abs(value) || value < 0)
          refuse(what, a, a, "a variance that its covariances allow");
        root[a][a] = rest > rounding * value ? std::sqrt(rest) : 0;
      } else if (root[b][b] > 0) {
        root[a][b] = rest / root[b][b];
      } else if (std::abs(rest) > rounding * (size > 0 ? size : 1)) {
        refuse(what, a, b, "none with a coordinate that follows from others");
      }
    }
  return root;
}

}  // namespace tessera::pic
