#ifndef TESSERA_CORE_TUNING_SURROGATE_HPP
#define TESSERA_CORE_TUNING_SURROGATE_HPP

#include "core/tuning/search_points.hpp"

#include <cstddef>
#include <vector>

/// \file
/// Prediction of the times of unmeasured candidates by a Gaussian process (Rasmussen and Williams,
/// "Gaussian Processes for Machine Learning", chapters 2 and 5) over the logarithms of measured
/// times. Its covariance has a separate correlation length along each direction of the space. The
/// lengths maximize the likelihood of the measurements.

namespace tessera {

class Surrogate {
 public:
  explicit Surrogate(const SearchPoints& points) : points_(points) {}

  /// Fits the correlation lengths to measurements. \param where indices of candidates. \param
  /// values logarithms of their times.
  void fit(std::vector<std::size_t> where, std::vector<double> values);
  /// Adds the value of one candidate and keeps the correlation lengths of the last fit.
  void add(std::size_t where, double value);

  struct Prediction {
    double mean = 0;
    double deviation = 0;
  };
  [[nodiscard]] Prediction at(std::size_t candidate) const;

 private:
  [[nodiscard]] double covariance(std::size_t a, std::size_t b) const;
  /// Factorizes the covariance matrix. \returns the log-likelihood up to a constant.
  double factorise();

  const SearchPoints& points_;
  std::vector<std::size_t> where_;
  std::vector<double> values_;
  double mean_ = 0;
  double scale_ = 1;
  double nugget_ = 1e-3;            ///< relative variance of the noise
  std::vector<double> per_length_;  ///< inverse correlation length of each direction
  std::vector<double> factor_;      ///< lower Cholesky factor, row-major
  std::vector<double> weights_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_SURROGATE_HPP
