#include "physics/pic/bunch_statistics/bunch_statistics_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tessera::pic {

using Long = long double;

/// The particles that count.
template <class Storage>
class CountingParticles {
 public:
  CountingParticles(const BunchStatisticsArgs<Storage>& args, std::int64_t particles)
      : args_(args) {
    for (std::int64_t p = 0; p < particles; ++p) {
      if (args.alive.given() && args.alive(p) == 0) continue;
      bool finite = std::isfinite(weight(p));
      for (int a = 0; a < coordinates_of_particle; ++a)
        finite = finite && std::isfinite(args.coordinates(p, a));
      if (finite)
        counting_.push_back(p);
      else
        ++not_finite_;
    }
  }

  [[nodiscard]] const std::vector<std::int64_t>& counting() const { return counting_; }
  [[nodiscard]] std::int64_t not_finite() const { return not_finite_; }

  /// Sum of weight * term(p) over these particles.
  template <class Term>
  [[nodiscard]] Long sum(const Term& term) const {
    Long total = 0;
    for (const std::int64_t p : counting_)
      total += static_cast<Long>(weight(p)) * term(p);
    return total;
  }
  [[nodiscard]] Long coordinate(std::int64_t p, int a) const {
    return static_cast<Long>(args_.coordinates(p, a));
  }

 private:
  [[nodiscard]] double weight(std::int64_t p) const {
    return args_.weights.given() ? static_cast<double>(args_.weights(p)) : 1.0;
  }

  const BunchStatisticsArgs<Storage>& args_;
  std::vector<std::int64_t> counting_;
  std::int64_t not_finite_ = 0;
};

template <class Storage>
void bunch_statistics_reference(const BunchStatisticsProblem& problem,
                                const BunchStatisticsArgs<Storage>& args) {
  const CountingParticles<Storage> bunch(args, problem.particles);
  const auto put = [&](int at, Long value) { args.result(at) = static_cast<double>(value); };
  const Long weight = bunch.sum([](std::int64_t) { return Long{1}; });
  put(bunch_number::particles, static_cast<Long>(bunch.counting().size()));
  put(bunch_number::not_finite, static_cast<Long>(bunch.not_finite()));
  put(bunch_number::weight, weight);
  constexpr Long infinity = std::numeric_limits<Long>::infinity();
  Long mean[coordinates_of_particle];
  Long rest[coordinates_of_particle];  // rounding error of the mean: mean of the deviations from it
  const auto deviation = [&](std::int64_t p, int a) { return bunch.coordinate(p, a) - mean[a]; };
  for (int a = 0; a < coordinates_of_particle; ++a) {
    mean[a] = bunch.sum([&](std::int64_t p) { return bunch.coordinate(p, a); }) / weight;
    rest[a] = bunch.sum([&](std::int64_t p) { return deviation(p, a); }) / weight;
    put(bunch_number::mean + a, mean[a] + rest[a]);
    Long least = infinity;
    Long greatest = -infinity;
    for (const std::int64_t p : bunch.counting()) {
      least = std::min(least, bunch.coordinate(p, a));
      greatest = std::max(greatest, bunch.coordinate(p, a));
    }
    put(bunch_number::least + a, least);
    put(bunch_number::greatest + a, greatest);
  }
  for (int a = 0; a < coordinates_of_particle; ++a)
    for (int b = a; b < coordinates_of_particle; ++b) {
      const Long product =
          bunch.sum([&](std::int64_t p) { return deviation(p, a) * deviation(p, b); }) / weight;
      const Long moment = product - rest[a] * rest[b];
      const bool rounding = a == b && product >= 0 && moment < 0;
      put(bunch_number::second_of(a, b), rounding ? Long{0} : moment);
    }
}

template void bunch_statistics_reference<double>(const BunchStatisticsProblem&,
                                                 const BunchStatisticsArgs<double>&);
template void bunch_statistics_reference<float>(const BunchStatisticsProblem&,
                                                const BunchStatisticsArgs<float>&);

}  // namespace tessera::pic
