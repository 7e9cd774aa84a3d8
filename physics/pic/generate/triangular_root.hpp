#ifndef TESSERA_PHYSICS_PIC_GENERATE_TRIANGULAR_ROOT_HPP
#define TESSERA_PHYSICS_PIC_GENERATE_TRIANGULAR_ROOT_HPP

#include <array>

namespace tessera::pic {

using Matrix6 = std::array<std::array<double, 6>, 6>;

/// The lower triangular matrix whose product with its transpose is a covariance (A.-L. Cholesky).
/// Coordinates without a spread of their own give columns of zeros.
/// \param what names the matrix in errors.
/// \throws ArgumentError where it is not finite, not symmetric, or no covariance.
[[nodiscard]] Matrix6 triangular_root(const Matrix6& covariance, const char* what);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GENERATE_TRIANGULAR_ROOT_HPP
