#include "physics/pic/beam_line/map_algebra.hpp"

#include <cmath>

namespace tessera::pic {

LinearMap composed(const LinearMap& second, const LinearMap& first) {
  LinearMap product;
  for (int i = 0; i < 6; ++i) {
    product.constant[i] = second.constant[i];
    for (int k = 0; k < 6; ++k)
      product.constant[i] += second.matrix[i][k] * first.constant[k];
    for (int j = 0; j < 6; ++j) {
      double sum = 0;
      for (int k = 0; k < 6; ++k)
        sum += second.matrix[i][k] * first.matrix[k][j];
      product.matrix[i][j] = sum;
    }
  }
  return product;
}

double symplectic_error(const LinearMap& map, const ReferenceParticle& reference) {
  // Canonical variables are the coordinates times these factors.
  const double scale[6] = {1, 1, 1, 1, 1, -reference.beta()};
  double worst = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      double bracket = 0;
      for (int pair = 0; pair < 6; pair += 2) {
        const auto element = [&](int row, int column) {
          return scale[row] * map.matrix[row][column] / scale[column];
        };
        bracket +=
            element(pair, i) * element(pair + 1, j) - element(pair + 1, i) * element(pair, j);
      }
      const double expected = i / 2 != j / 2 ? 0 : j - i;
      const double error = std::abs(bracket - expected);
      if (!(error <= worst)) worst = error;
      if (std::isnan(worst)) return worst;
    }
  return worst;
}

}  // namespace tessera::pic
