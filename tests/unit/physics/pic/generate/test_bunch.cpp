#include "core/base/error.hpp"
#include "physics/pic/generate/bunch.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::pic {
namespace {

constexpr BunchKind kinds[] = {BunchKind::gaussian, BunchKind::waterbag, BunchKind::uniform,
                               BunchKind::kv,       BunchKind::kurth4,   BunchKind::kurth6};

BunchDescription description_of(BunchKind kind, std::int64_t particles) {
  BunchDescription description;
  description.kind = kind;
  description.particles = particles;
  for (int a = 0; a < 6; ++a)
    description.covariance[a][a] = 1;
  return description;
}

struct Moments {
  double mean[6] = {};
  double second[6][6] = {};

  explicit Moments(const std::vector<double>& bunch) {
    const std::size_t n = bunch.size() / 6;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t a = 0; a < 6; ++a)
        mean[a] += bunch[6 * p + a] / static_cast<double>(n);
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t a = 0; a < 6; ++a)
        for (std::size_t b = 0; b < 6; ++b)
          second[a][b] +=
              (bunch[6 * p + a] - mean[a]) * (bunch[6 * p + b] - mean[b]) / static_cast<double>(n);
  }
};

TEST_CASE("every kind of bunch has the moments of its recipe") {
  for (const BunchKind kind : kinds) {
    INFO(std::string(name(kind)));
    CHECK(bunch_kind(name(kind)) == kind);
    BunchDescription description = description_of(kind, 40000);
    description.mean[0] = 3;
    description.covariance[2][2] = 4;
    description.covariance[4][5] = description.covariance[5][4] = -0.5;
    const Moments found(generate_bunch(description));
    for (int a = 0; a < 6; ++a) {
      CHECK(std::abs(found.mean[a] - description.mean[a]) < 0.05);
      for (int b = 0; b < 6; ++b)
        CHECK(std::abs(found.second[a][b] - description.covariance[a][b]) < 0.1);
    }
    description.particles = 500;
    description.match_moments = true;
    const Moments matched(generate_bunch(description));
    for (int a = 0; a < 6; ++a) {
      CHECK(std::abs(matched.mean[a] - description.mean[a]) < 1e-14);
      for (int b = 0; b < 6; ++b)
        CHECK(std::abs(matched.second[a][b] - description.covariance[a][b]) < 1e-13);
    }
  }
}

TEST_CASE("a particle does not depend on how many there are, and on the seed it does") {
  for (const BunchKind kind : kinds) {
    BunchDescription description = description_of(kind, 10);
    const std::vector<double> few = generate_bunch(description);
    description.particles = 30;
    const std::vector<double> many = generate_bunch(description);
    CHECK(std::equal(few.begin(), few.end(), many.begin()));
    description.seed = 2;
    CHECK(generate_bunch(description) != many);
  }
}

/// For a standard deviation of 1, the edge of a uniform density is at a radius of 2 in two
/// dimensions, and of sqrt(5) in three.
TEST_CASE("densities are even where they should be") {
  for (const BunchKind kind : {BunchKind::kv, BunchKind::kurth4}) {
    const std::vector<double> bunch = generate_bunch(description_of(kind, 40000));
    std::int64_t inner = 0;
    for (std::size_t p = 0; p < bunch.size(); p += 6) {
      const double square = bunch[p] * bunch[p] + bunch[p + 2] * bunch[p + 2];
      REQUIRE(square <= 4 * (1 + 1e-14));
      REQUIRE(std::abs(bunch[p + 4]) <= std::sqrt(3.0));
      inner += square < 1 ? 1 : 0;
      if (kind == BunchKind::kv)
        REQUIRE(square + bunch[p + 1] * bunch[p + 1] + bunch[p + 3] * bunch[p + 3] ==
                test::relative(4).epsilon(1e-12));
    }
    CHECK(std::abs(static_cast<double>(inner) / 40000 - 0.25) < 0.01);
  }
  for (const BunchKind kind : {BunchKind::uniform, BunchKind::kurth6}) {
    const std::vector<double> bunch = generate_bunch(description_of(kind, 40000));
    std::int64_t inner = 0;
    for (std::size_t p = 0; p < bunch.size(); p += 6) {
      const double square =
          bunch[p] * bunch[p] + bunch[p + 2] * bunch[p + 2] + bunch[p + 4] * bunch[p + 4];
      REQUIRE(square <= 5 * (1 + 1e-14));
      inner += square < 1.25 ? 1 : 0;
    }
    CHECK(std::abs(static_cast<double>(inner) / 40000 - 0.125) < 0.01);
  }
  const std::vector<double> bag = generate_bunch(description_of(BunchKind::waterbag, 1000));
  for (std::size_t p = 0; p < bag.size(); p += 6) {
    double square = 0;
    for (std::size_t a = 0; a < 6; ++a)
      square += bag[p + a] * bag[p + a];
    REQUIRE(square <= 8 * (1 + 1e-14));
  }
}

/// In the linear focusing to which the bunch is matched, a quarter of a period exchanges positions
/// and momenta.
TEST_CASE("a bunch of Kurth is at rest") {
  const std::vector<double> bunch = generate_bunch(description_of(BunchKind::kurth6, 40000));
  std::int64_t inner = 0;
  for (std::size_t p = 0; p < bunch.size(); p += 6) {
    double square = 0;
    for (std::size_t a = 1; a < 6; a += 2)
      square += bunch[p + a] * bunch[p + a];
    REQUIRE(square <= 5 * (1 + 1e-14));
    inner += square < 1.25 ? 1 : 0;
  }
  CHECK(std::abs(static_cast<double>(inner) / 40000 - 0.125) < 0.01);
}

TEST_CASE("a Gaussian is cut off") {
  BunchDescription description = description_of(BunchKind::gaussian, 5000);
  description.cutoff = 2;
  const std::vector<double> bunch = generate_bunch(description);
  CHECK(*std::max_element(bunch.begin(), bunch.end()) <= 2);
  CHECK(*std::max_element(bunch.begin(), bunch.end()) > 1.9);
}

TEST_CASE("directions without a spread, and bunches of none") {
  BunchDescription description = description_of(BunchKind::kv, 100);
  description.covariance[4][4] = description.covariance[5][5] = 0;
  const std::vector<double> bunch = generate_bunch(description);
  for (std::size_t p = 0; p < bunch.size(); p += 6)
    CHECK(bunch[p + 5] == 0);
  CHECK(generate_bunch(description_of(BunchKind::kurth6, 0)).empty());
}

TEST_CASE("recipes that make no sense name what does not") {
  const auto refused = [](const auto& spoil) {
    BunchDescription description = description_of(BunchKind::gaussian, 10);
    spoil(description);
    try {
      (void)generate_bunch(description);
    } catch (const ArgumentError& error) {
      return error.argument();
    }
    return std::string();
  };
  CHECK(refused([](BunchDescription& r) { r.particles = -1; }) == "particles");
  CHECK(refused([](BunchDescription& r) { r.mean[3] = NAN; }) == "mean");
  CHECK(refused([](BunchDescription& r) { r.cutoff = -1; }) == "cutoff");
  CHECK(refused([](BunchDescription& r) { r.cutoff = 1e-6; }) == "cutoff");
  CHECK(refused([](BunchDescription& r) { r.covariance[2][2] = -1; }) == "covariance");
  CHECK(refused([](BunchDescription& r) { r.covariance[2][1] = 0.3; }) == "covariance");
  CHECK(refused([](BunchDescription& r) { r.covariance[0][0] = INFINITY; }) == "covariance");
  CHECK(refused([](BunchDescription& r) { r.covariance[2][1] = r.covariance[1][2] = 1.5; }) ==
        "covariance");
  CHECK(refused([](BunchDescription& r) { r.kind = static_cast<BunchKind>(77); }) == "kind");
  CHECK(refused([](BunchDescription& r) {
          r.particles = 6;
          r.match_moments = true;
        }) == "particles");
  CHECK_THROWS_AS((void)bunch_kind("gausian"), SelectionError);
}

}  // namespace
}  // namespace tessera::pic
