#ifndef TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_LANE_PLAN_HPP
#define TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_LANE_PLAN_HPP

#include "core/execution/buffer.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

/// \file
/// Passes and twiddle factors of transforms of a given length, one transform per lane of a vector.
///
/// Each pass of radix r splits transforms of length n = r m into r times as many of length m (T. G.
/// Stockham's autosort algorithm: C. Van Loan, Computational Frameworks for the Fast Fourier
/// Transform (1992), section 1.7):
///
///     y(q, r p + j) = exp(-2 pi i p j / n) sum over k of x(q, p + k m) exp(-2 pi i j k / r)
///
/// for 0 <= q < s, where s is the number of transforms of length n before the pass; after it there
/// are r s of length m. The results are in natural order.

namespace tessera::openmp::fused {

struct LanePass {
  int radix = 2;
  std::int64_t m = 1;        ///< length of the transforms after the pass
  std::int64_t s = 1;        ///< number of transforms before the pass
  std::int64_t factors = 0;  ///< offset of its factors: m times radix - 1 complex numbers
};

/// Radices of a length without other prime factors than 2, 3, 5 and 7; even ones first.
[[nodiscard]] inline std::vector<int> lane_radices(std::int64_t length) {
  std::vector<int> radices;
  std::int64_t twos = 0;
  for (; length % 2 == 0; length /= 2)
    ++twos;
  // Radix 8, but for a remainder of one pass of radix 2 or 4, or of two passes of radix 4.
  for (; twos >= 3 && twos != 4; twos -= 3)
    radices.push_back(8);
  for (; twos >= 2; twos -= 2)
    radices.push_back(4);
  if (twos == 1) radices.push_back(2);
  for (const int radix : {3, 5, 7})
    for (; length % radix == 0; length /= radix)
      radices.push_back(radix);
  return radices;
}

template <class Storage, class Space>
class LanePlan {
 public:
  LanePlan(const Space& space, std::int64_t length) : length_(length), factors_(space) {
    std::vector<Storage> factors;
    std::int64_t n = length;
    for (const int radix : lane_radices(length)) {
      const LanePass pass{radix, n / radix, length / n, static_cast<std::int64_t>(factors.size())};
      for (std::int64_t p = 0; p < pass.m; ++p)
        for (int j = 1; j < radix; ++j) {
          const double angle =
              -2 * std::numbers::pi * static_cast<double>(p * j % n) / static_cast<double>(n);
          factors.push_back(static_cast<Storage>(std::cos(angle)));
          factors.push_back(static_cast<Storage>(std::sin(angle)));
        }
      passes_.push_back(pass);
      n = pass.m;
    }
    factors_.upload(factors.data(), static_cast<std::int64_t>(factors.size()));
  }

  [[nodiscard]] std::int64_t length() const { return length_; }
  [[nodiscard]] const std::vector<LanePass>& passes() const { return passes_; }
  [[nodiscard]] const Storage* factors() const { return factors_.data(); }

 private:
  std::int64_t length_;
  std::vector<LanePass> passes_;
  Buffer<Storage, Space> factors_;
};

}  // namespace tessera::openmp::fused

#endif  // TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_LANE_PLAN_HPP
