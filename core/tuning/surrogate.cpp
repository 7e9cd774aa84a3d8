#include "core/tuning/surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera {

double Surrogate::covariance(std::size_t a, std::size_t b) const {
  double exponent = 0;
  for (std::size_t d = 0; d < per_length_.size(); ++d) {
    const double distance = points_.distance(a, b, d) * per_length_[d];
    // Exponent 1.5 gives functions between rough and smooth: times have kinks at the sizes of
    // caches and warps.
    exponent += distance * std::sqrt(distance);
  }
  return std::exp(-exponent);
}

double Surrogate::factorise() {
  const std::size_t n = where_.size();
  factor_.assign(n * n, 0);
  double log_determinant = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = covariance(where_[i], where_[j]) + (i == j ? nugget_ : 0);
      for (std::size_t k = 0; k < j; ++k)
        sum -= factor_[i * n + k] * factor_[j * n + k];
      if (i == j) {
        if (!(sum > 1e-12)) sum = 1e-12;
        factor_[i * n + i] = std::sqrt(sum);
        log_determinant += std::log(sum);
      } else {
        factor_[i * n + j] = sum / factor_[j * n + j];
      }
    }
  // Forward substitution, the quadratic form of the likelihood, and back substitution.
  weights_.resize(n);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = (values_[i] - mean_) / scale_;
    for (std::size_t k = 0; k < i; ++k)
      sum -= factor_[i * n + k] * weights_[k];
    weights_[i] = sum / factor_[i * n + i];
    squares += weights_[i] * weights_[i];
  }
  for (std::size_t i = n; i-- > 0;) {
    double sum = weights_[i];
    for (std::size_t k = i + 1; k < n; ++k)
      sum -= factor_[k * n + i] * weights_[k];
    weights_[i] = sum / factor_[i * n + i];
  }
  return -0.5 * (squares + log_determinant);
}

void Surrogate::fit(std::vector<std::size_t> where, std::vector<double> values) {
  where_ = std::move(where);
  values_ = std::move(values);
  const auto n = static_cast<double>(values_.size());
  mean_ = 0;
  for (const double v : values_)
    mean_ += v / n;
  double variance = 0;
  for (const double v : values_)
    variance += (v - mean_) * (v - mean_) / n;
  scale_ = variance > 0 ? std::sqrt(variance) : 1;

  // Maximizes the likelihood along one direction at a time. This works because the covariance is a
  // product over the directions, so the likelihood has few ridges.
  per_length_.assign(points_.directions().size(), 1.0);
  double best = factorise();
  for (int sweep = 0; sweep < 2; ++sweep)
    for (double& own : per_length_) {
      double chosen = own;
      for (const double other : {0.05, 0.2, 0.5, 1.0, 2.0, 4.0}) {
        own = other;
        // The penalty favors long correlation lengths, because most parameters have little effect.
        const double likelihood = factorise() - 0.1 * other;
        if (likelihood > best) {
          best = likelihood;
          chosen = other;
        }
      }
      own = chosen;
    }
  factorise();
}

void Surrogate::add(std::size_t where, double value) {
  where_.push_back(where);
  values_.push_back(value);
  factorise();
}

Surrogate::Prediction Surrogate::at(std::size_t candidate) const {
  const std::size_t n = where_.size();
  std::vector<double> column(n);
  double mean = 0;
  double explained = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double k = covariance(candidate, where_[i]);
    mean += k * weights_[i];
    double sum = k;
    for (std::size_t j = 0; j < i; ++j)
      sum -= factor_[i * n + j] * column[j];
    column[i] = sum / factor_[i * n + i];
    explained += column[i] * column[i];
  }
  return {mean_ + scale_ * mean, scale_ * std::sqrt(std::max(0.0, 1 - explained))};
}

}  // namespace tessera
