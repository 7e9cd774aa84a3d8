#include "physics/pic/generate/bunch.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/pic/generate/triangular_root.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>

namespace tessera::pic {
namespace {

constexpr const char* bunch_name = "bunch";
constexpr BunchKind kinds[] = {BunchKind::gaussian, BunchKind::waterbag, BunchKind::uniform,
                               BunchKind::kv,       BunchKind::kurth4,   BunchKind::kurth6};

using Particle = std::array<double, 6>;

/// Random numbers of one particle, independent of those of other particles.
class Draw {
 public:
  Draw(std::uint64_t seed, std::int64_t particle)
      : numbers_(seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(particle)) {}

  [[nodiscard]] double uniform() { return numbers_.uniform(); }
  [[nodiscard]] double uniform(double low, double high) { return numbers_.uniform(low, high); }
  /// A normal deviate, by the method of G. E. P. Box and M. E. Muller, Annals of Mathematical
  /// Statistics 29, 610 (1958).
  [[nodiscard]] double normal() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    second_ = radius * std::sin(angle);
    has_second_ = true;
    return radius * std::cos(angle);
  }
  [[nodiscard]] double normal_below(double cutoff) {
    for (;;) {
      const double value = normal();
      if (cutoff <= 0 || std::abs(value) <= cutoff) return value;
    }
  }
  /// Uniformly distributed direction on the unit sphere.
  template <std::size_t N>
  [[nodiscard]] std::array<double, N> direction() {
    std::array<double, N> values{};
    double square = 0;
    while (square == 0) {
      for (double& value : values) {
        value = normal();
        square += value * value;
      }
    }
    for (double& value : values)
      value /= std::sqrt(square);
    return values;
  }

 private:
  RandomSequence numbers_;
  double second_ = 0;
  bool has_second_ = false;
};

void even_and_normal_along(Draw& draw, Particle& particle) {
  particle[4] = draw.uniform(-std::numbers::sqrt3, std::numbers::sqrt3);
  particle[5] = draw.normal();
}

/// A point in the unit ball of N dimensions, and its momentum in Kurth's distribution.
template <std::size_t N>
void kurth(Draw& draw, std::array<double, N>& place, std::array<double, N>& momentum) {
  const std::array<double, N> along = draw.direction<N>();
  const double r = std::pow(draw.uniform(), 1 / static_cast<double>(N));
  double across = 0;
  std::array<double, N> sideways{};
  if constexpr (N == 2) {
    across = draw.uniform(-1, 1);
    sideways = {-along[1], along[0]};
  } else {
    across = std::sqrt(draw.uniform());
    double dot = 2;
    std::array<double, N> other{};
    while (std::abs(dot) > 0.99) {
      other = draw.direction<N>();
      dot = 0;
      for (std::size_t a = 0; a < N; ++a)
        dot += other[a] * along[a];
    }
    for (std::size_t a = 0; a < N; ++a)
      sideways[a] = (other[a] - dot * along[a]) / std::sqrt(1 - dot * dot);
  }
  const double radial = std::sqrt(std::max(0.0, (1 - r * r) * (1 - across * across))) *
                        std::cos(std::numbers::pi * draw.uniform());
  for (std::size_t a = 0; a < N; ++a) {
    place[a] = r * along[a];
    momentum[a] = radial * along[a] + across * sideways[a];
  }
}

/// Particle of the given kind, uncorrelated and with deviations of 1.
Particle unit_particle(const BunchDescription& description, Draw& draw) {
  Particle particle{};
  switch (description.kind) {
    case BunchKind::gaussian:
      for (double& value : particle)
        value = draw.normal_below(description.cutoff);
      break;
    case BunchKind::waterbag: {
      particle = draw.direction<6>();
      const double radius = std::sqrt(8.0) * std::pow(draw.uniform(), 1.0 / 6);
      for (double& value : particle)
        value *= radius;
      break;
    }
    case BunchKind::uniform: {
      const std::array<double, 3> along = draw.direction<3>();
      const double radius = std::sqrt(5.0) * std::cbrt(draw.uniform());
      for (std::size_t a = 0; a < 3; ++a) {
        particle[2 * a] = radius * along[a];
        particle[2 * a + 1] = draw.normal();
      }
      break;
    }
    case BunchKind::kv: {
      const std::array<double, 4> along = draw.direction<4>();
      for (std::size_t a = 0; a < 4; ++a)
        particle[a] = 2 * along[a];
      even_and_normal_along(draw, particle);
      break;
    }
    case BunchKind::kurth4: {
      std::array<double, 2> place{};
      std::array<double, 2> momentum{};
      kurth<2>(draw, place, momentum);
      for (std::size_t a = 0; a < 2; ++a) {
        particle[2 * a] = 2 * place[a];
        particle[2 * a + 1] = 2 * momentum[a];
      }
      even_and_normal_along(draw, particle);
      break;
    }
    case BunchKind::kurth6: {
      std::array<double, 3> place{};
      std::array<double, 3> momentum{};
      kurth<3>(draw, place, momentum);
      for (std::size_t a = 0; a < 3; ++a) {
        particle[2 * a] = std::sqrt(5.0) * place[a];
        particle[2 * a + 1] = std::sqrt(5.0) * momentum[a];
      }
      break;
    }
  }
  return particle;
}

void check_bunch_description(const BunchDescription& description) {
  const auto refuse = [](const char* member, const std::string& what) {
    throw ArgumentError(bunch_name, member, what);
  };
  if (std::find(std::begin(kinds), std::end(kinds), description.kind) == std::end(kinds))
    refuse("kind", "it is none");
  if (description.particles < 0)
    refuse("particles",
           "there are " + std::to_string(description.particles) + ", expected 0 or more");
  if (description.match_moments && description.particles <= 6)
    refuse("particles", "there are " + std::to_string(description.particles) +
                            ", expected more than 6, whose moments can be matched");
  for (const double mean : description.mean)
    if (!std::isfinite(mean))
      refuse("mean", "it holds " + shortest_number(mean) + ", expected finite numbers");
  if (!(description.cutoff >= 0) || !std::isfinite(description.cutoff) ||
      (description.cutoff > 0 && description.cutoff < 0.01))
    refuse("cutoff", "it is " + shortest_number(description.cutoff) +
                         ", expected 0 or at least 0.01 deviations");
}

/// Transforms the particles linearly so that their sample means are 0 and the matrix of their
/// second moments is the identity.
void match(std::vector<double>& units) {
  const std::size_t n = units.size() / 6;
  Matrix6 second{};
  Particle mean{};
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t a = 0; a < 6; ++a)
      mean[a] += units[6 * p + a] / static_cast<double>(n);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t a = 0; a < 6; ++a) {
      units[6 * p + a] -= mean[a];
      for (std::size_t b = 0; b <= a; ++b)
        second[a][b] += units[6 * p + a] * units[6 * p + b] / static_cast<double>(n);
    }
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < a; ++b)
      second[b][a] = second[a][b];
  const Matrix6 root = triangular_root(second, "particles");
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t a = 0; a < 6; ++a) {
      double value = units[6 * p + a];
      for (std::size_t b = 0; b < a; ++b)
        value -= root[a][b] * units[6 * p + b];
      if (root[a][a] == 0)
        throw ArgumentError(bunch_name, "particles",
                            "they lie in a plane, whose moments cannot be "
                            "matched: more of them are needed");
      units[6 * p + a] = value / root[a][a];
    }
}

}  // namespace

std::string_view name(BunchKind kind) {
  constexpr std::string_view names[] = {"gaussian", "waterbag", "uniform",
                                        "kv",       "kurth4",   "kurth6"};
  return names[std::find(std::begin(kinds), std::end(kinds), kind) - std::begin(kinds)];
}

BunchKind bunch_kind(std::string_view wanted) {
  std::vector<std::string> names;
  for (const BunchKind kind : kinds) {
    if (name(kind) == wanted) return kind;
    names.emplace_back(name(kind));
  }
  throw SelectionError("bunch", std::string(wanted), names);
}

std::vector<double> generate_bunch(const BunchDescription& description) {
  check_bunch_description(description);
  Matrix6 covariance{};
  for (std::size_t a = 0; a < 6; ++a)
    std::copy_n(description.covariance[a], 6, covariance[a].begin());
  const Matrix6 root = triangular_root(covariance, "covariance");
  std::vector<double> particles;
  particles.reserve(6 * static_cast<std::size_t>(description.particles));
  for (std::int64_t p = 0; p < description.particles; ++p) {
    Draw draw(description.seed, p);
    const Particle particle = unit_particle(description, draw);
    particles.insert(particles.end(), particle.begin(), particle.end());
  }
  if (description.match_moments) match(particles);
  for (std::size_t p = 0; p < particles.size(); p += 6)
    for (std::size_t a = 6; a-- > 0;) {
      double value = description.mean[a];
      for (std::size_t b = 0; b <= a; ++b)
        value += root[a][b] * particles[p + b];
      particles[p + a] = value;
    }
  return particles;
}

}  // namespace tessera::pic
