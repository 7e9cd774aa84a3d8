#ifndef TESSERA_CORE_TUNING_SURROGATE_HPP
#define TESSERA_CORE_TUNING_SURROGATE_HPP

#include "core/tuning/search_points.hpp"

#include <cstddef>
#include <vector>

/// \file
/// What candidates that were not measured may take, from those that were: a Gaussian process
/// (Rasmussen and Williams, "Gaussian Processes for Machine Learning", chapters 2 and 5) over the
/// logarithm of the times, whose covariance falls off along each direction of the space by a length
/// of its own. The lengths are those under which the measurements are most likely.

namespace tessera {

class Surrogate {
 public:
  explicit Surrogate(const SearchPoints& points) : points_(points) {}

  /// \param where candidates, \param values one for each.
  void fit(std::vector<std::size_t> where, std::vector<double> values);
  /// One more, under the lengths of the last fit.
  void add(std::size_t where, double value);

  struct Prediction {
    double mean = 0;
    double deviation = 0;
  };
  [[nodiscard]] Prediction at(std::size_t candidate) const;

 private:
  [[nodiscard]] double covariance(std::size_t a, std::size_t b) const;
  /// The logarithm of the likelihood, less a constant; factorises.
  double factorise();

  const SearchPoints& points_;
  std::vector<std::size_t> where_;
  std::vector<double> values_;
  double mean_ = 0;
  double scale_ = 1;
  double nugget_ = 1e-3;            ///< of the variance: what is noise
  std::vector<double> per_length_;  ///< of each direction
  std::vector<double> factor_;      ///< Cholesky, lower, row by row
  std::vector<double> weights_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_SURROGATE_HPP
