#ifndef TESSERA_PHYSICS_PIC_GENERATE_TRIANGULAR_ROOT_HPP
#define TESSERA_PHYSICS_PIC_GENERATE_TRIANGULAR_ROOT_HPP

#include <array>

namespace tessera::pic {

using Matrix6 = std::array<std::array<double, 6>, 6>;

/// Lower triangular matrix whose product with its transpose is a covariance (A.-L. Cholesky).
/// Coordinates without an independent spread give columns of zeros.
/// \param what name of the matrix in errors.
/// \throws ArgumentError for a matrix that is not finite, not symmetric, or not a covariance.
[[nodiscard]] Matrix6 triangular_root(const Matrix6& covariance, const char* what);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GENERATE_TRIANGULAR_ROOT_HPP
