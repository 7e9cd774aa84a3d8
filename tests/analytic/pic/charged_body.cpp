#include "tests/analytic/pic/charged_body.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace tessera::pic::analytic {
namespace {

constexpr double pi = std::numbers::pi;

struct Abscissa {
  double at;
  double weight;
};

/// Gauss-Legendre quadrature rule on (0, 1), by Newton's method (NIST Digital Library of
/// Mathematical Functions, 3.5(v)).
std::vector<Abscissa> gauss_legendre(int points) {
  std::vector<Abscissa> rule;
  for (int k = 0; k < points; ++k) {
    double x = std::cos(pi * (k + 0.75) / (points + 0.5));
    double slope = 0;
    for (int step = 0; step < 50; ++step) {
      double before = 0;
      double value = 1;
      for (int n = 1; n <= points; ++n) {
        const double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
        before = value;
        value = next;
      }
      slope = points * (x * value - before) / (x * x - 1);
      const double change = value / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    rule.push_back({(1 + x) / 2, 1 / ((1 - x * x) * slope * slope)});
  }
  return rule;
}

double normal(RandomSequence& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * pi * random.uniform());
}

class Gaussian final : public ChargedBody {
 public:
  explicit Gaussian(const Point& deviations) : s_(deviations), rule_(gauss_legendre(64)) {}

  [[nodiscard]] double density(const Point& at) const override {
    double exponent = 0;
    for (std::size_t a = 0; a < 3; ++a)
      exponent -= at[a] * at[a] / (2 * s_[a] * s_[a]);
    return std::exp(exponent) / (std::pow(2 * pi, 1.5) * s_[0] * s_[1] * s_[2]);
  }
  [[nodiscard]] Point field(const Point& at) const override {
    // Substitutes L = v / (s sqrt(1 - v^2)) with the largest standard deviation s. The integrand is
    // then smooth for v from 0 to 1: (1 + L^2 s_j^2) (1 - v^2) = 1 - v^2 (1 - s_j^2 / s^2).
    const double s = *std::max_element(s_.begin(), s_.end());
    Point sum{};
    for (const Abscissa& point : rule_) {
      const double v2 = point.at * point.at;
      double left[3];
      double product = 1;
      double exponent = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        const double ratio = s_[a] / s;
        left[a] = 1 - v2 * (1 - ratio * ratio);
        product *= left[a];
        exponent -= at[a] * at[a] * v2 / (2 * s * s * left[a]);
      }
      const double common = point.weight * v2 * std::exp(exponent) / std::sqrt(product);
      for (std::size_t a = 0; a < 3; ++a)
        sum[a] += common / left[a];
    }
    for (std::size_t a = 0; a < 3; ++a)
      sum[a] *= std::sqrt(2 / pi) * at[a] / (s * s * s);
    return sum;
  }
  [[nodiscard]] Point particle(RandomSequence& random) const override {
    Point place;
    for (std::size_t a = 0; a < 3; ++a)
      place[a] = s_[a] * normal(random);
    return place;
  }

 private:
  Point s_;
  std::vector<Abscissa> rule_;
};

class Ellipsoid final : public ChargedBody {
 public:
  explicit Ellipsoid(const Point& half_axes) : axes_(half_axes), rule_(gauss_legendre(48)) {}

  [[nodiscard]] double density(const Point& at) const override {
    return beyond(at, 0) > 0 ? 0 : 3 / (4 * pi * axes_[0] * axes_[1] * axes_[2]);
  }
  [[nodiscard]] Point field(const Point& at) const override {
    double root = 0;
    // Newton's method from 0 converges monotonically, because the function is decreasing and
    // convex.
    for (int step = 0; step < 100; ++step) {
      const double value = beyond(at, root);
      if (!(value > 1e-14)) break;
      double slope = 0;
      for (std::size_t a = 0; a < 3; ++a)
        slope -= std::pow(at[a] / (axes_[a] * axes_[a] + root), 2);
      root -= value / slope;
    }
    // Substitutes s + A^2 = (root + A^2) / v^2 with the largest half axis A.
    const double most = *std::max_element(axes_.begin(), axes_.end());
    const double scale = root + most * most;
    Point sum{};
    for (const Abscissa& point : rule_) {
      const double v2 = point.at * point.at;
      double left[3];
      double product = 1;
      for (std::size_t a = 0; a < 3; ++a) {
        left[a] = scale - v2 * (most * most - axes_[a] * axes_[a]);
        product *= left[a];
      }
      const double common = point.weight * 2 * scale * v2 / std::sqrt(product);
      for (std::size_t a = 0; a < 3; ++a)
        sum[a] += common / left[a];
    }
    for (std::size_t a = 0; a < 3; ++a)
      sum[a] *= 1.5 * at[a];
    return sum;
  }
  [[nodiscard]] Point particle(RandomSequence& random) const override {
    for (;;) {
      Point place;
      for (std::size_t a = 0; a < 3; ++a)
        place[a] = random.uniform(-axes_[a], axes_[a]);
      if (beyond(place, 0) <= 0) return place;
    }
  }

 private:
  /// Sum of x_j^2 / (a_j^2 + s), minus 1: positive outside of the ellipsoid for s = 0.
  [[nodiscard]] double beyond(const Point& at, double s) const {
    double sum = -1;
    for (std::size_t a = 0; a < 3; ++a)
      sum += at[a] * at[a] / (axes_[a] * axes_[a] + s);
    return sum;
  }

  Point axes_;
  std::vector<Abscissa> rule_;
};

/// A random point, uniform in the cylinder.
Point in_cylinder(RandomSequence& random, double radius, double length) {
  const double r = radius * std::sqrt(random.uniform());
  const double angle = 2 * pi * random.uniform();
  return {r * std::cos(angle), r * std::sin(angle), length * (random.uniform() - 0.5)};
}

class Rod final : public ChargedBody {
 public:
  Rod(double radius, double length) : radius_(radius), half_(length / 2) {
    for (int k = 0; k < steps; ++k)
      normals_.push_back({std::cos(2 * pi * k / steps), std::sin(2 * pi * k / steps)});
  }

  [[nodiscard]] double density(const Point& at) const override {
    return std::hypot(at[0], at[1]) <= radius_ && std::abs(at[2]) <= half_ ? inside() : 0;
  }
  [[nodiscard]] Point field(const Point& at) const override {
    Point sum{};
    const double to_ends[] = {half_ - at[2], -half_ - at[2]};
    for (const auto& normal : normals_) {
      const double dx = radius_ * normal[0] - at[0];
      const double dy = radius_ * normal[1] - at[1];
      // Avoids the singularity on the surface, where one of many points of the rule may be inexact.
      const double d = std::max(std::hypot(dx, dy), 1e-12 * radius_);
      const double along = std::asinh(to_ends[0] / d) - std::asinh(to_ends[1] / d);
      sum[0] += normal[0] * along;
      sum[1] += normal[1] * along;
      // Replaces the integral of 1 / sqrt(d^2 + h^2) over an end by a flux integral over its rim.
      const double outward = dx * normal[0] + dy * normal[1];
      for (const int end : {0, 1})
        sum[2] +=
            (end == 0 ? 1 : -1) * outward / (std::hypot(d, to_ends[end]) + std::abs(to_ends[end]));
    }
    for (double& component : sum)
      component *= inside() * radius_ * 2 * pi / steps;
    return sum;
  }
  [[nodiscard]] Point particle(RandomSequence& random) const override {
    return in_cylinder(random, radius_, 2 * half_);
  }

 private:
  static constexpr int steps = 720;

  [[nodiscard]] double inside() const { return 1 / (pi * radius_ * radius_ * 2 * half_); }

  double radius_, half_;
  std::vector<std::array<double, 2>> normals_;
};

class Cylinder final : public ChargedBody {
 public:
  Cylinder(double radius, double period) : radius_(radius), period_(period) {}

  [[nodiscard]] double density(const Point& at) const override {
    return std::hypot(at[0], at[1]) <= radius_ ? 1 / (pi * radius_ * radius_ * period_) : 0;
  }
  [[nodiscard]] Point field(const Point& at) const override {
    const double reach = std::max(std::hypot(at[0], at[1]), radius_);
    const double of_radius = 2 / (reach * reach * period_);
    return {of_radius * at[0], of_radius * at[1], 0};
  }
  [[nodiscard]] Point particle(RandomSequence& random) const override {
    return in_cylinder(random, radius_, period_);
  }

 private:
  double radius_, period_;
};

}  // namespace

std::unique_ptr<ChargedBody> gaussian_body(const Point& deviations) {
  return std::make_unique<Gaussian>(deviations);
}
std::unique_ptr<ChargedBody> uniform_ellipsoid(const Point& half_axes) {
  return std::make_unique<Ellipsoid>(half_axes);
}
std::unique_ptr<ChargedBody> uniform_rod(double radius, double length) {
  return std::make_unique<Rod>(radius, length);
}
std::unique_ptr<ChargedBody> periodic_cylinder(double radius, double period) {
  return std::make_unique<Cylinder>(radius, period);
}

}  // namespace tessera::pic::analytic
