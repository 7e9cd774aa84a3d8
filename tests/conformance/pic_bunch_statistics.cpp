#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "tests/support/print_bits.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Properties of pic/bunch_statistics that need no oracle.

namespace tessera::pic {
namespace {

/// Optional arguments of the target; empty ones are not passed.
struct Given {
  std::vector<std::uint8_t> alive = {};
  std::vector<double> weights = {};
  Determinism determinism = Determinism::none;
};

template <class P>
std::vector<double> numbers_on(const Implementation<BunchStatistics, P>& implementation,
                               const Context& context,
                               const std::vector<typename P::Storage>& coordinates,
                               const Given& given = {}) {
  Array<typename P::Storage> array(context, coordinates);
  Array<std::uint8_t> alive(context, given.alive);
  Array<typename P::Storage> weights(
      context, std::vector<typename P::Storage>(given.weights.begin(), given.weights.end()));
  Array<double> result(context, bunch_number::count);
  BunchStatisticsArgs<typename P::Storage> args;
  args.coordinates = array.rows(6);
  if (!given.alive.empty()) args.alive = alive.view();
  if (!given.weights.empty()) args.weights = weights.view();
  args.result = result.view();
  const auto plan =
      implementation.make_plan(bunch_statistics_problem(args, given.determinism), context, {});
  plan->execute(args);
  return result.to_host();
}

template <class P>
BunchMoments found(const Implementation<BunchStatistics, P>& implementation,
                   const std::vector<typename P::Storage>& coordinates, const Given& given = {}) {
  return BunchMoments(numbers_on(implementation, test::context(), coordinates, given));
}

/// Random coordinates, six per particle, that are integers.
template <class T>
std::vector<T> whole(std::int64_t particles) {
  RandomSequence random(31);
  std::vector<T> values;
  for (std::int64_t k = 0; k < 6 * particles; ++k)
    values.push_back(static_cast<T>(random.below(33)) - 16);
  return values;
}

/// The lowest and the highest determinism that the target supports.
template <class P>
std::vector<Determinism> levels(const Implementation<BunchStatistics, P>& implementation) {
  return {Determinism::none, most_determinism(implementation.info())};
}

TESSERA_PROPERTY(BunchStatistics, "two particles") {
  using T = typename P::Storage;
  for (const Determinism determinism : levels(implementation)) {
    Given given;
    given.determinism = determinism;
    const auto of =
        found(implementation, std::vector<T>{1, 10, -4, 0, 8, 2, 3, 20, -4, -2, 16, 2}, given);
    CHECK(of.particles == 2);
    CHECK(of.not_finite == 0);
    CHECK(of.weight == 2);
    const double mean[] = {2, 15, -4, -1, 12, 2};
    const double half[] = {1, 5, 0, -1, 4, 0};
    for (int a = 0; a < 6; ++a) {
      CHECK(of.mean[a] == mean[a]);
      CHECK(of.least[a] == mean[a] - std::abs(half[a]));
      CHECK(of.greatest[a] == mean[a] + std::abs(half[a]));
      for (int b = 0; b < 6; ++b)
        CHECK(of.second[a][b] == half[a] * half[b]);
    }
  }
}

TESSERA_PROPERTY(BunchStatistics, "a nanometre wide at a metre keeps its deviation") {
  using T = typename P::Storage;
  // Deviations of one step around 1: mean and steps are exact in the type.
  const double step = sizeof(T) == 8 ? 0x1p-30 : 0x1p-22;
  for (const Determinism determinism : levels(implementation)) {
    std::vector<T> values;
    constexpr int particles = 30000;
    for (int p = 0; p < particles; ++p)
      for (int a = 0; a < 6; ++a)
        values.push_back(static_cast<T>(1 + step * ((p >> a) % 2 == 0 ? 1 : -1)));
    values.resize(6 * 16384);  // all combinations of signs equally often
    Given given;
    given.determinism = determinism;
    const auto of = found(implementation, values, given);
    for (int a = 0; a < 6; ++a) {
      CHECK(of.mean[a] == 1);
      for (int b = 0; b < 6; ++b)
        CHECK(std::abs(of.second[a][b] - (a == b ? step * step : 0)) <= 1e-15 * step * step);
    }
  }
}

TESSERA_PROPERTY(BunchStatistics, "one particle has a mean and nothing else") {
  using T = typename P::Storage;
  for (const Determinism determinism : levels(implementation)) {
    Given given;
    given.determinism = determinism;
    const std::vector<T> values = {T(0.1), T(-3e5), 0, T(1e-20), 7, T(1) / 3};
    const auto of = found(implementation, values, given);
    CHECK(of.particles == 1);
    for (int a = 0; a < 6; ++a) {
      const auto value = static_cast<double>(values[static_cast<std::size_t>(a)]);
      CHECK(of.mean[a] == value);
      CHECK(of.least[a] == value);
      CHECK(of.greatest[a] == value);
      for (int b = 0; b < 6; ++b)
        CHECK(of.second[a][b] == 0);
    }
  }
}

TESSERA_PROPERTY(BunchStatistics, "rounding makes no square of a deviation negative") {
  using T = typename P::Storage;
  // Coincident particles, and others of weight zero, which move the mean of the sample away.
  RandomSequence random(23);
  for (const Determinism determinism : levels(implementation))
    for (const std::size_t particles : {2u, 3u, 7u, 500u}) {
      Given given;
      given.determinism = determinism;
      std::vector<T> values;
      T same[6];
      for (int a = 0; a < 6; ++a)
        same[a] = static_cast<T>(random.uniform(-1, 1) * std::pow(10, 3 - 2 * a));
      for (std::size_t p = 0; p < particles; ++p)
        for (int a = 0; a < 6; ++a) {
          if (a == 0) given.weights.push_back(p % 3 == 1 ? 0 : random.uniform(0.5, 1.5));
          const double away = p % 3 == 1 ? random.uniform(-1, 1) : 0;
          values.push_back(same[a] + static_cast<T>(away));
        }
      const auto of = found(implementation, values, given);
      for (int a = 0; a < 6; ++a) {
        CHECK_MESSAGE(of.second[a][a] >= 0, particles << " particles, column " << a << ", "
                                                      << name(determinism) << ": "
                                                      << of.second[a][a]);
        CHECK(of.second[a][a] < 1e-20);
      }
    }
}

TESSERA_PROPERTY(BunchStatistics, "who is lost is not there, whatever its coordinates") {
  using T = typename P::Storage;
  const std::vector<T> some = whole<T>(1000);
  const std::vector<T> far = {T(1e9), T(NAN), T(-1e9), T(INFINITY), T(1e20), 5};
  std::vector<T> with_lost;
  Given given;
  for (std::size_t p = 0; p < 1000; ++p) {
    const auto at = some.begin() + static_cast<std::ptrdiff_t>(6 * p);
    if (p % 3 == 0) {
      with_lost.insert(with_lost.end(), far.begin(), far.end());
      given.alive.push_back(0);
    }
    with_lost.insert(with_lost.end(), at, at + 6);
    given.alive.push_back(static_cast<std::uint8_t>(1 + p % 255));
  }
  given.determinism = most_determinism(implementation.info());
  const auto lost = numbers_on(implementation, test::context(), with_lost, given);
  given.alive.clear();
  const auto without = numbers_on(implementation, test::context(), some, given);
  CHECK(BunchMoments(lost).particles == 1000);
  if (given.determinism == Determinism::any_order) {
    CHECK(lost == without);
    return;
  }
  // The sums differ in rounding, because the remaining particles are added in other groups.
  for (std::size_t n = 0; n < without.size(); ++n)
    CHECK(lost[n] == doctest::Approx(without[n]).epsilon(1e-13));
}

TESSERA_PROPERTY(BunchStatistics, "a number that is none is counted, its particle left out") {
  using T = typename P::Storage;
  for (const Determinism determinism : levels(implementation))
    for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                        -std::numeric_limits<T>::infinity()})
      for (std::size_t column = 0; column < 6; ++column) {
        Given given;
        given.determinism = determinism;
        std::vector<T> values = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3};
        values[6 + column] = bad;
        const auto of = found(implementation, values, given);
        CHECK(of.particles == 2);
        CHECK(of.not_finite == 1);
        for (int a = 0; a < 6; ++a) {
          CHECK(of.mean[a] == 2);
          CHECK(of.second[a][a] == 1);
          CHECK(of.least[a] == 1);
          CHECK(of.greatest[a] == 3);
        }
        // The particle is lost and must not count.
        given.alive = {1, 0, 1};
        CHECK(found(implementation, values, given).not_finite == 0);
      }
}

TESSERA_PROPERTY(BunchStatistics, "no particle has no mean") {
  using T = typename P::Storage;
  for (const Determinism determinism : levels(implementation)) {
    Given lost;
    lost.determinism = determinism;
    lost.alive.assign(3, 0);
    Given none;
    none.determinism = determinism;
    for (const auto& of : {found(implementation, std::vector<T>(18, 4), lost),
                           found(implementation, std::vector<T>{}, none)}) {
      CHECK(of.particles == 0);
      CHECK(of.weight == 0);
      for (int a = 0; a < 6; ++a) {
        CHECK(std::isnan(of.mean[a]));
        CHECK(of.least[a] == INFINITY);
        CHECK(of.greatest[a] == -INFINITY);
        for (int b = 0; b < 6; ++b)
          CHECK(std::isnan(of.second[a][b]));
      }
    }
  }
}

TESSERA_PROPERTY(BunchStatistics, "a weight of two is a particle that is there twice") {
  using T = typename P::Storage;
  const std::vector<T> once = whole<T>(1000);
  std::vector<T> twice = once;
  Given given;
  for (std::size_t p = 0; p < 1000; ++p) {
    given.weights.push_back(p % 4 == 0 ? 2 : 1);
    const auto at = once.begin() + static_cast<std::ptrdiff_t>(6 * p);
    if (p % 4 == 0) twice.insert(twice.end(), at, at + 6);
  }
  const auto weighted = found(implementation, once, given);
  const auto repeated = found(implementation, twice);
  CHECK(weighted.particles == 1000);
  CHECK(repeated.particles == 1250);
  CHECK(weighted.weight == 1250);
  for (int a = 0; a < 6; ++a) {
    CHECK(weighted.mean[a] == test::relative(repeated.mean[a]).epsilon(1e-13));
    for (int b = 0; b < 6; ++b)
      CHECK(std::abs(weighted.second[a][b] - repeated.second[a][b]) < 1e-11);
  }
}

/// Particles with values of all magnitudes, zeros of both signs, and some lost.
template <class T>
std::vector<T> mixed(std::size_t particles, Given& given) {
  RandomSequence random(17);
  std::vector<T> values;
  for (std::size_t p = 0; p < particles; ++p) {
    for (int a = 0; a < 6; ++a) {
      const double number = random.uniform(-1, 1) * std::pow(10, a - 3);
      values.push_back(static_cast<T>(p % 50 == 0 ? (p % 100 == 0 ? -0.0 : 0.0) : number + a));
    }
    values.back() = p % 2 == 0 ? T(-0.0) : T(0);
    given.alive.push_back(random.below(9) == 0 ? 0 : 1);
    given.weights.push_back(random.uniform(0, 2));
  }
  return values;
}

TESSERA_PROPERTY(BunchStatistics, "any_order: shuffled particles have the same bits") {
  using T = typename P::Storage;
  if (most_determinism(implementation.info()) < Determinism::any_order) return;
  for (const bool weighted : {false, true}) {
    Given given;
    std::vector<T> values = mixed<T>(3000, given);
    if (!weighted) given.weights.clear();
    given.determinism = Determinism::any_order;
    const auto first = numbers_on(implementation, test::context(), values, given);
    test::print_bits(weighted ? "weighted bunch" : "bunch", first);
    RandomSequence random(9);
    for (int shuffle = 0; shuffle < 10; ++shuffle) {
      for (std::size_t i = given.alive.size() - 1; i > 0; --i) {
        const auto j = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i) + 1));
        for (std::size_t a = 0; a < 6; ++a)
          std::swap(values[6 * i + a], values[6 * j + a]);
        std::swap(given.alive[i], given.alive[j]);
        if (weighted) std::swap(given.weights[i], given.weights[j]);
      }
      const auto again = numbers_on(implementation, test::context(), values, given);
      for (std::size_t k = 0; k < first.size(); ++k) {
        CHECK(again[k] == first[k]);
        CHECK(std::signbit(again[k]) == std::signbit(first[k]));
      }
    }
  }
}

TESSERA_PROPERTY(BunchStatistics, "any_order: the bits of one thread on a host") {
  using T = typename P::Storage;
  if (most_determinism(implementation.info()) < Determinism::any_order) return;
  const std::string operation(BunchStatistics::name);
  const ImplementationBase* serial = nullptr;
  for (const ImplementationBase* i : registry().implementations(operation, P::value))
    if (i->info().name == "serial.portable") serial = i;
  if (serial == nullptr) return;
  const Context host = open_for(registry(), *serial);
  for (const std::size_t particles : {0u, 1u, 999u, 40001u}) {
    Given given;
    const std::vector<T> values = mixed<T>(particles, given);
    given.determinism = Determinism::any_order;
    for (const bool weighted : {true, false}) {
      if (!weighted) given.weights.clear();
      const auto here = numbers_on(implementation, test::context(), values, given);
      const auto there = numbers_on(
          dynamic_cast<const Implementation<BunchStatistics, P>&>(*serial), host, values, given);
      CHECK(std::memcmp(here.data(), there.data(), here.size() * sizeof(double)) == 0);
    }
  }
}

TESSERA_PROPERTY(BunchStatistics, "one plan takes one bunch after another, of any size") {
  using T = typename P::Storage;
  const Context context = test::context();
  for (const Determinism determinism : levels(implementation)) {
    Array<double> result(context, bunch_number::count);
    std::unique_ptr<Plan<BunchStatistics, P>> plan;
    for (const double size : {1.0, 1e-9, 1e12, 1.0}) {
      std::vector<T> values;
      for (const T value : whole<T>(500))
        values.push_back(static_cast<T>(size) * value);
      Array<T> array(context, values);
      BunchStatisticsArgs<T> args;
      args.coordinates = array.rows(6);
      args.result = result.view();
      if (plan == nullptr)
        plan = implementation.make_plan(bunch_statistics_problem(args, determinism), context, {});
      plan->execute(args);
      Given given;
      given.determinism = determinism;
      CHECK(result.to_host() == numbers_on(implementation, context, values, given));
    }
  }
}

TESSERA_PROPERTY(BunchStatistics, "the public call runs the chosen implementation") {
  using T = typename P::Storage;
  const Context context = test::context_with_target();
  Array<T> array(context, std::vector<T>{1, 2, 3, 4, 5, 6});
  Array<double> result(context, bunch_number::count);
  BunchStatisticsArgs<T> args;
  args.coordinates = array.rows(6);
  args.result = result.view();
  bunch_statistics<P>(context, args);
  CHECK(BunchMoments(result.to_host()).mean[5] == 6);
  args.coordinates = {array.data(), {1, 5}};
  CHECK_THROWS_AS((void)bunch_statistics_problem(args), ArgumentError);
  args.coordinates = array.rows(6);
  args.result.extents[0] = bunch_number::count - 1;
  CHECK_THROWS_AS((void)bunch_statistics_problem(args), ArgumentError);
  CHECK_THROWS_AS(BunchMoments(std::vector<double>(41)), ArgumentError);
}

}  // namespace
}  // namespace tessera::pic
