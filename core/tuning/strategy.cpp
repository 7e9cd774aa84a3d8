#include "core/tuning/strategy.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/tuning/search_points.hpp"
#include "core/tuning/surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

namespace tessera {
namespace {

/// Candidates in a fixed order.
class InOrder final : public Strategy {
 public:
  explicit InOrder(std::vector<std::size_t> order) : order_(std::move(order)) {}

  std::vector<std::size_t> next(const Measured& measured, std::size_t most) override {
    std::vector<std::size_t> chosen;
    for (const std::size_t c : order_)
      if (chosen.size() < most && !measured.contains(c)) chosen.push_back(c);
    return chosen;
  }

 private:
  std::vector<std::size_t> order_;
};

std::vector<std::size_t> given_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Random permutation that keeps the first candidate first, because all others are compared with
/// it.
std::vector<std::size_t> random_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order = given_order(count);
  RandomSequence random(seed);
  for (std::size_t i = order.size(); i > 2; --i)
    std::swap(order[i - 1], order[1 + random() % (i - 1)]);
  return order;
}

/// A few widely spaced candidates first, then the candidates with the largest expected improvement
/// under a model of the measurements (D. R. Jones, M. Schonlau, W. J. Welch, "Efficient Global
/// Optimization of Expensive Black-Box Functions", J. Global Optim. 13 (1998) 455, equation 15).
class Adaptive final : public Strategy {
 public:
  Adaptive(const std::vector<Candidate>& candidates, std::uint64_t seed)
      : points_(candidates), first_(far_apart(seed)) {}

  std::vector<std::size_t> next(const Measured& measured, std::size_t most) override {
    std::vector<std::size_t> chosen;
    for (const std::size_t c : first_)
      if (chosen.size() < most && !measured.contains(c)) chosen.push_back(c);
    if (!chosen.empty()) return chosen;

    double worst = -std::numeric_limits<double>::infinity();
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [c, m] : measured)
      if (m.counts()) {
        worst = std::max(worst, std::log(m.seconds));
        best = std::min(best, std::log(m.seconds));
      }
    std::vector<std::pair<double, std::size_t>> known;
    for (const auto& [c, m] : measured)
      // The model gets the worst time for a failed candidate, so that it avoids similar ones.
      known.emplace_back(m.counts() ? std::log(m.seconds) : std::isfinite(worst) ? worst : 0.0, c);
    std::sort(known.begin(), known.end());
    Surrogate model(points_);
    fit(model, known);
    const std::vector<std::size_t> pool = pool_of(measured, known);
    while (chosen.size() < most) {
      const std::optional<std::size_t> promising = most_promising(model, best, pool, chosen);
      if (!promising) break;
      chosen.push_back(*promising);
      // Adds the predicted time in place of a measurement, so that the next choice is not similar
      // to this one.
      if (chosen.size() < most) model.add(*promising, model.at(*promising).mean);
    }
    return chosen;
  }

 private:
  [[nodiscard]] double distance(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t d = 0; d < points_.directions().size(); ++d)
      sum += points_.distance(a, b, d);
    return sum;
  }

  [[nodiscard]] std::vector<std::size_t> far_apart(std::uint64_t seed) const {
    const std::size_t n = points_.size();
    const std::size_t wanted = std::min<std::size_t>(n, 4 + points_.directions().size());
    RandomSequence random(seed);
    std::vector<std::size_t> chosen{0};
    while (chosen.size() < wanted) {
      // Picks the farthest of a few random candidates, so that not all of them are corners of the
      // space.
      std::size_t furthest = 0;
      double most = -1;
      for (int draw = 0; draw < 8; ++draw) {
        const std::size_t c = random() % n;
        double nearest = std::numeric_limits<double>::infinity();
        for (const std::size_t other : chosen)
          nearest = std::min(nearest, distance(c, other));
        if (nearest > most) {
          most = nearest;
          furthest = c;
        }
      }
      if (most > 0)
        chosen.push_back(furthest);
      else if (chosen.size() + 1 >= n)
        break;
    }
    return chosen;
  }

  using Known = std::vector<std::pair<double, std::size_t>>;  ///< log of times, fastest first

  /// Fits the model to all known points or, because the cost of a fit is the cube of their number,
  /// to the fastest ones and a sample of the others.
  static void fit(Surrogate& model, const Known& known) {
    constexpr std::size_t fastest = 120, others = 80;
    const std::size_t rest = known.size() > fastest ? known.size() - fastest : 0;
    const std::size_t step = rest > others ? (rest + others - 1) / others : 1;
    std::vector<std::size_t> where;
    std::vector<double> values;
    for (std::size_t k = 0; k < known.size(); k += k < fastest ? 1 : step) {
      where.push_back(known[k].second);
      values.push_back(known[k].first);
    }
    model.fit(std::move(where), std::move(values));
  }

  /// Unmeasured candidates for which the model is evaluated: all, or in a large space a random
  /// sample and the candidates that differ from one of the fastest in a single direction.
  [[nodiscard]] std::vector<std::size_t> pool_of(const Measured& measured,
                                                 const Known& known) const {
    constexpr std::size_t most_asked = 3000, best = 4;
    std::vector<std::size_t> pool;
    const bool all = points_.size() <= most_asked;
    RandomSequence random(1 + measured.size());
    for (std::size_t c = 0; c < points_.size(); ++c) {
      const bool drawn = random() % points_.size() < most_asked / 2;
      bool close = false;
      for (std::size_t k = 0; !all && k < std::min(best, known.size()); ++k)
        close = close || differing(c, known[k].second) == 1;
      if ((all || drawn || close) && !measured.contains(c)) pool.push_back(c);
    }
    return pool;
  }

  /// Number of directions along which two candidates differ.
  [[nodiscard]] int differing(std::size_t a, std::size_t b) const {
    int count = 0;
    for (std::size_t d = 0; d < points_.directions().size(); ++d)
      count += points_.distance(a, b, d) > 0 ? 1 : 0;
    return count;
  }

  [[nodiscard]] std::optional<std::size_t> most_promising(
      const Surrogate& model, double best, const std::vector<std::size_t>& pool,
      const std::vector<std::size_t>& chosen) const {
    std::optional<std::size_t> found;
    double most = -1;
    for (const std::size_t c : pool) {
      if (std::find(chosen.begin(), chosen.end(), c) != chosen.end()) continue;
      const Surrogate::Prediction p = model.at(c);
      const double gain = improvement(best - p.mean, p.deviation);
      if (gain > most) {
        most = gain;
        found = c;
      }
    }
    return found;
  }

  /// Expectation of the positive part of a normal deviate with mean `ahead`.
  [[nodiscard]] static double improvement(double ahead, double deviation) {
    if (!(deviation > 1e-12)) return std::max(0.0, ahead);
    const double z = ahead / deviation;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    return ahead * below + deviation * density;
  }

  SearchPoints points_;
  std::vector<std::size_t> first_;
};

}  // namespace

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names{"adaptive", "random", "exhaustive"};
  return names;
}

std::unique_ptr<Strategy> make_strategy(const std::string& name,
                                        const std::vector<Candidate>& candidates,
                                        std::uint64_t seed) {
  if (name == "exhaustive") return std::make_unique<InOrder>(given_order(candidates.size()));
  if (name == "random") return std::make_unique<InOrder>(random_order(candidates.size(), seed));
  if (name == "adaptive") return std::make_unique<Adaptive>(candidates, seed);
  throw SelectionError("strategy", name, strategy_names());
}

}  // namespace tessera
