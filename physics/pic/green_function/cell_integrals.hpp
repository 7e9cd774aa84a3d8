#ifndef TESSERA_PHYSICS_PIC_GREEN_FUNCTION_CELL_INTEGRALS_HPP
#define TESSERA_PHYSICS_PIC_GREEN_FUNCTION_CELL_INTEGRALS_HPP

#include "core/base/device_code.hpp"
#include "physics/pic/green_function/bessel_k1.hpp"

#include <cmath>
#include <numbers>

/// \file
/// Integrals of the potential of a unit charge over a rectangular cell.

namespace tessera::pic {

/// Function whose mixed differences are the integral of 1 / r over a box (green_function.hpp).
/// \param x, y, z positive.
[[nodiscard]] TESSERA_INLINE double inverse_distance_integral(double x, double y, double z) {
  const double xx = x * x;
  const double yy = y * y;
  const double zz = z * z;
  const double r = ::sqrt(xx + yy + zz);
  return y * z * ::asinh(x / ::sqrt(yy + zz)) + x * z * ::asinh(y / ::sqrt(xx + zz)) +
         x * y * ::asinh(z / ::sqrt(xx + yy)) - xx / 2 * ::atan(y * z / (x * r)) -
         yy / 2 * ::atan(x * z / (y * r)) - zz / 2 * ::atan(x * y / (z * r));
}

/// Function whose mixed differences are the integral of ln(rho) over a rectangle.
/// \param x, y positive.
[[nodiscard]] TESSERA_INLINE double logarithm_integral(double x, double y) {
  return (x * y * (::log(x * x + y * y) - 3) + x * x * ::atan(y / x) + y * y * ::atan(x / y)) / 2;
}

/// Integral of ln(rho) over the rectangle of half sides hx, hy around (x, y).
struct LogarithmCell {
  double hx, hy;

  [[nodiscard]] TESSERA_INLINE double operator()(double x, double y) const {
    return corner(x + hx, y + hy) - corner(x - hx, y + hy) - corner(x + hx, y - hy) +
           corner(x - hx, y - hy);
  }

 private:
  [[nodiscard]] static TESSERA_INLINE double corner(double x, double y) {
    const double value = logarithm_integral(x < 0 ? -x : x, y < 0 ? -y : y);
    return (x < 0) != (y < 0) ? -value : value;
  }
};

/// Integral of K0(wave rho) over the rectangle of half sides hx, hy around (x, y).
/// \param x, y not negative: multiples of 2 hx, 2 hy.
///
/// K0 is the divergence of the radial field -K1(wave rho) / wave, whose source at 0 is 2 pi /
/// wave^2. The integral is therefore a sum of integrals along the four edges, none of which
/// contains 0. If a cell is much smaller than the wavelength these terms cancel; then K0 + ln(rho),
/// which hardly varies over the cell, is integrated instead.
class BesselCell {
 public:
  TESSERA_INLINE BesselCell(double wave, double half_x, double half_y)
      : wave_(wave), hx_(half_x), hy_(half_y) {}

  [[nodiscard]] TESSERA_INLINE double operator()(double x, double y) const {
    const double longer = hx_ > hy_ ? hx_ : hy_;
    return wave_ * longer < 0.05 ? by_logarithm(x, y) : by_edges(x, y);
  }

 private:
  /// Positive half of the points of Gauss-Legendre quadrature with eight points (Abramowitz and
  /// Stegun, table 25.4).
  static constexpr int half_points = 4;
  [[nodiscard]] static TESSERA_INLINE double point(int i) {
    constexpr double points[half_points] = {0.18343464249564980, 0.52553240991632899,
                                            0.79666647741362674, 0.96028985649753623};
    return points[i];
  }
  [[nodiscard]] static TESSERA_INLINE double weight(int i) {
    constexpr double weights[half_points] = {0.36268378337836198, 0.31370664587788729,
                                             0.22238103445337447, 0.10122853629037626};
    return weights[i];
  }

  /// Integral along the edge at distance `across`, from along - half to along + half.
  [[nodiscard]] TESSERA_INLINE double edge(double across, double along, double half) const {
    // An edge opposite 0 is divided into six pieces that become shorter towards 0, other edges into
    // two.
    if (along == 0) return 2 * towards(across, half);
    return piece(across, along - half, along) + piece(across, along, along + half);
  }
  [[nodiscard]] TESSERA_INLINE double towards(double across, double end) const {
    double sum = 0;
    double upper = end;
    for (int i = 0; i < 5; ++i) {
      sum += piece(across, upper / 2, upper);
      upper /= 2;
    }
    return sum + piece(across, 0, upper);
  }
  [[nodiscard]] TESSERA_INLINE double piece(double across, double lower, double upper) const {
    const double middle = (lower + upper) / 2;
    const double half = (upper - lower) / 2;
    double sum = 0;
    for (int i = 0; i < half_points; ++i)
      for (int side = -1; side <= 1; side += 2) {
        const double along = middle + side * half * point(i);
        const double rho = ::sqrt(across * across + along * along);
        sum += weight(i) * bessel_k(wave_ * rho).k1 / rho;
      }
    return sum * half * across;
  }
  [[nodiscard]] TESSERA_INLINE double by_edges(double x, double y) const {
    double flux = edge(x + hx_, y, hy_) + edge(y + hy_, x, hx_);
    flux += x > 0 ? -edge(x - hx_, y, hy_) : edge(hx_, y, hy_);
    flux += y > 0 ? -edge(y - hy_, x, hx_) : edge(hy_, x, hx_);
    const double source = x > 0 || y > 0 ? 0 : 2 * std::numbers::pi / (wave_ * wave_);
    return source - flux / wave_;
  }

  [[nodiscard]] TESSERA_INLINE double by_logarithm(double x, double y) const {
    // In the cell around 0 the remainder varies as rho^2 ln(rho): integrates one quarter, which
    // represents the cell.
    const bool quarter = x == 0 && y == 0;
    const double half_x = quarter ? hx_ / 2 : hx_;
    const double half_y = quarter ? hy_ / 2 : hy_;
    const double middle_x = quarter ? half_x : x;
    const double middle_y = quarter ? half_y : y;
    double rest = 0;
    for (int i = 0; i < half_points; ++i)
      for (int j = 0; j < half_points; ++j)
        for (int side = 0; side < 4; ++side) {
          const double dx = middle_x + (side % 2 == 0 ? 1 : -1) * half_x * point(i);
          const double dy = middle_y + (side / 2 == 0 ? 1 : -1) * half_y * point(j);
          const double rho = ::sqrt(dx * dx + dy * dy);
          rest += weight(i) * weight(j) * (bessel_k(wave_ * rho).k0 + ::log(rho));
        }
    return rest * hx_ * hy_ - LogarithmCell{hx_, hy_}(x, y);
  }

  double wave_;
  double hx_;
  double hy_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GREEN_FUNCTION_CELL_INTEGRALS_HPP
