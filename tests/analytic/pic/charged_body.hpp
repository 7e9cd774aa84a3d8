#ifndef TESSERA_TESTS_ANALYTIC_PIC_CHARGED_BODY_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_CHARGED_BODY_HPP

#include "core/base/random.hpp"

#include <array>
#include <memory>

/// \file
/// Charge distributions with known fields. Each has total charge 1 (per period if it is periodic),
/// is centered at 0, and is symmetric under reflection in all three coordinate planes. With
/// 4 pi epsilon_0 = 1, the field of one that is not periodic approaches 1 / r^2 far away.

namespace tessera::pic::analytic {

using Point = std::array<double, 3>;

class ChargedBody {
 public:
  virtual ~ChargedBody() = default;

  [[nodiscard]] virtual double density(const Point& at) const = 0;
  [[nodiscard]] virtual Point field(const Point& at) const = 0;
  /// A random position of a particle, drawn from the density.
  [[nodiscard]] virtual Point particle(RandomSequence& random) const = 0;
};

/// A Gaussian with given standard deviations. With the integration variable L of 1 / r =
/// 2 / sqrt(pi) int exp(-L^2 r^2) dL,
///
///     E_i = sqrt(2 / pi) x_i int_0^inf L^2 / (1 + L^2 s_i^2)
///               prod_j exp(-x_j^2 L^2 / (2 (1 + L^2 s_j^2))) / sqrt(1 + L^2 s_j^2) dL
///
/// (R. Wanzenberg, "Nonlinear motion of a point charge in the 3D space charge field of a Gaussian
/// bunch", DESY M 10-01 (2010)).
[[nodiscard]] std::unique_ptr<ChargedBody> gaussian_body(const Point& deviations);

/// An ellipsoid of uniform density with half axes a_i:
///
///     E_i = 3/2 x_i int_l^inf ds / ((a_i^2 + s) sqrt(prod_j (a_j^2 + s)))
///
/// with l = 0 inside and the positive root of sum x_j^2 / (a_j^2 + l) = 1 outside (O. D. Kellogg,
/// Foundations of Potential Theory (1929), chapter VII).
[[nodiscard]] std::unique_ptr<ChargedBody> uniform_ellipsoid(const Point& half_axes);

/// A cylinder around z of uniform density. By Gauss's theorem, E is the density times the surface
/// integral of n / r with the outward normal n. The integral is in closed form along z, on the ends
/// along the radius, and by the trapezoidal rule around the axis.
[[nodiscard]] std::unique_ptr<ChargedBody> uniform_rod(double radius, double length);

/// A cylinder without ends, with a charge of 1 per period: E = 2 r / (R^2 period) inside,
/// 2 / (r period) outside.
[[nodiscard]] std::unique_ptr<ChargedBody> periodic_cylinder(double radius, double period);

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_CHARGED_BODY_HPP
