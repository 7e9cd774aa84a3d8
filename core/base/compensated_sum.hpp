#ifndef TESSERA_CORE_BASE_COMPENSATED_SUM_HPP
#define TESSERA_CORE_BASE_COMPENSATED_SUM_HPP

#include <cmath>

/// \file
/// Sums of doubles whose rounding error is about one unit in the last place.

namespace tessera {

/// Neumaier's variant of Kahan summation. References and checks use it, because they have to be
/// more accurate than the results that they judge.
class CompensatedSum {
 public:
  void add(double value) {
    const double next = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_COMPENSATED_SUM_HPP
